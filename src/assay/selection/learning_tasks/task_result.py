"""What every learning task returns: the scores of its learners, their comparison, tables, notes."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import wraps
from typing import Any, ClassVar, ParamSpec, TypeVar

import numpy as np
import polars as pl

from assay.core.arguments import LEARNING_NAMES, explains_arguments
from assay.core.arrays import Bools, Floats
from assay.core.definition import Ratio
from assay.core.errors import AssayError, DataError, PluginWarning, UsageError, unknown_name
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.core.tables import Source
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.selection.learning_tasks.item_table import ItemTable
from assay.selection.learning_tasks.subsampling import DependentMean
from assay.selection.splits.split_items import split_items
from assay.statistics.intervals.interval_settings import TOO_FEW, UNBOUNDED, Interval
from assay.statistics.intervals.ratio_intervals import ratio_interval
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.classification import classification
from assay.tasks.comparison.comparison import compare
from assay.tasks.comparison.comparison_result import Comparison
from assay.tasks.evidence import Measures
from assay.tasks.inputs.table_columns import row_slices
from assay.tasks.regression.regression import regression
from assay.version import VERSION

SHOWN = ("system", "measure", "value", "low", "high", "units", "undefined", "reasons", "interval")
"""The columns of a summary that are shown."""


@dataclass(frozen=True, repr=False, kw_only=True, eq=False)
class TaskResult(Printable):
    """The evaluation of the learners of a task."""

    title: ClassVar[str] = "Learning"
    systems: ClassVar[str] = "learners"
    """What is evaluated: the title of the first table."""

    scores: Scores
    """The learners as systems, with intervals and slices."""
    comparison: Comparison | None = None
    """The differences between the learners, with intervals and tests."""
    tables: Mapping[str, pl.DataFrame] = field(default_factory=dict)
    notes: tuple[str, ...] = ()


EMITTED = (PluginWarning, DeprecationWarning, FutureWarning)
"""Warnings that are not about the data."""
Given = ParamSpec("Given")
Found = TypeVar("Found", bound=TaskResult)


def learning_task(task: Callable[Given, Found]) -> Callable[Given, Found]:
    """Return the task with other names of its arguments, and warnings of learners among its notes.

    Warnings about the code are emitted again.
    """
    task = explains_arguments(task, LEARNING_NAMES)

    @wraps(task)
    def run(*given: Given.args, **options: Given.kwargs) -> Found:
        """Run the task."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = task(*given, **options)
        places: dict[tuple[str, int], list[str]] = {}
        for each in caught:
            if issubclass(each.category, EMITTED):
                warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
            elif issubclass(each.category, (RuntimeWarning, UserWarning)):
                places.setdefault((each.filename, each.lineno), []).append(str(each.message))
        notes = dict.fromkeys(
            f"a learner warned {quantity(len(said), 'time')}: {' '.join(said[0].split())}"
            for said in places.values()
        )
        return replace(result, notes=(*result.notes, *notes))

    return run


@dataclass(frozen=True)
class ItemMeasure:
    """A measure that is a mean over items: the value of each item by system."""

    measure: str
    values: Mapping[str, Floats]
    better: str = "higher"
    bounds: tuple[float, float] = UNBOUNDED
    reason: str = "undefined"
    """Why the value of an item is undefined, where it is NaN."""
    dependent: Mapping[str, DependentMean] | None = None
    """By system, what gives the interval where the values of items depend on each other."""


def mean_interval(
    values: Floats, used: Bootstrap | None, bounds: tuple[float, float] = UNBOUNDED
) -> Interval:
    """Return the interval of the mean of independent values; none where none is asked for."""
    if used is None:
        return Interval(np.nan, np.nan, "")
    if len(values) < 2:
        return Interval(np.nan, np.nan, TOO_FEW if len(values) else "")
    low, high, name = ratio_interval(Ratio(values, np.ones(len(values))), used, bounds=bounds)
    return Interval(float(np.clip(low, *bounds)), float(np.clip(high, *bounds)), name)


def unit_scores(
    columns: Sequence[ItemMeasure],
    items: Sequence[str],
    slices: Mapping[str, pl.Series] | None = None,
    interval: Bootstrap | None = None,
) -> Scores:
    """Return Scores of values per item, with intervals of their means, over all and by slice."""
    results = [
        _result(column, system, name, rows, items, interval)
        for name, rows in slice_rows(slices or {}, len(items)).items()
        for column in columns
        for system in column.values
    ]
    described = {} if interval is None else {"interval": interval.description}
    return Scores("table", tuple(results), {"assay": VERSION, **described})


def _result(
    column: ItemMeasure,
    system: str,
    name: str,
    rows: Bools,
    items: Sequence[str],
    used: Bootstrap | None,
) -> Result:
    values = column.values[system][rows]
    defined = values[~np.isnan(values)]
    mean = float(np.mean(defined)) if len(defined) else np.nan
    if column.dependent is not None and used is not None and len(defined) > 1:
        low, high, method = column.dependent[system].interval(rows, used)
    else:
        low, high, method = mean_interval(defined, used, column.bounds)
    return Result(
        system,
        name,
        column.measure,
        tuple(item for item, kept in zip(items, rows, strict=True) if kept),
        values,
        tuple(column.reason if np.isnan(each) else None for each in values.tolist()),
        mean,
        "mean",
        "item",
        column.better,
        low,
        high,
        method,
    )


