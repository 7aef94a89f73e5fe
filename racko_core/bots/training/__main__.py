"""Train the expert's networks: `python -m racko_core.bots.training --help`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from racko_core.bots.training.exporting import export
from racko_core.bots.training.trainer import Plan, Trainer


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, or write what was trained."""
    parser = argparse.ArgumentParser(prog="racko_core.bots.training", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    train = commands.add_parser("train", help="learn values from self-play")
    train.add_argument(
        "--start-from",
        type=Path,
        nargs="+",
        metavar="FILE",
        help="a network to begin with; of several, the hidden units side by side",
    )
    _add_plan(train)
    train.set_defaults(run=_train)
    write = commands.add_parser("export", help="write networks as the player reads them")
    write.add_argument("weights", type=Path, help="the file to write")
    write.add_argument("networks", type=Path, nargs="+", help="its members")
    write.set_defaults(run=_export)
    chosen = parser.parse_args(arguments)
    chosen.run(chosen)


def _add_plan(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", type=Path, help="where the network is kept; if it exists, go on")
    parser.add_argument("--every", type=int, default=100_000, help="rounds between two reports")
    parser.add_argument("--decks", type=int, default=4_000, help="decks of a report")
    for field in fields(Plan):
        name, default = f"--{field.name.replace('_', '-')}", field.default
        if isinstance(default, bool):
            parser.add_argument(name, action="store_true")
        else:
            parser.add_argument(name, type=type(default), default=default, metavar="NUMBER")


def _train(chosen: argparse.Namespace) -> None:
    trainer = Trainer(_plan(chosen))
    if not chosen.file.exists() and chosen.start_from:
        trainer.start_from(chosen.start_from)
    if chosen.file.exists():
        trainer.load(chosen.file)
    trainer.train(lambda line: print(line, flush=True), chosen.file, chosen.every, chosen.decks)


def _export(chosen: argparse.Namespace) -> None:
    export([Trainer.read(file) for file in chosen.networks], chosen.weights)


def _plan(chosen: argparse.Namespace) -> Plan:
    return Plan(**{field.name: getattr(chosen, field.name) for field in fields(Plan)})


if __name__ == "__main__":
    main()
