"""The checks of a gate: what must hold, what was found, and what it means."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.core.arrays import Bools, Floats, exact_mean
from assay.core.errors import UsageError
from assay.engine.scores import ALL, Result
from assay.statistics.differences.equivalence import lower_bound
from assay.statistics.differences.pair_statistics import pair_differences
from assay.statistics.differences.unit_slices import units_by_slice
from assay.statistics.differences.unit_values import Sample

ProofRule = Literal["kept", "worse"]
PROOF_RULES: tuple[ProofRule, ...] = ("kept", "worse")


@dataclass(frozen=True)
class GateRules:
    """What must hold, in the direction in which each measure is better."""

    floor: float | Mapping[str, float] | None = None
    """What the mean must reach, for all measures or for each by name."""
    margin: float | None = None
    """The loss against the baseline that is tolerable."""
    confidence: float = 0.95
    prove: ProofRule = "kept"
    """Whether a gate holds only if the quality is surely kept, or fails only if surely worse."""
    worst: float | None = None
    """What every single unit must reach."""
    worst_loss: float | None = None
    """What no single unit may lose against the baseline by more than."""

    def __post_init__(self) -> None:
        if self.prove not in PROOF_RULES:
            raise UsageError(
                f"what is to be proved is {' or '.join(PROOF_RULES)}; not '{self.prove}'"
            )
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence is between 0 and 1, not {self.confidence}")
        if self.margin is not None and self.margin < 0:
            raise UsageError(f"a margin is the loss that is tolerable, not {self.margin:g}")

    @property
    def need_units(self) -> bool:
        """Whether a rule looks at single units or pairs them, so that a summary is not enough."""
        rules = (self.margin, self.worst, self.worst_loss)
        return any(each is not None for each in rules) or self.prove == "worse"

    def floor_of(self, measure: str) -> float | None:
        """The floor of one measure."""
        if isinstance(self.floor, Mapping):
            return self.floor.get(measure)
        return self.floor


@dataclass(frozen=True)
class GateCheck:
    """One condition for one system: what was found, what it had to reach, and what it means."""

    rule: str
    system: str
    measure: str
    slice: str
    found: float
    limit: float
    holds: bool
    said: str


def unit_checks(
    one: Sample,
    system: str,
    base: str | None,
    rules: GateRules,
    slices: Mapping[str, str] | None,
    anew: bool,
) -> Iterator[GateCheck]:
    """What must hold of a system's units.

    Floors of the whole are ``summary_checks``, but where units are weighed ``anew``.
    """
    for name, kept in unit_slices(one.units, slices):
        own = one if kept is None else one.where(kept)
        floor = rules.floor_of(one.measure)
        if floor is not None and (name != ALL or anew):
            yield _floor_of_units(own, system, name, floor)
        if base is not None and (rules.margin is not None or rules.prove == "worse"):
            yield _loss_check(own, system, base, name, rules)
    if rules.worst is not None:
        yield _worst_unit_checks(one, system, one.systems.index(system), rules.worst)
    if base is not None and rules.worst_loss is not None:
        yield _worst_loss(one, system, base, rules.worst_loss)


def unit_slices(
    units: Sequence[str], slices: Mapping[str, str] | None
) -> Iterator[tuple[str, Bools | None]]:
    """The whole, None, then the units of each slice."""
    yield ALL, None
    for part in units_by_slice(units, slices) if slices else ():
        yield part.name, part.kept


def summary_checks(results: Sequence[Result], rules: GateRules) -> Iterator[GateCheck]:
    """Floors of the summaries as they were measured, of the whole and of each slice."""
    for each in results:
        floor = rules.floor_of(each.measure)
        if floor is not None:
            units = f" over {len(each.units)} units" if len(each.units) > 1 else ""
            said = f"{each.value:.4f}{units}"
            yield floor_check(
                each.system, each.measure, each.slice, each.value, floor, each.better, said
            )


def _floor_of_units(own: Sample, system: str, name: str, floor: float) -> GateCheck:
    column = own.systems.index(system)
    kept = own.where(~np.isnan(own.values[:, column]))
    mean = float(kept.means()[column])
    said = f"mean {mean:.4f} over {len(kept)} units"
    return floor_check(system, own.measure, name, mean, floor, own.better, said)


def floor_check(
    system: str, measure: str, name: str, found: float, floor: float, better: str, said: str
) -> GateCheck:
    """Whether a number reaches its floor, or stays below it where lower is better."""
    holds, word = (found <= floor, "at most") if better == "lower" else (found >= floor, "at least")
    asked = f"{said}; {word} {floor:g} is asked"
    return GateCheck("floor", system, measure, name, found, floor, bool(holds), asked)


@dataclass(frozen=True)
class BaselineChange:
    """An improvement against the baseline, with its one-sided bounds."""

    mean: float
    low: float
    high: float
    over: str
    """Of what, as in "50 units"."""


def _loss_check(own: Sample, system: str, base: str, name: str, rules: GateRules) -> GateCheck:
    apart = _improvement(own, system, base)
    change = BaselineChange(
        exact_mean(apart[:, 0].tolist()),
        float(lower_bound(apart, rules.confidence)[0]),
        -float(lower_bound(-apart, rules.confidence)[0]),
        f"{len(apart)} units",
    )
    return max_loss_check(own.measure, system, base, name, rules, change)


def max_loss_check(
    measure: str, system: str, base: str, name: str, rules: GateRules, change: BaselineChange
) -> GateCheck:
    """Whether no more than the margin is lost, as surely as the rules ask."""
    margin = rules.margin or 0.0
    if rules.prove == "kept":
        bound, asked = change.low, "surely not"
        holds = bound >= -margin
    else:
        bound, asked = change.high, "not surely"
        holds = not bound < -margin
    said = (
        f"change {change.mean:+.4f} over {change.over}, {rules.confidence:.0%} bound {bound:+.4f};"
        f" {asked} worse than {base} by more than {margin:g} is asked"
    )
    if math.isnan(bound):
        said = f"{change.over} in common with {base}: too few to show anything"
    return GateCheck("baseline", system, measure, name, bound, -margin, holds, said)


def _improvement(own: Sample, system: str, base: str) -> Floats:
    """The change of each unit that both have, positive for the better."""
    first, second = np.asarray([own.systems.index(base)]), np.asarray([own.systems.index(system)])
    gaps = np.isnan(own.values[:, first[0]]) | np.isnan(own.values[:, second[0]])
    return own.sign * pair_differences(own.where(~gaps), first, second)


def _worst_unit_checks(one: Sample, system: str, column: int, limit: float) -> GateCheck:
    values = one.sign * one.values[:, column]
    if np.isnan(values).all():
        return GateCheck("worst unit", system, one.measure, ALL, math.nan, limit, False, "no value")
    at = int(np.nanargmin(values))
    found = float(one.values[at, column])
    below = int(np.count_nonzero(values < one.sign * limit))
    said = f"{one.unit_kind} {one.units[at]} has {found:.4f}; {below} units beyond {limit:g}"
    return GateCheck("worst unit", system, one.measure, ALL, found, limit, below == 0, said)


def _worst_loss(one: Sample, system: str, base: str, limit: float) -> GateCheck:
    first, second = one.systems.index(base), one.systems.index(system)
    change = one.sign * (one.values[:, second] - one.values[:, first])
    if np.isnan(change).all():
        return GateCheck(
            "worst loss", system, one.measure, ALL, math.nan, -limit, False, "no value"
        )
    at = int(np.nanargmin(change))
    found = float(change[at])
    beyond = int(np.count_nonzero(change < -limit - 1e-12))
    said = f"{one.unit_kind} {one.units[at]} changes by {found:+.4f}; {beyond} lose over {limit:g}"
    return GateCheck("worst loss", system, one.measure, ALL, found, -limit, beyond == 0, said)
