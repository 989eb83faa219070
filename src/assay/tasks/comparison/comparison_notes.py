"""What a user should know of a comparison, beyond its numbers."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from assay.engine.scores import ALL, Scores
from assay.statistics.corrections import adjust_p_values
from assay.statistics.differences.table_contrasts import TESTS
from assay.statistics.differences.table_sample import TableSample
from assay.statistics.differences.unit_slices import missing_units_warning, reversal_warning
from assay.statistics.differences.unit_values import Sample
from assay.tasks.comparison.comparison_plan import Family, family_size


def pairing_note(scores: Scores, one: Sample | TableSample) -> list[str]:
    """Where what is paired unit by unit is not what the summary of the measure rests on."""
    said: list[str] = []
    aggregate = scores.of(one.measure)[0].aggregate
    if one.unit_kind == "item" and aggregate != "sum":
        return said
    if aggregate not in ("mean", "whole"):
        said.append(f"{one.measure} is summed up by {aggregate}; compared is the mean of its units")
    if one.unit_kind == "class":
        said.append(f"{one.measure}: the units are classes, so classes are the sample")
    return said


def constant_system_note(one: Sample | TableSample) -> list[str]:
    """Systems that have the same value on every unit: their column shows no spread."""
    if isinstance(one, TableSample) or len(one) < 2:
        return []
    return [
        f"{system}: {one.measure} is {known[0]:g} on all {len(known)} units"
        for system, column in zip(one.systems, one.values.T, strict=True)
        if len(known := column[~np.isnan(column)]) > 1 and (known == known[0]).all()
    ]


def unreachable_p_value_note(
    pairs: pl.DataFrame, draws: Mapping[str, int], correct: str, family_named: Family, level: float
) -> list[str]:
    """Random exchanges and resamples cannot yield a p-value small enough for a large family."""
    tested = pairs.filter(pl.col("slice") == ALL)
    measures = tested["measure"].n_unique()
    family = family_size(len(tested) // measures, measures, family_named)
    said = []
    for test, drawn in draws.items():
        # A p-value that is widened for few units is somewhat larger than the least share.
        reached = (tested.filter(pl.col("test") == test)["p"] <= 2 / (drawn + 1)).any()
        best = float(adjust_p_values(np.full(family, 1 / (drawn + 1)), correct).max())
        if reached and best >= level:
            said.append(_unreachable_pairs(test, drawn, best, family, level))
    return said


def _unreachable_pairs(test: str, drawn: int, best: float, family: int, level: float) -> str:
    by_items = test == TESTS["expanded"]
    what = "resamples" if by_items else "permutations"
    more = "a baseline" if by_items else "the test tukey or randomised-tukey, or a baseline"
    return (
        f"{drawn:,} {what} yield no p-value below {1 / (drawn + 1):.2g}, which is"
        f" {best:.2g} after the correction over {family:,} tests: no single"
        f" pair can be told apart. Take {int(family / level):,} {what} or more, {more}."
    )


def reversed_order_notes(systems: pl.DataFrame, pairs: pl.DataFrame) -> list[str]:
    """Pairs whose own means say the opposite of the units that both have."""
    keys = zip(systems["measure"].to_list(), systems["system"].to_list(), strict=True)
    own = dict(zip(keys, systems["value"].to_list(), strict=True))
    chosen = pairs.filter(pl.col("slice") == ALL).select(
        "measure", "baseline", "system", "difference"
    )
    said = [
        missing_units_warning(
            own[measure, system] - own[measure, baseline],
            difference,
            f"{measure} of {system} against {baseline}",
        )
        for measure, baseline, system, difference in chosen.iter_rows()
    ]
    return [each for each in said if each]


def reversal_notes(pairs: pl.DataFrame) -> list[str]:
    """Pairs with slices in which the difference is the other way round."""
    said = []
    keys = ["measure", "baseline", "system"]
    for (measure, baseline, system), rows in pairs.group_by(keys, maintain_order=True):
        whole = rows.filter(pl.col("slice") == ALL)["difference"].item()
        within = rows.filter(pl.col("slice") != ALL)
        named = list(zip(within["slice"].to_list(), within["difference"].to_list(), strict=True))
        said.append(reversal_warning(whole, named, f"{measure} of {system} against {baseline}"))
    return [each for each in said if each]
