"""Letters for a leaderboard: which systems a test tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from assay.core.errors import AssayError
from assay.engine.scores import Scores
from assay.statistics.intervals import Bootstrap
from assay.tasks.comparison import compare

TEST = "tukey"
"""One test of all systems together, whose correction is built in."""


@dataclass(frozen=True)
class Letters:
    """The letters of each system by the first measure, and the test that gave them."""

    of: Mapping[str, str] = field(default_factory=dict)
    test: str = ""


def letters_of(scores: Scores) -> Letters:
    """The letters of each system; none where the systems cannot be compared unit by unit.

    A measure of a whole table has no values of units: then items are drawn again for each pair.
    """
    if len(scores.of(scores.measures[0])) < 2:
        return Letters()
    return _by_units(scores) or _by_items(scores) or Letters()


def _by_units(scores: Scores) -> Letters | None:
    try:
        found = compare(scores, scores.measures[0], test=TEST, interval=Bootstrap(resamples=2))
    except AssayError:
        return None
    return Letters(_letters(found.systems), "Tukey's test")


def _by_items(scores: Scores) -> Letters | None:
    try:
        found = compare(scores, scores.measures[0])
    except AssayError:
        return None
    tests = found.pairs["test"].unique().to_list()
    return Letters(_letters(found.systems), f"{' or '.join(tests)}, corrected by Holm's method")


def _letters(systems: pl.DataFrame) -> dict[str, str]:
    return dict(zip(systems["system"].to_list(), systems["letters"].to_list(), strict=True))
