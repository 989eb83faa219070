"""Letters for a leaderboard: which systems a test tells apart."""

from __future__ import annotations

from assay.engine.scores import Scores
from assay.statistics.intervals import Bootstrap
from assay.tasks.comparison import compare

TEST = "tukey"
"""One test of all systems together, whose correction is built in."""


def letters_of(scores: Scores) -> dict[str, str]:
    """The letters of each system by the first measure; none where units cannot be compared."""
    first = scores.of(scores.measures[0])
    if len(first) < 2 or first[0].unit_kind != "query" or len(first[0].units) < 2:
        return {}
    found = compare(scores, scores.measures[0], test=TEST, interval=Bootstrap(resamples=2)).systems
    return dict(zip(found["system"].to_list(), found["letters"].to_list(), strict=True))
