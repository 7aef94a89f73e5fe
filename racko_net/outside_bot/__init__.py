"""Bots in other programs: they are asked in lines of JSON, over their standard input and output.

BOT_PROTOCOL.md, one folder up, tells the lines to whoever writes such a bot. Here is our side:

- `messages`: the lines as typed values;
- `permission`: which programs may be started, and how long they may take;
- `program`: a program that answers lines with lines, bounded in time and in what it may write;
- `murmurs`: what it writes to its error output;
- `guard`: ends programs whose starter has ended;
- `player`: such a program as a bot, and the bot of any name;
- `seats`: the seats of a table that programs play, beside an event loop;
- `serving`: our own bots, served to other programs in the same way;
- `check`: tries a program, and says what is wrong.
"""
