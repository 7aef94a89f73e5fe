"""The SSH host: the same screens for anybody who has `ssh`, with nothing installed.

`host` listens beside the game server, counts, and hands every connection to one of its `worker`
processes with the fewest. There `connection` lets people in and `session` runs an app for each,
on a `driver` that draws on an SSH channel instead of a terminal of its own.

Connections are passed on as open sockets, not accepted by the workers themselves: so the limits
hold for all workers together, no worker gets more than its share, and while one is started again
nobody is turned away. The server's own process never touches a key or a screen.
"""
