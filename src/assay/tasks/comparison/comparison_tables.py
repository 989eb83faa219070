"""The tables of a comparison: pairs with corrected p-values, systems with letters and ranks."""

from __future__ import annotations

import string
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Bools
from assay.core.closed_form_intervals import MANY_ITEMS
from assay.core.definition import Ratio
from assay.core.errors import AssayError
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.statistics.corrections import adjust_p_values
from assay.statistics.differences.contrasts import NAME_COLUMNS, PAIR_COLUMNS, Contrasts
from assay.statistics.differences.paired_samples import pair_systems
from assay.statistics.differences.samples import Sample, TableSample, UnitSample
from assay.statistics.differences.table_distributions import TableDistributions
from assay.statistics.intervals.interval_ends import (
    Ends,
    all_equal,
    by_cluster,
    normal_draws,
    nowhere,
    rank_ends,
    resampled_means,
)
from assay.statistics.intervals.interval_settings import (
    NO_INTERVAL,
    OVER_CLUSTERS,
    Bootstrap,
    Interval,
)
from assay.statistics.intervals.jackknife import jackknife_interval
from assay.statistics.intervals.ratio_intervals import ratio_interval
from assay.statistics.intervals.table_intervals import clip_to_bounds, table_interval
from assay.statistics.intervals.unit_intervals import mean_intervals
from assay.statistics.paired.folds import CORRECTED, FOLD_TESTS
from assay.statistics.significance_tests import ComparisonSettings

_FAMILY_KEYS = {"systems": ["measure"], "measures": ["baseline", "system"], "all": []}
_COUNTS = ("units", "wins", "ties", "losses")
RANK_COLUMNS = ("rank_low", "rank_high")
FEWEST_UNITS = 5
"""Resamples of fewer units differ too little: there are no ranks."""
MANY_UNITS = 5_000
"""Means of more units are drawn from their joint normal distribution: the same ranks, sooner."""


def pair_table(contrasts: Sequence[Contrasts], settings: ComparisonSettings) -> pl.DataFrame:
    """Return a row for each measure, slice and pair; the slices are a family of their own."""
    frame = pl.concat([_pair_rows(each) for each in contrasts])
    p, corrected = frame["p"].to_numpy(), np.full(len(frame), np.nan)
    keys = frame.select(pl.col("slice") == ALL, *_FAMILY_KEYS[settings.family])
    families: dict[tuple[object, ...], list[int]] = {}
    for row, key in enumerate(keys.iter_rows()):
        families.setdefault(key, []).append(row)
    for rows in families.values():
        corrected[rows] = adjust_p_values(p[rows], settings.correct)
    place = frame.columns.index("p") + 1
    frame = frame.insert_column(place, pl.Series("p_corrected", corrected))
    return frame.insert_column(place + 1, pl.Series("significant", corrected < settings.level))


def _pair_rows(contrasts: Contrasts) -> pl.DataFrame:
    systems = contrasts.sample.systems
    frame = pl.DataFrame(
        {
            "measure": [contrasts.sample.measure] * len(contrasts.first),
            "slice": [contrasts.slice] * len(contrasts.first),
            "baseline": [systems[place] for place in contrasts.first],
            "system": [systems[place] for place in contrasts.second],
            **{name: contrasts.columns[name].tolist() for name in PAIR_COLUMNS},
        },
        schema={
            **dict.fromkeys(("measure", "slice", "baseline", "system"), pl.String),
            **{name: pl.String if name in NAME_COLUMNS else pl.Float64 for name in PAIR_COLUMNS},
        },
    )
    return frame.with_columns(pl.col(_COUNTS).fill_nan(None).cast(pl.Int64))


def joint_table(contrasts: Iterable[Contrasts]) -> pl.DataFrame:
    """Return a row for each measure and slice whose systems were tested jointly."""
    rows = [
        {
            "measure": each.sample.measure,
            "slice": each.slice,
            "test": each.joint.omnibus,
            "statistic": each.joint.statistic,
            "p": each.joint.p,
        }
        for each in contrasts
        if each.joint is not None
    ]
    return pl.DataFrame(rows)


