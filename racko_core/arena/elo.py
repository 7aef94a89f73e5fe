"""Elo ratings from who had more points than whom.

The model is Elo's, that of Bradley and Terry (1952): a bot rated d points above another has more
points in the end with chance 1 / (1 + 10^(-d / 400)). The ratings are those that make the results
most likely, with the mean of all bots at 0. A single drawn comparison between each two bots is
added to the results: without it a bot that never lost would be rated infinitely high.

Standard errors take a deck as one sample, however many tables it was played at: with H the
curvature of the log-likelihood and C the covariance of the decks' scores, the ratings' covariance
is inv(H) C inv(H) / decks.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from typing import Final

_SCALE: Final = 400 / log(10)
_STEPS: Final = 200
_LONGEST_STEP: Final = 1.0
_CLOSE: Final = 1e-10

Matrix = list[list[float]]


def ratings(
    beat: Sequence[Sequence[float]],
    met: Sequence[Sequence[float]],
    covariance: Sequence[Sequence[float]],
    decks: int,
) -> list[tuple[float, float | None]]:
    """Rating and standard error by bot.

    `beat` and `met` are by bot and bot, the mean over decks; `covariance` is that of the bots'
    sums of `beat`, from deck to deck. The error is None with fewer than two decks.
    """
    bots = range(len(beat))
    met = [[n + 1 / decks if n else 0.0 for n in row] for row in met]
    scores = [sum(w + 0.5 / decks for w, n in zip(beat[i], met[i], strict=True) if n) for i in bots]
    strength = [0.0 for _ in bots]
    for _ in range(_STEPS):
        slope, curvature = _slope(strength, scores, met)
        step = _product(_inverse(curvature), slope)
        longest = max(map(abs, step))
        shorter = min(1.0, _LONGEST_STEP / longest) if longest else 1.0
        strength = [s + shorter * d for s, d in zip(strength, step, strict=True)]
        if longest < _CLOSE:
            break
    errors: list[float | None] = [None for _ in bots]
    if decks > 1:
        inverse = _inverse(_slope(strength, scores, met)[1])
        for i in bots:
            spread = sum(
                inverse[i][j] * covariance[j][k] * inverse[k][i] for j in bots for k in bots
            )
            errors[i] = _SCALE * sqrt(max(0.0, spread) / decks)
    return [(_SCALE * s, error) for s, error in zip(strength, errors, strict=True)]


def _slope(
    strength: Sequence[float], scores: Sequence[float], met: Sequence[Sequence[float]]
) -> tuple[list[float], Matrix]:
    """Gradient and negated curvature of the log-likelihood; the mean is tied to 0."""
    bots = range(len(strength))
    slope = list(scores)
    curvature = [[1.0 / len(strength)] * len(strength) for _ in bots]
    for i in bots:
        for j in bots:
            if met[i][j]:
                chance = 1 / (1 + exp(strength[j] - strength[i]))
                slope[i] -= met[i][j] * chance
                weight = met[i][j] * chance * (1 - chance)
                curvature[i][i] += weight
                curvature[i][j] -= weight
    return slope, curvature


def _product(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [sum(a * b for a, b in zip(row, vector, strict=True)) for row in matrix]


def _inverse(matrix: Matrix) -> Matrix:
    """By elimination; the matrix is symmetric and positive definite, so it needs no pivoting."""
    size = len(matrix)
    rows = [[*row, *(float(i == j) for j in range(size))] for i, row in enumerate(matrix)]
    for i in range(size):
        pivot = rows[i][i]
        rows[i] = [value / pivot for value in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                factor = rows[j][i]
                rows[j] = [a - factor * b for a, b in zip(rows[j], rows[i], strict=True)]
    return [row[size:] for row in rows]
