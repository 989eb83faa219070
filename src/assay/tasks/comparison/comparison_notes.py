"""Notes on a comparison: what a user should know beyond the numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
import polars as pl

from assay.core.arrays import Ints
from assay.core.phrases import quantity
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.statistics.corrections import adjust_p_values
from assay.statistics.differences.contrasts import Contrasts
from assay.statistics.differences.samples import Sample, TableSample, UnitSample
from assay.statistics.differences.table_distributions import TABLE_TESTS
from assay.statistics.significance_tests import (
    ComparisonSettings,
    joint_tests,
    paired_tests,
)


def sample_notes(scores: Scores, samples: Mapping[str, UnitSample | TableSample]) -> Iterator[str]:
    """Yield notes on units that are no sample of the summary, missing, or all equal."""
    for sample in samples.values():
        yield from summary_notes(scores, sample)
    for sample in samples.values():
        yield from sample.notes
        yield from _constant_system_notes(sample)


def summary_notes(scores: Scores, sample: Sample) -> Iterator[str]:
    """Yield notes on units that differ from what the summary of the measure is based on."""
    aggregate = scores.of(sample.measure)[0].aggregate
    if sample.unit_kind == "item" and aggregate != "sum":
        return
    if aggregate not in ("mean", "whole"):
        yield f"{sample.measure} is summarized by {aggregate}; compared is the mean of its units"
    if sample.unit_kind == "class":
        yield f"{sample.measure}: the units are classes, so classes are the sample"


def _constant_system_notes(sample: Sample) -> list[str]:
    """Return notes on systems that have the same value on every unit."""
    if not isinstance(sample, UnitSample) or len(sample) < 2:
        return []
    return [
        f"{system}: {sample.measure} is {known[0]:g} on all {len(known)} units"
        for system, column in zip(sample.systems, sample.values.T, strict=True)
        if len(known := column[~np.isnan(column)]) > 1 and (known == known[0]).all()
    ]


def difference_notes(
    contrasts: Sequence[Contrasts],
    systems: pl.DataFrame,
    pairs: pl.DataFrame,
    settings: ComparisonSettings,
) -> Iterator[str]:
    """Yield notes on the tests, on the correction, and on differences that reverse."""
    joint = settings.test in joint_tests()
    for each in contrasts:
        yield from _contrast_notes(each, settings)
    measures = systems["measure"].n_unique()
    if measures > 1 and (joint or (settings.family == "systems" and settings.correct != "none")):
        method, more = (settings.test, "") if joint else (settings.correct, "; `family=all` does")
        yield f"{method} corrects over the pairs of systems, not over the {measures} measures{more}"
    if settings.correct != "none":
        yield from _unreachable_p_value_notes(pairs, settings)
    if (pairs["slice"] != ALL).any():
        yield from _slice_reversal_notes(pairs)
    yield from _reversed_order_notes(systems, pairs)


def _contrast_notes(contrasts: Contrasts, settings: ComparisonSettings) -> Iterator[str]:
    """Yield notes on units that are too few, tied or left out."""
    sample, first, second = contrasts.sample, contrasts.first, contrasts.second
    if contrasts.joint is not None:
        yield from left_out_notes(sample)
        return
    for which, own in sample.pairs_by_units(first, second):
        yield from _pair_notes(own, first[which], second[which])
        if isinstance(own, UnitSample):
            yield from _test_notes(own, settings)


def left_out_notes(sample: Sample) -> list[str]:
    """Return a note on the units that some system lacks."""
    left = len(sample) - int(np.count_nonzero(sample.complete))
    found = f"{sample.measure}: {left} of {len(sample)} units are left out"
    return [f"{found}: not every system has a value for them"] if left else []


def _pair_notes(own: Sample, first: Ints, second: Ints) -> Iterator[str]:
    if isinstance(own, UnitSample) and len(own) > 1:
        tied = (own.values[:, first] == own.values[:, second]).all(axis=0)
        if tied.any():
            who = _pair_names(own.systems, first[tied], second[tied])
            yield f"{own.measure}: {who} are tied on all {len(own)} units"
    elif len(own) < 2:
        unit = "item" if isinstance(own, TableSample) else "unit"
        who = _pair_names(own.systems, first, second)
        why = "one unit shows no spread" if len(own) else "there is nothing to compare"
        yield f"{own.measure}: {who} have {quantity(len(own), unit)} in common: {why}"


def _pair_names(systems: Sequence[str], first: Ints, second: Ints) -> str:
    """Return the names of the first pair, and how many more pairs there are."""
    more = f" (and {len(first) - 1} more pairs)" if len(first) > 1 else ""
    return f"{systems[second[0]]} and {systems[first[0]]}{more}"


def _test_notes(own: UnitSample, settings: ComparisonSettings) -> Iterator[str]:
    """Yield notes on a test that needs more units, or that reads folds from their names."""
    test = paired_tests()[settings.test]
    if 1 < len(own) < test.least_units:
        yield (
            f"{own.measure}: with {len(own)} units the {test.title} rejects too often and gives"
            f" neither p nor interval below {test.least_units} units; use bootstrap, t or"
            " randomization"
        )
    if test.note is not None:
        names = () if settings.interval.clusters else own.units
        if note := test.note(replace(settings, units=names)):
            yield f"{settings.test}: {note}"


def _unreachable_p_value_notes(pairs: pl.DataFrame, settings: ComparisonSettings) -> Iterator[str]:
    """Yield notes on tests with too few permutations or resamples for a large family."""
    tested = pairs.filter(pl.col("slice") == ALL)
    measures = tested["measure"].n_unique()
    family = settings.family_size(len(tested) // measures, measures)
    draws = {TABLE_TESTS["expanded"]: settings.interval.resamples}
    if settings.test in paired_tests() and paired_tests()[settings.test].seeded:
        draws[settings.test] = settings.permutations
    for test, drawn in draws.items():
        # A p-value that is widened for few units is somewhat larger than the least share.
        reached = (tested.filter(pl.col("test") == test)["p"] <= 2 / (drawn + 1)).any()
        least = float(adjust_p_values(np.full(family, 1 / (drawn + 1)), settings.correct).max())
        if not reached or least < settings.level:
            continue
        what, more = "permutations", "the test tukey or randomized-tukey, or a baseline"
        if test == TABLE_TESTS["expanded"]:
            what, more = "resamples", "a baseline"
        yield (
            f"{drawn:,} {what} yield no p-value below {1 / (drawn + 1):.2g}, which is"
            f" {least:.2g} after the correction over {family:,} tests: no single pair can be"
            f" significant. Use {int(family / settings.level):,} {what} or more, {more}."
        )


def _reversed_order_notes(systems: pl.DataFrame, pairs: pl.DataFrame) -> Iterator[str]:
    """Yield pairs whose order over their shared units is the reverse of that of their means.

    Different units, not quality, then make the difference of the means: Simpson's paradox.
    """
    keys = zip(systems["measure"].to_list(), systems["system"].to_list(), strict=True)
    means = dict(zip(keys, systems["value"].to_list(), strict=True))
    whole = pairs.filter(pl.col("slice") == ALL)
    columns = whole.select("measure", "baseline", "system", "difference")
    for measure, baseline, system, shared in columns.iter_rows():
        own = means[measure, system] - means[measure, baseline]
        if own * shared < 0:
            yield (
                f"{measure} of {system} against {baseline} is {_direction(own)} by the means over"
                " each system's own units, but the reverse over the common units"
                " (Simpson's paradox): trust the latter"
            )


def _slice_reversal_notes(pairs: pl.DataFrame) -> Iterator[str]:
    """Yield pairs with slices in which the difference has the opposite sign.

    Over the same units the whole is a mean of its slices, so some slice always agrees with it.
    """
    keys = ["measure", "baseline", "system"]
    for (measure, baseline, system), rows in pairs.group_by(keys, maintain_order=True):
        whole = rows.filter(pl.col("slice") == ALL)["difference"].item()
        within = rows.filter(pl.col("slice") != ALL)
        against = within.filter(pl.col("difference") * whole < 0)["slice"].to_list()
        if against:
            yield (
                f"{measure} of {system} against {baseline} is {_direction(whole)} over all units,"
                f" but the reverse in {len(against)} of {len(within)} slices: {', '.join(against)}"
            )


def _direction(difference: float) -> str:
    return "higher" if difference > 0 else "lower"


def correction_note(settings: ComparisonSettings) -> str:
    """Return over what, and how, p-values are corrected, in words."""
    if settings.test in joint_tests():
        return "corrected over all pairs by the test itself"
    family = {"all": "all systems and measures", "systems": "the systems of each measure"}.get(
        settings.family, "the measures of each pair"
    )
    return f"corrected: {settings.correct}, over {family}"
