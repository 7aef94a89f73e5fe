"""The game of Rack-O: rules, state machine, views, record and bots. No sockets, files or clocks."""

__version__ = "0.1.0"