def system_table(
    samples: Iterable[UnitSample | TableSample], pairs: pl.DataFrame, settings: ComparisonSettings
) -> pl.DataFrame:
    """Return a row for each measure and system, best first."""
    frames = []
    for sample in samples:
        rows = [_system_row(sample, place, settings) for place in range(len(sample.systems))]
        value = np.asarray([row["value"] for row in rows])
        order = np.argsort(-sample.sign * np.where(np.isnan(value), -np.inf, value), kind="stable")
        letters = (
            [""] * len(rows) if settings.baselines else _letters(sample, pairs, order.tolist())
        )
        ends = zip(RANK_COLUMNS, system_ranks(sample, settings.interval), strict=True)
        ranks = [pl.Series(name, each).fill_nan(None).cast(pl.Int64) for name, each in ends]
        frame = pl.DataFrame(rows).with_columns(ranks)[order.tolist()]
        frames.append(frame.with_columns(pl.Series("letters", letters)))
    return pl.concat(frames)


def system_ranks(sample: UnitSample | TableSample, interval: Bootstrap) -> Ends:
    """Return the least and the largest rank of each system over resampled units, 1 for the best.

    Units that every system has are drawn for all systems together. NaN where there are fewer than
    two systems or resamples, few units, or too many items.
    """
    own = sample.where(sample.complete) if sample.absent.any() else sample
    few = min(len(own.systems), interval.resamples) < 2 or len(own) < FEWEST_UNITS
    if few or own.unit_kind == "fold":  # Folds share training items: resamples are too alike.
        return nowhere(len(own.systems))
    clusters, units = own.clusters(interval), len(own)
    if isinstance(own, TableSample):
        drawn = TableDistributions(own, interval).joint_draws()
    elif units > MANY_UNITS:
        columns = own.weighted_values()
        means = columns.mean(axis=0)
        drawn = normal_draws(means, by_cluster(columns - means, clusters) / units, interval)
    else:
        drawn = resampled_means(own.weighted_values(), interval.resamples, interval.seed, clusters)
    size = units if clusters is None else int(clusters.max()) + 1
    return rank_ends(own.sign * drawn, size, interval.confidence)


def rank_ranges(scores: Scores, measure: str) -> dict[str, tuple[int, int]]:
    """Return the ranks of each system by a measure, with the settings of the intervals.

    Empty without intervals, for geometric means and clusters of units, with more than
    ``MANY_ITEMS`` items, which take long to pair, and where systems have no common units or items.
    """
    settings, items = scores.conventions.get("interval") or {}, scores.conventions.get("items", 0)
    results = scores.of(measure)
    if not settings or len(results) < 2 or items > MANY_ITEMS:
        return {}
    if results[0].aggregate == "geometric" or settings["method"].endswith(OVER_CLUSTERS):
        return {}
    given = {name: settings[name] for name in ("resamples", "seed") if name in settings}
    interval = Bootstrap(settings["confidence"], **given)  # The jackknife has neither.
    try:
        sample = pair_systems(scores, scores.find_measure(measure))
    except AssayError:
        return {}
    ends = zip(sample.systems, *system_ranks(sample, interval), strict=True)
    return {name: (int(low), int(high)) for name, low, high in ends if low == low}


def _system_row(
    sample: UnitSample | TableSample, place: int, settings: ComparisonSettings
) -> dict[str, Any]:
    """Return the row of one system over its own units."""
    own = sample.where(~sample.absent[:, place])
    if isinstance(sample, TableSample):
        value = sample.value(place)
        interval = _table_interval(sample, place, settings.interval)
    elif isinstance(own, UnitSample) and len(own):
        value, interval = own.value(place), _mean_interval(own, place, settings)
    else:
        value, interval = np.nan, Interval(np.nan, np.nan, "")
    return {
        "measure": sample.measure,
        "system": sample.systems[place],
        "value": value,
        "low": interval.low,
        "high": interval.high,
        "interval": interval.method,
        "units": len(own),
        "better": sample.better,
    }


