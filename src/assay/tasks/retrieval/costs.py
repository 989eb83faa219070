"""Cost beside quality: what each run costs per query, and which runs no other beats on both.

A cost is one more column of the Scores, of which less is better, so that tables, comparisons and
saved scores have it like any measure.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats, exact_mean
from assay.core.errors import DataError, UsageError, did_you_mean
from assay.core.names import listed_measures
from assay.core.tables import Source, cast_column
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.formats import containers
from assay.formats.extra_columns import extra_column
from assay.formats.system_names import file_stem
from assay.statistics.intervals.interval_ends import add_interval, all_equal
from assay.statistics.intervals.interval_settings import NO_INTERVAL
from assay.statistics.intervals.unit_intervals import Bootstrap, mean_intervals

COST = "cost"
"""The convention that names the cost among the measures of Scores."""
FRONT = "front"
"""The convention that names, for each measure, the systems on the Pareto front."""
_NO_COST = "no cost is given"


def pareto_front(quality: Floats, cost: Floats) -> Bools:
    """Which are on the front: no other is at least as good and as cheap, and better in one."""
    better = (quality[:, None] >= quality[None, :]) & (cost[:, None] <= cost[None, :])
    strictly = (quality[:, None] > quality[None, :]) | (cost[:, None] < cost[None, :])
    beaten: Bools = np.any(better & strictly, axis=0)
    known: Bools = ~(np.isnan(quality) | np.isnan(cost))
    return ~beaten & known


@dataclass(frozen=True)
class Costs:
    """What systems cost, as a table of system, cost, and perhaps query says it."""

    name: str
    table: pl.DataFrame
    source: str

    def of(
        self, system: str, file: str | None, units: Sequence[str], interval: Bootstrap | None
    ) -> Result:
        """The cost of one system as a result, of the given queries where it is known by query."""
        own = self._rows(system, file)
        if not own.height:
            known = sorted(self.table["system"].drop_nulls().unique().to_list())
            hint = did_you_mean(system, known) or f" There are costs for {', '.join(known)}."
            raise DataError(f"{self.source}: there is no cost for {system}.{hint}")
        by_query = "query" in own.columns
        names = tuple(units) if by_query else (ALL,)
        given = dict(own.select("query", "cost").iter_rows()) if by_query else {}
        values = np.asarray(
            [given.get(unit, math.nan) for unit in names] if by_query else own["cost"].to_list()
        )
        found = Result(
            system=system,
            slice=ALL,
            measure=self.name,
            units=names,
            values=values,
            reasons=tuple(_NO_COST if gap else None for gap in np.isnan(values).tolist()),
            value=exact_mean(values[~np.isnan(values)].tolist()),
            aggregate="mean" if by_query else "whole",
            unit_kind="query" if by_query else "system",
            better="lower",
        )
        return _format_interval(found, interval) if by_query and interval else found

    def _rows(self, system: str, file: str | None) -> pl.DataFrame:
        """The costs of a system under its name, or else under that of the file it came from."""
        by_file = () if file is None else (file, Path(file).name, file_stem(file))
        for name in (system, *by_file):
            own = self.table.filter(pl.col("system") == name)
            if own.height:
                return own
        return self.table.clear()


def _format_interval(result: Result, interval: Bootstrap) -> Result:
    column = result.values[~np.isnan(result.values)]
    if not len(column):
        return result
    if all_equal(column):
        return add_interval(result, NO_INTERVAL)
    chosen = replace(interval, method="expanded") if interval.method == "wilson" else interval
    low, high, method = mean_intervals(column[:, None], chosen, None, (0.0, math.inf))[0]
    return replace(result, low=low, high=high, interval=method)


TABLES = (".csv", ".tsv", ".json", ".jsonl", ".parquet")
"""Endings of files, in which a column is hardly called."""


def read_costs(given: Any, systems: Sequence[str], runs: Any) -> Costs:
    """Costs from a table (a file or a frame), or from a column of the runs that has that name.

    A file that is there, a path to one that is not, and whatever is no text is a table.
    """
    if isinstance(given, str) and not Path(given).is_file() and Path(given).suffix not in TABLES:
        listed = runs if isinstance(runs, Sequence) and not isinstance(runs, str) else [runs]
        if isinstance(runs, Mapping) and len(runs) == len(systems):
            listed = list(runs.values())
        return _costs_from_runs(given, list(zip(systems, listed, strict=True)))
    return _costs_from_table(given)


def _costs_from_table(given: Any) -> Costs:
    table, source = containers.to_frame(given, "costs")
    name = _cost_column(table, source)
    costs = _check_costs(table[name], source)
    keys = [key for key in ("system", "query") if key in table.columns]
    columns = {key: cast_column(table[key], pl.String(), source) for key in keys}
    frame = pl.DataFrame(columns | {"cost": costs})
    return Costs(name, frame.group_by(keys, maintain_order=True).mean(), source.name)


def _cost_column(table: pl.DataFrame, source: Source) -> str:
    """The column called cost, or the only one that names neither the system nor the query."""
    others = [name for name in table.columns if name not in ("system", "query")]
    if "system" in table.columns and (COST in others or len(others) == 1):
        return COST if COST in others else others[0]
    missing = "system" if "system" not in table.columns else COST
    raise DataError(
        f"{source.name}: there is no column '{missing}' among {', '.join(table.columns)};"
        " costs are: system, cost, and perhaps query." + did_you_mean(missing, table.columns)
    )


def _check_costs(given: pl.Series, source: Source, empty: bool = False) -> pl.Series:
    """Costs as numbers from 0, or a complaint about the first that is none."""
    numbers = cast_column(given, pl.Float64(), source)
    bad = (numbers.is_null() | ~numbers.is_finite() | (numbers < 0)).fill_null(True)
    rows = (bad & given.is_not_null() if empty else bad).arg_true()
    if len(rows):
        row = int(rows[0])
        found = f"the cost is '{given[row]}'"
        raise DataError(f"{source.place(row)}: {found}, but a number from 0 is expected")
    return numbers


def _costs_from_runs(column: str, runs: Sequence[tuple[str, Any]]) -> Costs:
    parts = []
    for system, run in runs:
        rows, source = extra_column(run, column)
        rows = rows.with_columns(
            value=_check_costs(rows["value"], source, empty=True)
        ).with_row_index()
        said = rows.drop_nulls("value")
        first = said.group_by("query", maintain_order=True).agg(pl.col("value").first())
        beside = said.join(first, on="query", how="left", maintain_order="left")
        other = beside.filter(pl.col("value") != pl.col("value_right"))
        if other.height:
            row, query, value, before = other.row(0)
            raise DataError(
                f"{source.place(row)}: the {column} of query {query} is {value:g}, but {before:g}"
                " above; a run carries one cost a query, the same on all its rows or on one"
            )
        parts.append(first.select(pl.lit(system).alias("system"), "query", cost="value"))
    name = f"column {column}" if column.isdecimal() else column
    return Costs(name, pl.concat(parts), "the runs")


def add_costs(scores: Scores, costs: Costs, interval: Bootstrap | None) -> Scores:
    """Return the scores with the costs as one more column, and with the front of each measure."""
    units = {each.system: each.units for each in scores.results if each.unit_kind == "query"}
    files: Mapping[str, str] = scores.conventions.get("sources") or {}
    found = [
        costs.of(name, files.get(name), units.get(name, ()), interval) for name in scores.systems
    ]
    conventions = scores.conventions | {COST: costs.name}
    joined = replace(scores, results=(*scores.results, *found), conventions=conventions)
    fronts = {
        each: [row[0] for row in quality_and_cost(joined, [each]).iter_rows() if row[-1]]
        for each in scores.measures
    }
    return replace(joined, conventions=conventions | {FRONT: fronts})


def quality_and_cost(scores: Scores, measures: Any = None) -> pl.DataFrame:
    """Each system, cheapest first: its quality, its cost, and on the front of which measures.

    With one measure the last column only says whether.
    """
    if COST not in scores.conventions:
        raise UsageError("these scores have no costs; give them with assay.retrieval(…, cost=)")
    name = scores.conventions[COST]
    cost = np.asarray([each.value for each in scores.of(name)])
    asked = [scores.find_measure(each) for each in listed_measures(measures or scores.measures)]
    asked = [each for each in asked if each != name]
    columns: dict[str, Any] = {"system": [each.system for each in scores.of(name)]}
    on_front = {}
    for each in asked:
        results = scores.of(each)
        quality = np.asarray([result.value for result in results])
        columns[each] = quality
        if results[0].better != "neither":
            lower = results[0].better == "lower"
            on_front[each] = pareto_front(-quality if lower else quality, cost)
    columns[name] = cost
    if len(asked) == 1 and on_front:
        columns[FRONT] = on_front[asked[0]]
    elif on_front:
        of = zip(*on_front.values(), strict=True)
        columns[FRONT] = [
            ", ".join(n for n, on in zip(on_front, row, strict=True) if on) for row in of
        ]
    return pl.DataFrame(columns).sort(name, "system")


def measures_with_cost(scores: Scores, asked: list[str] | None) -> list[str] | None:
    """Return the measures asked for and the cost, if the scores have one; None for all."""
    name = scores.conventions.get(COST)
    return asked if asked is None or name is None or name in asked else [*asked, name]
