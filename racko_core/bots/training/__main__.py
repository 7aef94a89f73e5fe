"""Train the expert's networks: `python -m racko_core.bots.training --help`."""

from __future__ import annotations

import argparse
from dataclasses import fields
from pathlib import Path

from racko_core.bots.training.trainer import Plan, Trainer


def main() -> None:
    """Train one network, or go on with one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, help="where the network is kept; exists: go on")
    parser.add_argument("--start-from", type=Path, help="a network to begin with")
    parser.add_argument("--every", type=int, default=50_000, help="rounds between two reports")
    parser.add_argument("--decks", type=int, default=2_000, help="decks of a report")
    for field in fields(Plan):
        default = field.default
        if isinstance(default, bool):
            parser.add_argument(f"--{field.name.replace('_', '-')}", action="store_true")
        else:
            kind = type(default)
            parser.add_argument(
                f"--{field.name.replace('_', '-')}", type=kind, default=default, help=str(default)
            )
    chosen = parser.parse_args()
    plan = Plan(**{field.name: getattr(chosen, field.name) for field in fields(Plan)})
    trainer = Trainer(plan)
    if chosen.file.exists():
        trainer.load(chosen.file)
    elif chosen.start_from:
        trainer.start_from(chosen.start_from)
    trainer.train(lambda line: print(line, flush=True), chosen.file, chosen.every, chosen.decks)


if __name__ == "__main__":
    main()
