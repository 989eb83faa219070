"""Gates: conditions that Scores must meet, with the checks that failed and by how much."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from assay.core.errors import DataError, UsageError
from assay.core.json_rows import json_row
from assay.core.printable import Printable
from assay.engine.scores import Scores
from assay.statistics.differences.paired_samples import Missing, pair_systems
from assay.statistics.differences.sliced_samples import sample_slices
from assay.tasks.comparison.comparison_notes import summary_notes
from assay.tasks.gates.gate_checks import (
    GateCheck,
    GateRules,
    ProofRule,
    sample_checks,
    summary_checks,
)
from assay.tasks.scores.read_scores import find_system, read_scores, select_score_measures
from assay.version import VERSION


@dataclass(frozen=True, repr=False, eq=False)
class Gate(Printable):
    """All checks of a gate."""

    checks: tuple[GateCheck, ...]
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every check holds."""
        return all(check.holds for check in self.checks)

    @property
    def failed(self) -> tuple[GateCheck, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.holds)

    def to_json(self) -> str:
        """Return everything, at full precision."""
        content = {
            "holds": self.holds,
            "checks": [json_row(asdict(check)) for check in self.checks],
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
    prove: ProofRule = "kept",
    worst: float | None = None,
    worst_loss: float | None = None,
    slices: Mapping[str, str] | None = None,
    weights: Mapping[str, float] | None = None,
    missing: Missing = "drop",
) -> Gate:
    """Check every system but the baseline against the given conditions.

    With a ``baseline`` a system may lose at most the ``margin``, and this must be shown with the
    ``confidence`` (one-sided, paired over units); ``prove="worse"`` reverses the burden of proof.
    ``slices`` applies floor and margin to each slice too, and so do scores that were measured by
    slice.
    """
    found = read_scores(scores)
    _refuse_unjudged(found)
    rules = GateRules(floor, margin, confidence, prove, worst, worst_loss)
    _refuse_empty(rules, baseline)
    names = select_score_measures(found, measures)
    base = None if baseline is None else find_system(found, baseline)
    if isinstance(floor, Mapping):
        floors = {select_score_measures(found, key)[0]: value for key, value in floor.items()}
        rules = replace(rules, floor=floors)
    checks: list[GateCheck] = []
    notes = [*found.warnings]
    for name in names:
        summed = [r for r in found.results if r.measure == name and r.system != base]
        if weights is not None:
            summed = []
        checks += summary_checks(summed, rules)
        if rules.need_units or slices or weights is not None:
            one = pair_systems(found, name, missing, weights)
            notes += [*summary_notes(found, one), *one.notes]
            parts = [*sample_slices(found, one, slices)]
            summarized = {each.slice for each in summed}
            for system in one.systems:
                if system != base:
                    checks += sample_checks(one, system, base, rules, parts, summarized)
    _require_conditions(checks, base)
    conventions = {"assay": VERSION, "baseline": base, **asdict(rules), "scores": found.conventions}
    return Gate(tuple(checks), conventions, tuple(dict.fromkeys(notes)))


def _refuse_unjudged(scores: Scores) -> None:
    """Raise an error where no document of any system is judged: any gate would hold then."""
    counts = scores.conventions.get("counts") or {}
    known = [each["judged documents"] for each in counts.values() if "judged documents" in each]
    if known and not any(known):
        raise DataError(
            f"no document of {' or '.join(counts)} is judged, so that nothing can be checked; do"
            " the ids of documents have the same form in both files?"
        )


def _require_conditions(checks: Sequence[GateCheck], base: str | None) -> None:
    if checks:
        return
    why = "no floor names one of the measures"
    if base:
        why = f"the baseline and the candidate are the same, {base}; give the files of two systems"
    raise UsageError(f"there is nothing to check: {why}")


def _refuse_empty(rules: GateRules, baseline: str | None) -> None:
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


def parse_floors(given: Sequence[str]) -> float | dict[str, float] | None:
    """Return floors from their text: ``0.3`` for all measures, or ``nDCG@10=0.3`` for one."""
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
