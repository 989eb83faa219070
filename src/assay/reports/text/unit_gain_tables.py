"""Unit by unit: where a system gains and loses most, and how measures agree, as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import unknown_name
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.statistics.differences.effect_sizes import largest_gains_and_losses, pearson_of_units
from assay.tasks.comparison.comparison import compare
from assay.tasks.comparison.comparison_result import Comparison


def gain_tables(
    comparison: Comparison | Scores,
    measure: Any = None,
    *,
    system: str | None = None,
    baseline: str | None = None,
    most: int = 10,
) -> pl.DataFrame:
    """Return the units with the largest gains and losses of each pair, largest first.

    A gain is an improvement, whichever direction the measure has. ``measure``, ``system`` and
    ``baseline`` choose the pairs; by default all are shown. Scores are compared first.

    >>> import assay
    >>> qrels = {"q1": {"a": 1}, "q2": {"a": 1}}
    >>> one, two = ({q: {"a": a, "b": 1.0} for q, a in zip(qrels, n)} for n in ((2, 2), (2, 0)))
    >>> scores = assay.retrieval(qrels, {"one": one, "two": two}, "AP")
    >>> assay.gain_tables(assay.compare(scores, baseline="one"))["unit"].to_list()
    ['q2']
    """
    if isinstance(comparison, Scores):
        comparison = compare(comparison, measure, baseline=baseline)
    samples = comparison.samples
    rows = []
    measure = None if measure is None else comparison.find_measure(measure)
    systems = comparison.systems["system"].unique(maintain_order=True).to_list()
    for given in (system, baseline):
        if given is not None and given not in systems:
            raise unknown_name("system", given, systems)
    every = comparison.pairs.filter(pl.col("slice") == ALL)
    for name, sample in samples.items() if measure is None else [(measure, samples[measure])]:
        place = {each: column for column, each in enumerate(sample.systems)}
        pairs = every.filter(pl.col("measure") == name).select("baseline", "system").rows()
        for base, other in _turned(pairs, system, baseline):
            before, after = (sample.values[:, place[each]] for each in (base, other))
            difference = after - before
            shown = np.where(np.isnan(difference), 0.0, sample.sign * difference)
            for kind, chosen in zip(
                ("gain", "loss"), largest_gains_and_losses(shown, most), strict=True
            ):
                for unit in chosen.tolist():
                    numbers = (float(each[unit]) for each in (before, after, difference))
                    rows.append((name, other, base, kind, sample.units[unit], *numbers))
    names = ["measure", "system", "baseline", "kind", "unit"]
    schema: dict[str, type[pl.DataType]] = dict.fromkeys(names, pl.String)
    floats = ["baseline_value", "value", "difference"]
    return pl.DataFrame(rows, schema=schema | dict.fromkeys(floats, pl.Float64), orient="row")


def _turned(
    pairs: Iterable[tuple[str, str]], system: str | None, baseline: str | None
) -> Iterator[tuple[str, str]]:
    """Yield the pairs of a baseline and a system that are requested, the other way if need be."""
    for pair in pairs:
        for base, other in (pair, pair[::-1]):
            if system in (None, other) and baseline in (None, base):
                yield base, other
                break


def measure_correlations(comparison: Comparison) -> pl.DataFrame:
    """How far each two measures agree: over systems and units, and over the means of systems."""
    rows = []
    listed = list(comparison.samples.values())
    for at, first in enumerate(listed):
        for second in listed[at + 1 :]:
            if first.units != second.units or first.systems != second.systems:
                continue
            by_unit = pearson_of_units(first.values.ravel(), second.values.ravel())
            known = ~(np.isnan(first.values) | np.isnan(second.values)).any(axis=1)
            means = [each.values[known].mean(axis=0) for each in (first, second)]
            rows.append(
                (
                    first.measure,
                    second.measure,
                    by_unit,
                    pearson_of_units(*means),
                    _tau_text(*means),
                )
            )
    schema: dict[str, type[pl.DataType]] = {"measure": pl.String, "other": pl.String}
    numbers = ["r_units", "r_systems", "tau_systems"]
    return pl.DataFrame(rows, schema=schema | dict.fromkeys(numbers, pl.Float64), orient="row")


def _tau_text(first: Floats, second: Floats) -> float:
    from scipy.stats import kendalltau

    return float(kendalltau(first, second).statistic) if len(first) > 1 else float("nan")
