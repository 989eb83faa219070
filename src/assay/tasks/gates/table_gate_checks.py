"""The checks of a gate for measures of whole tables, whose items are drawn together."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from assay.core.errors import DataError
from assay.engine.scores import ALL
from assay.statistics.differences.table_contrasts import TableDistributions
from assay.statistics.differences.table_sample import ABSENT, TableSample
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.tasks.gates.gate_checks import (
    BaselineChange,
    GateCheck,
    GateRules,
    floor_check,
    max_loss_check,
    unit_slices,
)


def table_checks(
    one: TableSample,
    system: str,
    base: str | None,
    rules: GateRules,
    slices: Mapping[str, str] | None,
) -> Iterator[GateCheck]:
    """What must hold of a system's table; floors of the whole are ``summary_checks``."""
    if rules.worst is not None or rules.worst_loss is not None:
        raise DataError(
            f"{one.measure} is one number for a whole set: no single unit has one; leave the worst"
            " unit out, or name measures that have units (-m)"
        )
    place = one.systems.index(system)
    for name, kept in unit_slices(one.units, slices):
        own = one if kept is None else one.where(kept)
        floor = rules.floor_of(one.measure)
        if floor is not None and (name != ALL or np.isnan(one.whole[place])):
            alone = own.where(own.cells[:, place] != ABSENT)
            value = alone.value(place)
            said = f"{value:.4f} over {len(alone)} items"
            yield floor_check(system, one.measure, name, value, floor, one.better, said)
        if base is not None and (rules.margin is not None or rules.prove == "worse"):
            change = _change(own, place, one.systems.index(base), rules.confidence)
            yield max_loss_check(one.measure, system, base, name, rules, change)


def _change(own: TableSample, system: int, base: int, confidence: float) -> BaselineChange:
    """The improvement over the items that both have, with its one-sided bounds."""
    both = (own.cells[:, [system, base]] != ABSENT).all(axis=1)
    shared = own if both.all() else own.where(both)
    over = f"{len(shared)} items"
    if len(shared) < 2:
        return BaselineChange(math.nan, math.nan, math.nan, over)
    spread = TableDistributions(shared, Bootstrap(), [base, system]).difference(base, system)
    low, high = spread.ends(2 * confidence - 1)
    if own.better == "lower":
        return BaselineChange(-spread.estimate, -high, -low, over)
    return BaselineChange(spread.estimate, low, high, over)
