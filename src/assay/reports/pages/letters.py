"""Letters for a leaderboard: which systems a test tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.core.errors import DataError
from assay.engine.scores import Scores
from assay.reports.comparison import correction
from assay.statistics.intervals import Bootstrap
from assay.statistics.pairing import Sample
from assay.statistics.table_pairing import paired
from assay.tasks.comparison import Comparison, compare

TEST = "tukey"
"""One test of all systems together, whose correction is built in."""
DRAWN = ("query", "item", "fold", "unit")
"""Units of which there could be others: a sample, as the classes of a task are not."""


@dataclass(frozen=True)
class Letters:
    """The letters of each system by the first measure, the test that gave them, what to know."""

    of: Mapping[str, str] = field(default_factory=dict)
    test: str = ""
    notes: tuple[str, ...] = ()


def letters_of(scores: Scores) -> Letters:
    """The letters of each system; none, and why, where the systems cannot be compared."""
    if len(scores.of(scores.measures[0])) < 2:
        return Letters()
    try:
        found = _compared(scores, scores.measures[0])
    except DataError as failure:
        return Letters(notes=(f"No letters, for the systems cannot be compared: {failure}",))
    systems = found.systems
    return Letters(
        dict(zip(systems["system"].to_list(), systems["letters"].to_list(), strict=True)),
        _said(found),
        tuple(note for note in found.warnings if note not in scores.warnings),
    )


def _compared(scores: Scores, measure: str) -> Comparison:
    """All pairs, by one test of units that are a sample, else as a comparison does it.

    Then a measure of a whole table, or of its classes, has its items drawn again for each pair.
    """
    sample = paired(scores, measure)
    if isinstance(sample, Sample) and sample.unit_kind in DRAWN:
        return compare(scores, measure, test=TEST, interval=Bootstrap(resamples=2))
    return compare(scores, measure)


def _said(found: Comparison) -> str:
    if found.conventions["test"] == TEST:
        return "Tukey's test"
    tests = found.pairs["test"].unique(maintain_order=True).to_list()
    return f"{' or '.join(tests)} ({correction(found.conventions)})"
