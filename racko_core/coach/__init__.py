"""The coach: what to do and why, what a decision cost, and what was luck.

It rests on an `Appraiser`, which says what each action is worth to a seat as far as that seat can
know; `coach` gives the one that ships. `advise` is for the table, `analyse` for afterwards.
"""

from racko_core.bots.appraisal import Appraisal, Appraiser
from racko_core.coach.advice import Advice, advise
from racko_core.coach.analysis import (
    Analysis,
    Decision,
    Luck,
    Outcome,
    Progress,
    Report,
    RoundAnalysis,
    analyse,
    analyse_rounds,
)
from racko_core.coach.grading import Label
from racko_core.coach.moves import named
from racko_core.coach.plain import FORMAT, to_dict
from racko_core.coach.reason import Reason, Why, Words

__all__ = [
    "FORMAT",
    "Advice",
    "Analysis",
    "Appraisal",
    "Appraiser",
    "Decision",
    "Label",
    "Luck",
    "Outcome",
    "Progress",
    "Reason",
    "Report",
    "RoundAnalysis",
    "Why",
    "Words",
    "advise",
    "analyse",
    "analyse_rounds",
    "coach",
    "named",
    "to_dict",
]


def coach() -> Appraiser:
    """The appraiser that ships: the strongest bot's judgement, and numpy with it."""
    from racko_core.coach.judge import Judge

    return Judge()
