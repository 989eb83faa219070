"""Gates: conditions that Scores must meet, and a page of what failed and by how much."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

import numpy as np

from assay.core.arrays import Floats, exact_mean
from assay.core.errors import UsageError
from assay.engine.scores import ALL, Scores
from assay.statistics.contrasts import differences
from assay.statistics.equivalence import lower_bound
from assay.statistics.pairing import Missing, Sample, sample
from assay.statistics.slices import parts
from assay.tasks.score_sources import chosen_measures, named_system, scores_of
from assay.version import VERSION

Prove = Literal["kept", "worse"]
PROVE: tuple[Prove, ...] = ("kept", "worse")


@dataclass(frozen=True)
class Rules:
    """What must hold, in the direction in which each measure is better."""

    floor: float | Mapping[str, float] | None = None
    """What the mean must reach, for all measures or for each by name."""
    margin: float | None = None
    """The loss against the baseline that is tolerable."""
    confidence: float = 0.95
    prove: Prove = "kept"
    """Whether a gate holds only if the quality is surely kept, or fails only if surely worse."""
    worst: float | None = None
    """What every single unit must reach."""
    worst_loss: float | None = None
    """What no single unit may lose against the baseline by more than."""

    def __post_init__(self) -> None:
        if self.prove not in PROVE:
            raise UsageError(f"what is to be proved is {' or '.join(PROVE)}; not '{self.prove}'")
        if not 0 < self.confidence < 1:
            raise UsageError(f"a confidence is between 0 and 1, not {self.confidence}")
        if self.margin is not None and self.margin < 0:
            raise UsageError(f"a margin is the loss that is tolerable, not {self.margin:g}")

    def floor_of(self, measure: str) -> float | None:
        """The floor of one measure."""
        if isinstance(self.floor, Mapping):
            return self.floor.get(measure)
        return self.floor


@dataclass(frozen=True)
class Check:
    """One condition for one system: what was found, what it had to reach, and what it means."""

    rule: str
    system: str
    measure: str
    slice: str
    found: float
    limit: float
    holds: bool
    said: str


@dataclass(frozen=True)
class Gate:
    """All checks of a gate."""

    checks: tuple[Check, ...]
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every check holds."""
        return all(check.holds for check in self.checks)

    @property
    def failed(self) -> tuple[Check, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.holds)

    def to_json(self) -> str:
        """Everything, at full precision."""
        content = {
            "holds": self.holds,
            "checks": [_finite(asdict(check)) for check in self.checks],
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def gate(
    scores: Any,
    measures: str | Iterable[str] | None = None,
    *,
    baseline: str | None = None,
    floor: float | Mapping[str, float] | None = None,
    margin: float | None = None,
    confidence: float = 0.95,
    prove: Prove = "kept",
    worst: float | None = None,
    worst_loss: float | None = None,
    slices: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    missing: Missing = "drop",
) -> Gate:
    """Check every system but the baseline against the conditions that are given.

    With a ``baseline`` a system may lose at most the ``margin``, and this must be shown with the
    ``confidence`` (one-sided, paired over units): ``prove="worse"`` turns the burden of proof
    round. ``slices`` puts floor and margin to each slice too.
    """
    found = scores_of(scores)
    rules = Rules(floor, margin, confidence, prove, worst, worst_loss)
    _refuse_empty(rules, baseline)
    names = chosen_measures(found, measures)
    base = None if baseline is None else named_system(found, baseline)
    if isinstance(floor, Mapping):
        rules = Rules(_known_floors(found, floor), margin, confidence, prove, worst, worst_loss)
    samples = [sample(found, name, ALL, missing, weights) for name in names]
    checks = [
        check
        for one in samples
        for system in one.systems
        if system != base
        for check in _checks(one, system, base, rules, slices)
    ]
    if not checks:
        raise UsageError(f"there is nothing to check: {base} is the only system")
    notes = [*found.warnings, *(note for one in samples for note in one.notes)]
    conventions = {"assay": VERSION, "baseline": base, **asdict(rules), "scores": found.conventions}
    return Gate(tuple(checks), conventions, tuple(dict.fromkeys(notes)))


def _refuse_empty(rules: Rules, baseline: str | None) -> None:
    relative = rules.margin is not None or rules.worst_loss is not None
    if baseline is None and relative:
        raise UsageError("a margin or a worst loss is against a baseline: name one")
    if baseline is not None and not relative:
        if rules.prove == "kept":
            raise UsageError(
                "a baseline needs a margin: the loss that is tolerable, such as 0.005;"
                " without one only a sure improvement would pass"
            )
    elif rules.floor is None and rules.worst is None and not relative:
        raise UsageError("a gate needs a condition: a floor, or a baseline and a margin")


def _known_floors(scores: Scores, floor: Mapping[str, float]) -> dict[str, float]:
    return {chosen_measures(scores, name)[0]: value for name, value in floor.items()}


def _checks(
    one: Sample, system: str, base: str | None, rules: Rules, slices: Mapping[str, str] | None
) -> Iterator[Check]:
    chosen = [(ALL, one), *((part.name, one.where(part.kept)) for part in parts(one, slices or {}))]
    for name, own in chosen if slices else chosen[:1]:
        column = own.systems.index(system)
        if (floor := rules.floor_of(one.measure)) is not None:
            yield _floor(own, system, column, name, floor)
        if base is not None and (rules.margin is not None or rules.prove == "worse"):
            yield _kept(own, system, base, name, rules)
    if rules.worst is not None:
        yield _worst(one, system, one.systems.index(system), rules.worst)
    if base is not None and rules.worst_loss is not None:
        yield _worst_loss(one, system, base, rules.worst_loss)


def _floor(own: Sample, system: str, column: int, name: str, floor: float) -> Check:
    kept = own.where(~np.isnan(own.values[:, column]))
    mean = exact_mean(kept.weighted()[:, column].tolist())
    holds = own.sign * mean >= own.sign * floor
    word = "at least" if own.sign > 0 else "at most"
    said = f"mean {mean:.4f} over {len(kept)} units; {word} {floor:g} is asked"
    return Check("floor", system, own.measure, name, mean, floor, bool(holds), said)


def _kept(own: Sample, system: str, base: str, name: str, rules: Rules) -> Check:
    apart = _improvement(own, system, base)
    margin = rules.margin or 0.0
    mean = exact_mean(apart[:, 0].tolist())
    if rules.prove == "kept":
        bound = float(lower_bound(apart, rules.confidence)[0])
        holds, asked = bound >= -margin, "surely not"
    else:
        bound = -float(lower_bound(-apart, rules.confidence)[0])
        holds, asked = not bound < -margin, "not surely"
    said = (
        f"change {mean:+.4f} over {len(apart)} units, {rules.confidence:.0%} bound {bound:+.4f};"
        f" {asked} worse than {base} by more than {margin:g} is asked"
    )
    if math.isnan(bound):
        said = f"{len(apart)} units in common with {base}: too few to show anything"
    return Check("baseline", system, own.measure, name, bound, -margin, holds, said)


def _improvement(own: Sample, system: str, base: str) -> Floats:
    """The change of each unit that both have, positive for the better."""
    first, second = np.asarray([own.systems.index(base)]), np.asarray([own.systems.index(system)])
    gaps = np.isnan(own.values[:, first[0]]) | np.isnan(own.values[:, second[0]])
    return own.sign * differences(own.where(~gaps), first, second)


def _worst(one: Sample, system: str, column: int, limit: float) -> Check:
    values = one.sign * one.values[:, column]
    if np.isnan(values).all():
        return Check("worst unit", system, one.measure, ALL, math.nan, limit, False, "no value")
    at = int(np.nanargmin(values))
    found = float(one.values[at, column])
    below = int(np.count_nonzero(values < one.sign * limit))
    said = f"{one.unit_kind} {one.units[at]} has {found:.4f}; {below} units beyond {limit:g}"
    return Check("worst unit", system, one.measure, ALL, found, limit, below == 0, said)


def _worst_loss(one: Sample, system: str, base: str, limit: float) -> Check:
    first, second = one.systems.index(base), one.systems.index(system)
    change = one.sign * (one.values[:, second] - one.values[:, first])
    if np.isnan(change).all():
        return Check("worst loss", system, one.measure, ALL, math.nan, -limit, False, "no value")
    at = int(np.nanargmin(change))
    found = float(change[at])
    beyond = int(np.count_nonzero(change < -limit - 1e-12))
    said = f"{one.unit_kind} {one.units[at]} changes by {found:+.4f}; {beyond} lose over {limit:g}"
    return Check("worst loss", system, one.measure, ALL, found, -limit, beyond == 0, said)


def _finite(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        key: None if isinstance(value, float) and not math.isfinite(value) else value
        for key, value in row.items()
    }


def floors(given: Sequence[str]) -> float | dict[str, float] | None:
    """Floors as a user writes them: ``0.3`` for all measures, or ``nDCG@10=0.3`` for one."""
    found: dict[str, float] = {}
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise UsageError(f"a floor is a number or MEASURE=number, not '{text}'") from None
    if "" in found and len(found) > 1:
        raise UsageError("one floor for all measures, or one for each by name; not both")
    return found.get("", found or None)
