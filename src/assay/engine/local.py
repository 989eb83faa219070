"""The engine on one machine: every measure over one view."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

import numpy as np

from assay.core.arrays import (
    Bools,
    Floats,
    exact_mean,
    exact_ratio,
    exact_sum,
    take_units,
    unit_values,
)
from assay.core.definition import GEOMETRIC_FLOOR, Ratio
from assay.core.errors import BadParameter
from assay.core.frozen_dataclass import dataclass, replace
from assay.core.names import Measure
from assay.engine.formula_values import FormulaValues, MeasuredQueries
from assay.engine.result import ALL, NoReasons, Result

TOO_LARGE = "a number is too large to compute with (above 1.8e308)"
"""The reason where a value cannot be held in double precision."""


@dataclass(frozen=True)
class Measurement:
    """What one measure yields on one view, before it is summed up."""

    view: Any
    values: Floats
    parts: Floats | Ratio
    undefined_by_truth: Bools

    undefined: Bools
    """Which units the formula leaves undefined, whatever stands for them in the values."""
    too_large: Bools
    """Which units have a value that no number can hold."""

    def of(self, view: Any, units: slice) -> Measurement:
        """That of one view of several that were measured together."""
        return replace(take_units(self, units), view=view, parts=self.parts[units])

    def summary(
        self, measure: Measure, values: Floats | None = None, parts: Floats | Ratio | None = None
    ) -> float:
        """Return the values of all units, or others in their place, as one number."""
        if values is None and self.too_large.any():
            return math.nan
        return aggregate(
            measure,
            self.values if values is None else values,
            self.parts if parts is None else parts,
            self.view.support if measure.average == "weighted" else None,
        )


def evaluate(
    view: Any,
    measures: Sequence[Measure],
    system: str,
    slice_name: str = ALL,
    no_relevant: str = "undefined",
) -> list[Result]:
    """Return a result for each measure. None of them depends on which others are asked for."""
    return [_evaluate_one(view, each, system, slice_name, no_relevant) for each in measures]


def select_evidence(view: Any, measure: Measure) -> Any:
    """Return the evidence that the measure chooses, with the units that it is about."""
    for choice in sorted(measure.selections):
        view = view.select(choice)
    return view if measure.unit in (None, view.unit_kind) else view.by(measure.unit)


def measure_view(view: Any, measure: Measure, no_relevant: str = "undefined") -> Measurement:
    """Return the value of each unit, with the policies for what cannot be measured.

    Silence never pays: what only an answer could have defined is 0 where there is none, whatever
    else stands for undefined values.
    """
    if isinstance(view, MeasuredQueries):
        return _apply_policies(view, view.values_of(measure), measure, no_relevant)
    seen = select_evidence(view, measure)
    return _apply_policies(seen, compute_values(seen, measure), measure, no_relevant)


def compute_values(seen: Any, measure: Measure) -> FormulaValues:
    """Return what the formula yields on the evidence that its measure chooses."""
    with watch_overflow() as overflow:
        parts = measure.formula(seen)
        undefined = np.isnan(unit_values(parts))
    for_ideal = np.zeros_like(undefined)
    if undefined.any() and not overflow.seen:
        with watch_overflow():
            for_ideal = undefined & np.isnan(unit_values(measure.formula(seen.ideal())))
    return FormulaValues(parts, for_ideal, overflow.seen)


def _apply_policies(
    seen: Any, found: FormulaValues, measure: Measure, no_relevant: str
) -> Measurement:
    with watch_overflow():
        values = unit_values(found.parts)
    undefined = ~np.isfinite(values) if found.overflow else np.isnan(values)
    too_large = undefined if found.overflow else np.zeros_like(undefined)
    values = np.where(too_large, np.nan, values) if found.overflow else values
    by_truth = np.zeros_like(undefined)
    if undefined.any() and not found.overflow:
        by_truth = found.undefined_for_ideal
        if seen.missing is not None:
            values = np.where(undefined & ~by_truth & seen.missing, 0.0, values)
        if measure.undefined is not None:
            values = measure.fill_undefined(values)
        if no_relevant == "zero" and measure.definition.undefined.truth:
            values = np.where(by_truth & np.isnan(values), 0.0, values)
    return Measurement(seen, values, found.parts, by_truth, undefined, too_large)


def aggregate(
    measure: Measure, values: Floats, parts: Floats | Ratio, support: Floats | None
) -> float:
    """Return the values of all units as one number; undefined ones are left out."""
    defined = ~np.isnan(values)
    if measure.pooled:
        if not isinstance(parts, Ratio):
            raise BadParameter(
                f"{measure}: there is nothing to pool; only ratios have a micro average"
            )
        return exact_ratio(parts.numerator, parts.denominator)
    if measure.average == "weighted":
        if support is None:
            raise BadParameter(
                f"{measure}: its units have no weights, so there is no weighted average"
            )
        total = exact_sum(support[defined])
        return exact_sum(values[defined] * support[defined]) / total if total else math.nan
    kept = values[defined]
    match measure.definition.aggregate:
        case "sum":
            return exact_sum(kept)
        case "geometric":
            logs = [math.log(max(value, GEOMETRIC_FLOOR)) for value in kept.tolist()]
            return math.exp(exact_mean(logs)) if logs else math.nan
        case _:
            return exact_mean(kept)


def _evaluate_one(
    view: Any, measure: Measure, system: str, slice_name: str, no_relevant: str
) -> Result:
    definition = measure.definition
    known: dict[str, Any] = {
        "system": system,
        "slice": slice_name,
        "measure": measure.name,
        "aggregate": measure.average or definition.aggregate,
        "better": definition.better,
    }
    if measure.pooled and measure.unit == "item" and view.has_blocks:
        from assay.engine.long_results import LongResult, mean_of_blocks

        seen = select_evidence(view, measure)
        if (mean := mean_of_blocks(seen, measure)) is not None:
            known |= {"units": seen.units, "reasons": _no_reasons(len(seen.units)), "value": mean}
            values = partial(_item_values, seen, measure)
            return LongResult.over(values, **known, unit_kind="item")
    found = measure_view(view, measure, no_relevant)
    return Result(
        **known,
        reasons=_reasons(measure, found),
        value=found.summary(measure),
        units=found.view.units,
        values=found.values,
        unit_kind=definition.unit or found.view.unit_kind,
    )


def _item_values(seen: Any, measure: Measure) -> Floats:
    """Return the value of each item, of which none is undefined."""
    return unit_values(measure.formula(seen))


def _reasons(measure: Measure, found: Measurement) -> Sequence[str | None]:
    undefined = np.isnan(found.values)
    if not undefined.any():
        return _no_reasons(len(undefined))
    reasons: list[str | None] = [None] * len(undefined)
    why = measure.definition.undefined
    by_truth = why.truth or why.answer or "undefined"
    by_answer = why.answer or why.truth or "undefined"
    for unit in np.flatnonzero(undefined).tolist():
        reasons[unit] = by_truth if found.undefined_by_truth[unit] else by_answer
        if found.too_large[unit]:
            reasons[unit] = TOO_LARGE
    return tuple(reasons)


@lru_cache(maxsize=16)
def _no_reasons(size: int) -> Sequence[None]:
    """Return so many units without a reason, shared by the results of many systems."""
    return (None,) * size if size <= _MANY_UNITS else NoReasons(size)


_MANY_UNITS = 100_000
"""From so many units on, not even a place is kept for each reason that there is not."""


class OverflowReport:
    """Whether a computation overflowed."""

    seen = False

    def write(self, message: str) -> None:
        """Note an overflow; numpy calls this."""
        self.seen = True


@contextmanager
def watch_overflow() -> Iterator[OverflowReport]:
    """Compute without warnings, and report whether a number became too large."""
    report = OverflowReport()
    with np.errstate(over="log", invalid="ignore", divide="ignore", under="ignore", call=report):
        yield report
