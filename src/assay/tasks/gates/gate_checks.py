"""The checks of a gate: conditions on the summaries, units and differences of systems."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from assay.core.arrays import Floats, exact_mean
from assay.core.errors import DataError, UsageError
from assay.engine.result import ALL, Result
from assay.statistics.differences.effect_sizes import lower_bound
from assay.statistics.differences.samples import TableSample, UnitSample
from assay.statistics.differences.table_distributions import TableDistributions
from assay.statistics.intervals.interval_settings import Bootstrap

ProofRule = Literal["kept", "worse"]
PROOF_RULES: tuple[ProofRule, ...] = ("kept", "worse")


@dataclass(frozen=True)
class GateRules:
    """Conditions, in the direction in which each measure is better."""

    floor: float | Mapping[str, float] | None = None
    """The least acceptable mean, for all measures or for each by name."""
    margin: float | Mapping[str, float] | None = None
    """The tolerable loss against the baseline, for all measures or for each by name."""
    confidence: float = 0.95
    prove: ProofRule = "kept"
    """Whether quality must be shown to be kept, or a gate fails only if shown to be worse."""
    worst: float | None = None
    """The least acceptable value of every single unit."""
    worst_loss: float | None = None
    """The largest tolerable loss of a single unit against the baseline."""

    def __post_init__(self) -> None:
        if self.prove not in PROOF_RULES:
            raise UsageError(
                f"what is to be proved is {' or '.join(PROOF_RULES)}; not '{self.prove}'"
            )
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence is between 0 and 1, not {self.confidence}")
        for name in ("floor", "margin", "worst", "worst_loss"):
            given = getattr(self, name)
            for value in given.values() if isinstance(given, Mapping) else (given,):
                if value is not None and not math.isfinite(value):
                    raise UsageError(f"`{name}` is {value}, but a finite number is expected")
                if name == "margin" and (value or 0.0) < 0:
                    raise UsageError(f"a margin is the loss that is tolerable, not {value:g}")

    @property
    def need_units(self) -> bool:
        """Whether a rule needs single units or pairs of them, so that a summary is not enough."""
        rules = (self.margin, self.worst, self.worst_loss)
        return any(each is not None for each in rules) or self.prove == "worse"

    def floor_of(self, measure: str) -> float | None:
        """Return the floor of one measure."""
        return self.floor.get(measure) if isinstance(self.floor, Mapping) else self.floor

    def margin_of(self, measure: str) -> float | None:
        """Return the tolerable loss of one measure; None if it is not compared with a baseline."""
        if isinstance(self.margin, Mapping):
            return self.margin.get(measure)
        return 0.0 if self.margin is None and self.prove == "worse" else self.margin


@dataclass(frozen=True)
class GateCheck:
    """One condition for one system: the value, its limit, and an explanation."""

    rule: str
    system: str
    measure: str
    slice: str
    found: float
    limit: float
    holds: bool
    said: str

    @property
    def line(self) -> str:
        """One line: the condition, where it applies, and the explanation."""
        where = "" if self.slice == ALL else f" on {self.slice}"
        return f"{self.rule}, {self.measure} of {self.system}{where}: {self.said}"


def summary_checks(results: Sequence[Result], rules: GateRules) -> Iterator[GateCheck]:
    """Check floors of the summaries as they were measured, of the whole and of each slice."""
    for each in results:
        units = f" over {len(each.units)} units" if len(each.units) > 1 else ""
        where = each.system, each.measure, each.slice
        yield from _floor_check(where, each.value, rules, each.better, f"{each.value:.4f}{units}")


def sample_checks(
    sample: UnitSample | TableSample,
    system: str,
    base: str | None,
    rules: GateRules,
    parts: Iterable[tuple[str, UnitSample | TableSample]],
    summarized: Collection[str],
) -> Iterator[GateCheck]:
    """Check the units of a system against the rules, in the whole and in the other parts.

    Floors of parts that are ``summarized`` are checked by ``summary_checks``.
    """
    place = sample.systems.index(system)
    unit = "items" if isinstance(sample, TableSample) else "units"
    mean = "" if isinstance(sample, TableSample) else "mean "
    for name, part in ((ALL, sample), *parts):
        where = system, sample.measure, name
        if name not in summarized:
            own = part.where(~part.absent[:, place])
            value = own.value(place)
            text = f"{mean}{value:.4f} over {len(own)} {unit}"
            yield from _floor_check(where, value, rules, sample.better, text)
        if base is not None and rules.margin_of(sample.measure) is not None:
            shared = part.units_of(place, sample.systems.index(base))
            change = _improvement(shared, place, sample.systems.index(base), rules.confidence)
            yield _loss_check(where, base, rules, change, f"{len(shared)} {unit}")
    yield from _worst_unit_checks(sample, system, base, rules)


Place = tuple[str, str, str]
"""System, measure and slice."""


def _floor_check(
    where: Place, value: float, rules: GateRules, better: str, text: str
) -> Iterator[GateCheck]:
    """Check whether a value reaches its floor, or stays below it where lower is better."""
    floor = rules.floor_of(where[1])
    if floor is not None:
        holds, limit = (value >= floor), "at least"
        if better == "lower":
            holds, limit = (value <= floor), "at most"
        text = f"{text}; {limit} {floor:g} is required"
        yield GateCheck("floor", *where, value, floor, bool(holds), text)


def _improvement(
    shared: UnitSample | TableSample, system: int, base: int, confidence: float
) -> tuple[float, float, float]:
    """Return the improvement over shared units, with its one-sided lower and upper bounds."""
    if isinstance(shared, UnitSample):
        changes = shared.sign * shared.differences(np.asarray([base]), np.asarray([system]))
        low, high = lower_bound(changes, confidence), lower_bound(-changes, confidence)
        return exact_mean(changes[:, 0].tolist()), float(low[0]), -float(high[0])
    if len(shared) < 2:
        return math.nan, math.nan, math.nan
    spread = TableDistributions(shared, Bootstrap(), [base, system]).difference(base, system)
    low_end, high_end = spread.ends(2 * confidence - 1)
    if shared.better == "lower":
        return -spread.estimate, -high_end, -low_end
    return spread.estimate, low_end, high_end


def _loss_check(
    where: Place, base: str, rules: GateRules, change: tuple[float, float, float], over: str
) -> GateCheck:
    """Check whether no more than the margin is lost, as certainly as the rules require."""
    mean, low, high = change
    margin = rules.margin_of(where[1]) or 0.0
    if rules.prove == "kept":
        bound, holds, required = low, low >= -margin, "must be shown to lose at most"
    else:
        bound, holds, required = high, not high < -margin, "must not be shown to lose more than"
    text = (
        f"change {mean:+.4f} over {over}, {100 * rules.confidence:g}% bound {bound:+.4f};"
        f" {required} {margin:g} against {base}"
    )
    if math.isnan(bound):
        text = f"{over} in common with {base}: too few to show anything"
    return GateCheck("baseline", *where, bound, -margin, holds, text)


def _worst_unit_checks(
    sample: UnitSample | TableSample, system: str, base: str | None, rules: GateRules
) -> Iterator[GateCheck]:
    """Check the worst unit, and the largest loss of a unit."""
    if isinstance(sample, TableSample):
        if rules.worst is not None or rules.worst_loss is not None:
            raise DataError(
                f"{sample.measure} is one number for a whole set: no single unit has one; leave the"
                " worst unit out, or name measures that have units (-m)"
            )
        return
    values = sample.values[:, sample.systems.index(system)]
    if (limit := rules.worst) is not None:
        beyond = int(np.count_nonzero(sample.sign * values < sample.sign * limit))
        text = f"has {{:.4f}}; {beyond} units beyond {limit:g}"
        yield _worst_check("worst unit", sample, system, (values, limit, beyond), text)
    if base is not None and (loss := rules.worst_loss) is not None:
        change = values - sample.values[:, sample.systems.index(base)]
        beyond = int(np.count_nonzero(sample.sign * change < -loss - 1e-12))
        text = f"changes by {{:+.4f}}; {beyond} lose over {loss:g}"
        yield _worst_check(
            "worst loss", sample, system, (sample.sign * change, -loss, beyond), text
        )


def _worst_check(
    rule: str, sample: UnitSample, system: str, found: tuple[Floats, float, int], text: str
) -> GateCheck:
    """Return the check of the worst unit, given values, their limit and how many are beyond."""
    values, limit, beyond = found
    where = system, sample.measure, ALL
    if np.isnan(values).all():
        return GateCheck(rule, *where, math.nan, limit, False, "no value")
    sign = 1.0 if rule == "worst loss" else sample.sign
    at = int(np.nanargmin(sign * values))
    worst = float(values[at])
    unit = f"{sample.unit_kind} {sample.units[at]} {text.format(worst)}"
    return GateCheck(rule, *where, worst, limit, beyond == 0, unit)
