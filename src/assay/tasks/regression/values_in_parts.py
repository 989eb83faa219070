"""Regression of a file too large for memory, or of data in parts: moments from exact sums."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeAlias

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, no_rows
from assay.core.progress import no_progress
from assay.core.tables import Source, Values
from assay.engine.result import Result
from assay.engine.scores import Scores
from assay.evidence.column_values import MOST_SORTED_AT_ONCE, finite_numbers
from assay.evidence.moment_sums import (
    COLUMNS,
    CenteredTerms,
    ColumnEnds,
    RunningSums,
    SummedMoments,
    plain_terms,
)
from assay.evidence.views.value_pairs import LazyMoments, ValueMoments, build_value_pairs
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.counted_systems import CountedSystems
from assay.tasks.evidence import IntervalSettings, Measures
from assay.tasks.inputs.data_in_parts import (
    ROWS,
    input_tables,
    open_parts,
    options_in_use,
    read_tables,
    refuse_options,
    single_column,
)
from assay.tasks.regression.predictions import NEEDS, RegressionColumns, read_values
from assay.tasks.table_evidence import SystemInput, read_table

_WHOLE_ONLY = ("density", "item", "weight", "by", "split", "splits", "fold", "missing")
"""What needs all items at once."""
LEFT_OUT = (
    "the file was read in parts (`engine=streaming`) and its items are not kept: measures of single"
    " items, such as MAE, medians, ranks and intervals are left out"
)


Numbers: TypeAlias = Mapping[str, Floats]
"""The true and the predicted numbers of some items."""


def _without_intervals(results: Sequence[Result], *_: Any) -> list[Result]:
    return list(results)


@dataclass(frozen=True)
class MomentEvidence(CountedSystems):
    """One system, whose moments were added up from parts of the data."""

    intervals: ClassVar[IntervalSettings] = staticmethod(_without_intervals)

    def describe_interval(self, interval: Bootstrap | None) -> dict[str, Any] | None:
        """Return None: there are no items to resample."""
        return None


def regression_in_parts(
    parts: Any,
    measures: Measures = None,
    columns: RegressionColumns = RegressionColumns(),  # noqa: B008 (frozen)
    *,
    interval: Bootstrap | None = None,
    rows: int = ROWS,
) -> Scores:
    """Return the scores of ``regression`` for measures of moments, from parts of the data.

    The result equals that of the whole to the last bit, in whatever parts. A file, or a sequence
    of tables, is read twice if a measure needs sums around the mean.
    """
    return sum_parts(parts, columns, rows=rows).scores(measures, interval=interval)


def sum_parts(
    parts: Any,
    columns: RegressionColumns,
    *,
    rows: int = ROWS,
    progress: Callable[..., None] = no_progress,
) -> MomentEvidence:
    """Return the sums of a file read in parts, or of several tables; rows are reported."""
    refuse_options(options_in_use(columns, _WHOLE_ONLY))
    if isinstance(parts, Iterator):
        raise UsageError("parts of the data are read twice: give a list, not an iterator")
    parts, whole = open_parts(parts), _FirstReading()
    for part in _read_parts(parts, rows, columns):
        whole.add(part)
        progress(f"{whole.count:,} rows")
    if not whole.count:
        raise no_rows()
    moments = whole.moments(lambda: _read_parts(parts, rows, columns))
    settled = {"profile": columns.profile, "missing": "error", "items": whole.count}
    inputs = input_tables(parts, "values")
    members = {columns.name: {ValueMoments: moments}}
    return MomentEvidence("regression", NEEDS, members, settled, (LEFT_OUT,), inputs)


def _read_parts(parts: Any, rows: int, columns: RegressionColumns) -> Iterator[Numbers]:
    """Yield the true and the predicted numbers of each part."""
    predicted = single_column(columns.system_columns["predicted"])
    for part in read_tables(parts, rows, columns.needed):
        table = read_table(part, "the values")
        given = SystemInput(columns.name, table, {"predicted": predicted})
        values = read_values(given, columns).table
        yield {name: finite_numbers(values, name) for name in COLUMNS}


@dataclass
class _FirstReading:
    """The sums that need no means; few items are kept, since they are sorted where all are read."""

    count: int = 0
    kept: list[Numbers] = field(default_factory=list)
    ends: dict[str, ColumnEnds] = field(default_factory=dict)
    sums: RunningSums = field(default_factory=RunningSums)

    def add(self, part: Numbers) -> None:
        """Add the items of a part."""
        self.count += len(part["truth"])
        self.kept.append(part)
        if self.count > MOST_SORTED_AT_ONCE:
            for each in self.kept:
                self._add_up(each)
            self.kept = []

    def _add_up(self, part: Numbers) -> None:
        if not len(part["truth"]):
            return
        for name in COLUMNS:
            found = ColumnEnds(float(part[name].min()), float(part[name].max()))
            self.ends[name] = self.ends.get(name, found) + found
            if self.ends[name].scale > 1:
                raise _refuse_size(self.ends[name])
        self.sums.add(plain_terms(part))

    def moments(self, read: Callable[[], Iterator[Numbers]]) -> ValueMoments:
        """Return the moments; the parts are read again for sums around the means."""
        if self.kept:
            joined = {name: np.concatenate([each[name] for each in self.kept]) for name in COLUMNS}
            pairs = build_value_pairs(Values.of(pl.DataFrame(joined), Source("the values")))
            return replace(pairs.moments, pairs=None)
        for each in self.ends.values():
            if each.scale != 1:
                raise _refuse_size(each)

        def find_centered(terms: CenteredTerms) -> Mapping[str, float]:
            """Return the sums around the means."""
            sums, count = RunningSums(), 0
            for part in read():
                sums.add(terms(part))
                count += len(part["truth"])
            if count != self.count:
                raise DataError(
                    f"the data had {self.count:,} rows when it was read first, and {count:,} when"
                    " it was read again; evaluate it once it no longer changes"
                )
            return sums.rounded()

        return LazyMoments.over(
            SummedMoments(self.count, self.ends, self.sums.rounded(), find_centered)
        )


def _refuse_size(ends: ColumnEnds) -> UsageError:
    return UsageError(
        f"numbers from {ends.low:g} to {ends.high:g} are scaled by the largest before they are"
        " squared, for which all rows are read at once: leave `engine=streaming` out"
    )
