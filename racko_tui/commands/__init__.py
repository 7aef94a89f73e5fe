"""The subcommands of `racko`: one module each, with a function `command` that makes it.

A command is made when it is asked for, in the language spoken then. Its module imports what is
heavy only when the command runs.
"""