def slice_rows(slices: Mapping[str, pl.Series], size: int) -> dict[str, Bools]:
    """Return the items of each slice, after all of them."""
    parts = row_slices(pl.DataFrame(dict(slices)), Source("the data"), list(slices))
    return {ALL: np.ones(size, dtype=np.bool_)} | {k: v.to_numpy() for k, v in parts.items()}


def score_predictions(
    table: ItemTable,
    predictions: Mapping[str, Any],
    measures: Measures = None,
    *,
    scores: Mapping[str, Any] | None = None,
    positive: Any = None,
    interval: Bootstrap | None = Bootstrap(),  # noqa: B008 (frozen)
) -> Scores:
    """Return the scores of what learners predict for the items of a table."""
    given: dict[str, Any] = {"item": table.items, "by": dict(table.slices or {})}
    given |= {"interval": interval, "name": next(iter(predictions or scores or {}), "")}
    if table.task == "regression":
        named = measures or "RMSE MAE R2"
        return explain_single_items(regression(table.truth, dict(predictions), named, **given))
    made = classification(
        table.truth,
        dict(predictions) or None,
        measures or "ACC BA",
        y_score=None if scores is None else dict(scores),
        positive=positive,
        **given,
    )
    return explain_single_items(made)


def explain_single_items(scores: Scores) -> Scores:
    """Return the scores; a mean of one item says that this is too few for an interval."""

    def explain(each: Result) -> Result:
        """Name the reason where an interval was asked for."""
        single = each.unit_kind == "item" and np.count_nonzero(~np.isnan(each.values)) == 1
        return replace(each, interval=TOO_FEW) if single and np.isnan(each.low) else each

    if not scores.conventions.get("interval"):
        return scores
    return replace(scores, results=tuple(explain(each) for each in scores.results))


def compare_learners(
    scores: Scores,
    measure: str,
    baseline: str | None,
    seed: int,
    interval: Bootstrap | None,
) -> tuple[Comparison | None, list[str]]:
    """Return the comparison of the learners by one measure, and why there is none.

    Differences always have an interval, that of their test.
    """
    if len(scores.of(measure)) < 2:
        return None, []
    try:
        used = interval or Bootstrap()
        return compare(scores, [measure], baseline=baseline, seed=seed, interval=used), []
    except AssayError as failure:
        return None, [f"the learners are not compared: {failure}"]


def split_rows(
    table: ItemTable, test_share: float, seed: int, groups: pl.Series | None = None
) -> tuple[Any, Any]:
    """Return the rows to train on and to test on.

    Classes keep their shares; of ``groups``, such as queries, each is in one of the two parts.
    """
    if not 0 < test_share < 1:
        raise UsageError(f"`test_share` is {test_share:g}: a share between 0 and 1 is expected")
    percent = (100 * (1 - test_share), 100 * test_share)
    by_class = groups is None and table.target is not None and table.task == "classification"
    kept = {"group" if groups is not None else "stratum": "key"}
    key = table.target.fill_null("") if table.target is not None and by_class else groups
    column = [""] * len(table) if key is None else key.to_list()
    try:
        made = split_items({"key": column}, shares=percent, seed=seed, **kept).frame
    except UsageError:
        raise DataError(
            f"{table.source.name}: with `test_share` {test_share:g}, none of"
            f" {quantity(len(table), 'item')} is left to train on, or none to test: add items, or"
            " choose another share"
        ) from None
    tested = np.sort(made.filter(split="test")["item"].cast(pl.Int64).to_numpy() - 1)
    return np.setdiff1d(np.arange(len(table)), tested), tested


def choose_names(
    asked: Sequence[str] | str | None, known: Mapping[str, Any], what: str
) -> list[str]:
    """Return the names that were asked for, by default all; an unknown one is refused."""
    if asked is None:
        return list(known)
    listed = asked.split(",") if isinstance(asked, str) else list(asked)
    for name in listed:
        if name not in known:
            raise unknown_name(what, name, known)
    if not listed:
        raise UsageError(f"give at least one {what}: {', '.join(known)}")
    return list(dict.fromkeys(listed))


def read_shares(shares: Sequence[float], name: str) -> list[float]:
    """Return shares in their order, each once."""
    found = sorted({float(each) for each in shares})
    if not found or not all(0 <= each < 1 for each in found):
        listed = ", ".join(f"{each:g}" for each in found)
        raise UsageError(f"`{name}` is {listed or 'empty'}: shares from 0 to below 1 are expected")
    return found


def summary_rows(scores: Scores, **fixed: Any) -> pl.DataFrame:
    """Return the summary of scores over all items, with fixed columns before it."""
    rows = scores.summary().filter(slice=ALL)
    added = [pl.lit(value).alias(name) for name, value in fixed.items()]
    return rows.select(*added, *SHOWN)