def _table_interval(sample: TableSample, system: int, interval: Bootstrap) -> Interval:
    """Return the interval of one system, over its own items."""
    whole = np.nan if sample.whole is None else sample.whole[system]
    if interval.clusters is None and not np.isnan(whole):
        view = sample.views[system]
        if sample.jackknife:
            return jackknife_interval(
                sample.value(system), view, sample.formula, interval.confidence
            )
        return table_interval(sample.formula, view, interval)
    own = sample.where(~sample.absent[:, system])
    spread = TableDistributions(own, interval, [system]).single(system)
    if spread.certain:
        return NO_INTERVAL
    ends = spread.ends(interval.confidence)
    return Interval(*clip_to_bounds(sample.formula, *ends), spread.method)


def _mean_interval(own: UnitSample, place: int, settings: ComparisonSettings) -> Interval:
    interval = settings.interval
    if own.tables is not None and interval.clusters is None:
        # The same draws as in the task, so that one number has one interval.
        return _table_interval(own.tables, place, interval)
    clusters, column = own.clusters(interval), own.values[:, place]
    if clusters is None and (settings.test in FOLD_TESTS or own.unit_kind == "fold"):
        return _fold_interval(own, place, settings)
    if own.unit_kind == "item" or all_equal(column):
        weights = np.ones(len(own)) if own.weights is None else own.weights
        return ratio_interval(Ratio(weights * column, weights), interval, clusters, own.bounds)
    values = np.ascontiguousarray(own.weighted_values()[:, place])[:, None]
    return mean_intervals(values, interval, clusters, own.bounds)[0]


def _fold_interval(own: UnitSample, place: int, settings: ComparisonSettings) -> Interval:
    """Return the interval of a mean over folds, which share training items."""
    column = own.weighted_values()[:, place]
    if all_equal(column):
        return NO_INTERVAL
    low, high = CORRECTED.ends(
        column[:, None], replace(settings, units=own.units), settings.interval.confidence
    )
    ends = np.clip((low[0], high[0]), *own.bounds)
    return Interval(float(ends[0]), float(ends[1]), CORRECTED.title)


def _letters(sample: Sample, pairs: pl.DataFrame, order: Sequence[int]) -> list[str]:
    """Return the letters of the systems, in this order; none without a test."""
    own = pairs.filter((pl.col("measure") == sample.measure) & (pl.col("slice") == ALL))
    if own["p"].is_nan().all():
        return [""] * len(order)
    place = {sample.systems[system]: at for at, system in enumerate(order)}
    differ = np.zeros((len(order), len(order)), dtype=bool)
    for first, second in own.filter("significant").select("baseline", "system").iter_rows():
        differ[place[first], place[second]] = differ[place[second], place[first]] = True
    return compact_letters(differ)


def compact_letters(differ: Bools) -> list[str]:
    """Return letters for systems, best first: those that share one do not differ significantly.

    Insert and absorb: start with one group of all; each pair that differs splits every group that
    holds both; a group within another is dropped.
    """
    size = len(differ)
    groups = [frozenset(range(size))] if size else []
    for first, second in zip(*np.nonzero(np.triu(differ, 1)), strict=True):
        groups = _split(groups, int(first), int(second))
    groups.sort(key=lambda group: (min(group), sorted(group)))
    written: list[list[str]] = [[] for _ in range(size)]
    for number, group in enumerate(groups):
        for system in group:
            written[system].append(letter_name(number))
    separator = "" if len(groups) <= len(string.ascii_lowercase) else " "
    return [separator.join(each) for each in written]


def _split(groups: list[frozenset[int]], first: int, second: int) -> list[frozenset[int]]:
    whole = [group for group in groups if not {first, second} <= group]
    split = [group for group in groups if {first, second} <= group]
    parts = [group - {out} for group in split for out in (first, second)]
    kept = list(whole)
    for part in dict.fromkeys(parts):
        rivals = [*whole, *(other for other in parts if other != part)]
        if not any(part <= other for other in whole) and not any(part < other for other in rivals):
            kept.append(part)
    return kept


def letter_name(number: int) -> str:
    """Return a to z, then aa, ab and so on, as columns of a spreadsheet are named."""
    name = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        name = string.ascii_lowercase[rest] + name
    return name
