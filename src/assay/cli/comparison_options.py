"""The options that commands over differences share, and their progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from assay.cli.file_options import INPUT_FILE
from assay.cli.options import (
    RenamedOption,
    confidence_option,
    digits_option,
    interval_option,
    missing_units_option,
    quiet_option,
    resamples_option,
    seed_option,
)
from assay.cli.terminal import terminal_width

if TYPE_CHECKING:
    from assay.reports.text.result_text import Layout


@dataclass(frozen=True)
class UnitTable:
    """A table of the units, and which of its columns to use for what."""

    units: str | None
    slice_by: str | None
    weight_by: str | None
    cluster_by: str | None

    @classmethod
    def from_options(cls, given: dict[str, Any]) -> UnitTable:
        """Out of the options of a command."""
        return cls(**{name: given.pop(name, None) for name in cls.__dataclass_fields__})

    def slices(self) -> dict[str, str] | None:
        """The slice of each unit."""
        return self._labels(self.slice_by)

    def clusters(self) -> dict[str, str] | None:
        """The cluster of each unit."""
        return self._labels(self.cluster_by)

    def weights(self) -> dict[str, float] | None:
        """How much each unit counts."""
        from assay.core.errors import DataError

        found = self._column(self.weight_by)
        try:
            return None if found is None else {unit: float(found[unit]) for unit in found}
        except (TypeError, ValueError):
            raise DataError(
                f"{self.units}: the column '{self.weight_by}' is to hold numbers, and does not"
            ) from None

    def _labels(self, column: str | None) -> dict[str, str] | None:
        found = self._column(column)
        return None if found is None else {unit: str(found[unit]) for unit in found}

    def _column(self, column: str | None) -> Mapping[str, Any] | None:
        from assay.core.errors import UsageError
        from assay.tasks.scores.read_scores import read_unit_column

        if column is None:
            return None
        if self.units is None:
            raise UsageError(f"the column '{column}' is in a file: name it with --units FILE")
        return read_unit_column(self.units, column)


def unit_options() -> list[Callable[[Any], Any]]:
    """The options on what is known of the units."""
    return [
        click.option(
            "--units",
            type=INPUT_FILE,
            metavar="FILE",
            help="A table of the units, for what follows.",
        ),
        click.option(
            "--by",
            "slice_by",
            cls=RenamedOption,
            before="--slice-by",
            metavar="COLUMN",
            help="Look within each slice too.",
        ),
        click.option("--weight-by", metavar="COLUMN", help="How much each unit counts."),
    ]


@dataclass(frozen=True)
class ComparisonOptions:
    """How differences are tested, and what is known of the units."""

    alternative: str
    margin: float | None
    confidence: float
    interval: str
    resamples: int
    permutations: int | None
    seed: int
    tie_width: float
    test_share: float | None
    missing_units: str
    digits: int
    quiet: bool

    @classmethod
    def from_options(cls, given: dict[str, Any]) -> ComparisonOptions:
        """Out of the options of a command."""
        return cls(**{name: given.pop(name) for name in cls.__dataclass_fields__})

    def arguments(self, facts: UnitTable) -> dict[str, Any]:
        """What ``assay.compare`` takes."""
        from assay.statistics.intervals.unit_intervals import Bootstrap

        clusters = facts.clusters()
        interval = Bootstrap(self.confidence, self.resamples, self.seed, self.interval, clusters)
        return {
            "alternative": self.alternative,
            "margin": self.margin,
            "interval": interval,
            "permutations": self.permutations,
            "seed": self.seed,
            "tie_width": self.tie_width,
            "test_share": self.test_share,
            "missing": self.missing_units,
            "weights": facts.weights(),
            "slices": facts.slices(),
        }

    def layout(self) -> Layout:
        """How tables are written."""
        from assay.reports.text.result_text import Layout

        return Layout(self.digits, terminal_width())


@contextmanager
def comparison_progress(settings: ComparisonOptions) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal while permutations are drawn; silent elsewhere."""
    if settings.quiet or not sys.stderr.isatty():
        yield lambda done, of: None
        return
    with click.progressbar(length=1000, label="comparing", file=sys.stderr) as bar:

        def move_bar(done: int, of: int) -> None:
            """Move the bar to the share that is done."""
            place = 1000 * done // max(of, 1)
            bar.pos = 0 if place < bar.pos else bar.pos
            bar.update(place - bar.pos)

        yield move_bar


def comparison_options() -> list[Callable[[Any], Any]]:
    """The options, as click's decorators."""
    return [
        *_hypothesis_options(),
        *_test_options(),
        missing_units_option,
        *unit_options(),
        click.option("--cluster-by", metavar="COLUMN", help="Units that belong together, as one."),
        digits_option,
        quiet_option,
    ]


def _hypothesis_options() -> list[Callable[[Any], Any]]:
    """What is asked of a difference."""
    from assay.statistics.comparison_settings import ALTERNATIVES

    return [
        click.option(
            "--alternative",
            type=click.Choice(ALTERNATIVES),
            default="two-sided",
            show_default=True,
            help="What is suspected of the difference, system less baseline.",
        ),
        click.option(
            "--margin",
            type=float,
            help="The smallest difference that matters, to test equivalence.",
        ),
    ]


def _test_options() -> list[Callable[[Any], Any]]:
    """How a test and its intervals are computed."""
    return [
        confidence_option(),
        interval_option,
        resamples_option(least=1),
        click.option(
            "--permutations",
            type=click.IntRange(1),
            help="Permutations at most. [default: 10,000, or what the correction needs]",
        ),
        seed_option,
        click.option(
            "--tie-width",
            type=click.FloatRange(0),
            default=0.0,
            show_default=True,
            help="Differences up to this size are ties.",
        ),
        click.option(
            "--test-share",
            type=float,
            help="For folds: items tested over items learnt from, as in corrected-t.",
        ),
    ]
