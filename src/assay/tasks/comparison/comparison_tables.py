"""The tables of a comparison: pairs with corrected p-values, and systems with their letters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.definition import Ratio
from assay.engine.scores import ALL
from assay.statistics.corrections import adjust_p_values
from assay.statistics.differences.contrasts import Contrasts
from assay.statistics.differences.pair_statistics import PAIR_COLUMNS, cluster_codes
from assay.statistics.differences.table_contrasts import system_interval
from assay.statistics.differences.table_sample import ABSENT, TableSample
from assay.statistics.differences.unit_values import Sample
from assay.statistics.intervals.interval_settings import Bootstrap, Interval
from assay.statistics.intervals.ratio_intervals import ratio_interval
from assay.statistics.intervals.unit_intervals import applicable_method, mean_ends
from assay.statistics.intervals.zero_width import NO_INTERVAL, all_equal
from assay.statistics.paired.folds import CORRECTED, FOLD_TESTS
from assay.statistics.significance_letters import compact_letters
from assay.tasks.comparison.comparison_plan import ComparisonPlan

_FAMILY_KEYS = {"systems": ["measure"], "measures": ["baseline", "system"], "all": []}


def pair_table(
    found: Sequence[Contrasts], test: str, correct: str, family: str, level: float
) -> pl.DataFrame:
    """A row for each measure, slice and pair; the whole and the slices are families apart."""
    frames = [_rows(each, test) for each in found]
    frame = pl.concat(frames) if frames else pl.DataFrame()
    p = frame["p"].to_numpy()
    keys = frame.select(pl.col("slice") == ALL, *_FAMILY_KEYS[family])
    corrected = np.full(len(p), np.nan)
    alike: dict[tuple[object, ...], list[int]] = {}
    for row, key in enumerate(keys.iter_rows()):
        alike.setdefault(key, []).append(row)
    for rows in alike.values():
        corrected[rows] = adjust_p_values(p[rows], correct)
    place = frame.columns.index("p") + 1
    frame = frame.insert_column(place, pl.Series("p_corrected", corrected))
    return frame.insert_column(place + 1, pl.Series("significant", corrected < level))


def _rows(each: Contrasts, test: str) -> pl.DataFrame:
    names = np.asarray(each.sample.systems, dtype=object)
    counts = ("units", "wins", "ties", "losses")
    frame = pl.DataFrame(
        {
            "measure": pl.Series([each.sample.measure] * len(each.first), dtype=pl.String),
            "slice": pl.Series([each.slice] * len(each.first), dtype=pl.String),
            "baseline": pl.Series(names[each.first].tolist(), dtype=pl.String),
            "system": pl.Series(names[each.second].tolist(), dtype=pl.String),
            **{fact: each.columns[fact] for fact in PAIR_COLUMNS},
        }
    )
    frame = frame.with_columns(pl.col(counts).fill_nan(None).cast(pl.Int64))
    tests = each.tests or [test] * len(each.first)
    place = frame.columns.index("high") + 1
    frame = frame.insert_column(place, pl.Series("interval", each.intervals, dtype=pl.String))
    place = frame.columns.index("statistic")
    return frame.insert_column(place, pl.Series("test", tests, dtype=pl.String))


def joint_table(found: Iterable[Contrasts]) -> pl.DataFrame:
    """A row for each measure and slice whose systems were tested all together."""
    rows = [
        {
            "measure": each.sample.measure,
            "slice": each.slice,
            "test": each.joint.omnibus,
            "statistic": each.joint.statistic,
            "p": each.joint.p,
        }
        for each in found
        if each.joint is not None
    ]
    return pl.DataFrame(rows)


def system_table(
    samples: Iterable[Sample | TableSample],
    pairs: pl.DataFrame,
    plan: ComparisonPlan,
) -> pl.DataFrame:
    """A row for each measure and system, best first."""
    frames = []
    for each in samples:
        own = pl.DataFrame([_row(each, place, plan) for place in range(len(each.systems))])
        value = own["value"].to_numpy()
        order = np.argsort(-each.sign * np.where(np.isnan(value), -np.inf, value), kind="stable")
        letters = [""] * len(order) if plan.baselines else _letters(each, pairs, order.tolist())
        frames.append(own[order.tolist()].with_columns(pl.Series("letters", letters)))
    return pl.concat(frames)


def _row(each: Sample | TableSample, place: int, plan: ComparisonPlan) -> dict[str, Any]:
    """One system over its own units."""
    if isinstance(each, TableSample):
        value, ends, units = _table_row(each, place, plan.interval)
    else:
        value, ends, units = _mean_row(each, place, plan)
    return {
        "measure": each.measure,
        "system": each.systems[place],
        "value": value,
        "low": ends.low,
        "high": ends.high,
        "interval": ends.method,
        "units": units,
        "better": each.better,
    }


def _table_row(each: TableSample, place: int, interval: Bootstrap) -> tuple[float, Interval, int]:
    own = each.where(each.cells[:, place] != ABSENT)
    return each.value(place), system_interval(each, place, interval), len(own)


def _mean_row(each: Sample, place: int, plan: ComparisonPlan) -> tuple[float, Interval, int]:
    interval = plan.interval
    own = each.where(~np.isnan(each.values[:, place]))
    if not len(own):
        return np.nan, Interval(np.nan, np.nan, ""), 0
    value = float(own.means()[place])
    if each.tables is not None and interval.clusters is None:
        # The same draws as in the task, so that one number has one interval.
        return value, system_interval(each.tables, place, interval), len(own)
    clusters = cluster_codes(own, interval)
    if clusters is None and (plan.test in FOLD_TESTS or each.unit_kind == "fold"):
        return value, _over_folds(own, place, plan), len(own)
    if each.unit_kind == "item" or all_equal(own.values[:, place]):
        weights = np.ones(len(own)) if own.weights is None else own.weights
        parts = Ratio(weights * own.values[:, place], weights)
        return value, ratio_interval(parts, interval, clusters, each.bounds), len(own)
    values = np.ascontiguousarray(own.weighted()[:, place])[:, None]
    low, high = mean_ends(values, interval, clusters, each.bounds)
    method = applicable_method(values[:, 0], interval, clusters, each.bounds)
    return value, Interval(float(low[0]), float(high[0]), method), len(own)


def _over_folds(own: Sample, place: int, plan: ComparisonPlan) -> Interval:
    """The interval of a mean over folds, which share items to learn from."""
    column = own.weighted()[:, place]
    if all_equal(column):
        return NO_INTERVAL
    setup = replace(plan.setup, units=own.units)
    low, high = CORRECTED.ends(column[:, None], setup, plan.interval.confidence)
    ends = np.clip((low[0], high[0]), *own.bounds)
    return Interval(float(ends[0]), float(ends[1]), CORRECTED.said)


def _letters(each: Sample | TableSample, pairs: pl.DataFrame, order: list[int]) -> list[str]:
    rows = pairs.filter((pl.col("measure") == each.measure) & (pl.col("slice") == ALL))
    place = {each.systems[system]: at for at, system in enumerate(order)}
    differ = np.zeros((len(order), len(order)), dtype=bool)
    told = rows.filter(pl.col("significant"))
    for first, second in zip(told["baseline"].to_list(), told["system"].to_list(), strict=True):
        differ[place[first], place[second]] = differ[place[second], place[first]] = True
    return compact_letters(differ)
