"""Letters for a leaderboard: which systems a test tells apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from assay.core.errors import DataError
from assay.engine.scores import Scores
from assay.reports.text.comparison_text import correction_note
from assay.statistics.differences.paired_samples import pair_systems
from assay.statistics.differences.samples import UnitSample
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.comparison.comparison import Comparison, compare


@dataclass(frozen=True)
class SignificanceLetters:
    """The letters of each system by the first measure, the test that gave them, what to know."""

    of: Mapping[str, str] = field(default_factory=dict)
    test: str = ""
    notes: tuple[str, ...] = ()


def significance_letters(scores: Scores) -> SignificanceLetters:
    """The letters of each system; none, and why, where the systems cannot be compared."""
    if len(scores.of(scores.measures[0])) < 2:
        return SignificanceLetters()
    try:
        found = _compare_all_pairs(scores, scores.measures[0])
    except DataError as failure:
        return SignificanceLetters(
            notes=(f"No letters, for the systems cannot be compared: {failure}",)
        )
    systems = found.systems
    return SignificanceLetters(
        dict(zip(systems["system"].to_list(), systems["letters"].to_list(), strict=True)),
        _letters_note(found),
        tuple(note for note in found.warnings if note not in scores.warnings),
    )


def _compare_all_pairs(scores: Scores, measure: str) -> Comparison:
    """All pairs, as ``assay compare`` tests them; intervals of differences are not shown here."""
    by_units = isinstance(pair_systems(scores, measure), UnitSample)
    return compare(scores, measure, interval=Bootstrap(resamples=2 if by_units else 1000))


def _letters_note(found: Comparison) -> str:
    """The test of the pairs and how it is corrected, as below the table of a comparison."""
    made = found.conventions
    tests = found.pairs["test"].unique(maintain_order=True).to_list()
    names = [made["test_said"] if each == made["test"] else each for each in tests]
    return f"{' or '.join(names)} ({correction_note(made)})"
