"""Offline measures, interleaving and A/B test of the same two systems, side by side."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.behavior.experiments.experiment_result import ExperimentResult
from assay.behavior.interleaving.analysis import InterleavingResult
from assay.core.errors import UsageError
from assay.core.json_rows import json_rows
from assay.core.printable import Printable
from assay.tasks.comparison.comparison_result import Comparison

OFFLINE, INTERLEAVING, EXPERIMENT = "offline", "interleaving", "A/B test"
EXPLANATIONS = {
    (
        OFFLINE,
        INTERLEAVING,
    ): "Judges and users disagree on the documents: the judged queries may not"
    " be those of the users, unjudged documents count as not relevant, and the measure may weigh"
    " ranks that users do not look at.",
    (OFFLINE, EXPERIMENT): "The measure of the A/B test is more than the relevance of documents:"
    " speed, snippets and layout count, and users may find what they need without a click.",
    (INTERLEAVING, EXPERIMENT): "Interleaving compares documents within one list and cannot see the"
    " whole page: look for differences in speed, layout or the number of results, and at the"
    " guardrails.",
}
"""What could explain that two kinds of evidence point in opposite directions."""
UNDECIDED = {
    OFFLINE: "The offline difference is not significant: more queries or judgments are needed.",
    INTERLEAVING: "Interleaving shows no preference: more impressions are needed, or users do not"
    " notice the difference.",
    EXPERIMENT: "The A/B test shows no difference: it needs far more users than interleaving for"
    " the same effect.",
}


@dataclass(frozen=True, repr=False, eq=False)
class OnlineComparison(Printable):
    """What each kind of evidence says about a system and a baseline."""

    system: str
    baseline: str
    evidence: pl.DataFrame
    """evidence, measure, difference, low, high, p, units, unit, favors."""
    experiment: ExperimentResult | None = None
    warnings: tuple[str, ...] = ()

    def directions(self) -> dict[str, set[str]]:
        """Return which systems the significant differences of each kind of evidence favor."""
        found: dict[str, set[str]] = {}
        for kind, favors in self.evidence.select("evidence", "favors").iter_rows():
            found.setdefault(kind, set()).update({favors} - {"neither"})
        return found

    def verdicts(self) -> list[str]:
        """Return whether the kinds of evidence agree, and if not what could explain it."""
        found = self.directions()
        named = [f"{kind} favors {' and '.join(sorted(who))}" for kind, who in found.items() if who]
        sides = {name for who in found.values() for name in who}
        conflicts = [
            text
            for (one, other), text in EXPLANATIONS.items()
            if _opposed(found.get(one, set()), found.get(other, set()))
        ]
        if len(found) == 1 and named:
            return [f"There is one kind of evidence: {named[0]}.", *self._harm()]
        if len(sides) > 1:
            return [f"The evidence disagrees: {'; '.join(named)}.", *conflicts, *self._harm()]
        open_kinds = [UNDECIDED[kind] for kind, who in found.items() if not who]
        if not sides:
            return [f"No evidence favors {self.system} or {self.baseline}.", *open_kinds]
        if open_kinds:
            return [f"No evidence disagrees: {'; '.join(named)}.", *open_kinds, *self._harm()]
        return [f"The evidence agrees: {'; '.join(named)}.", *self._harm()]

    def _harm(self) -> list[str]:
        """Return the guardrails of the A/B test that are harmed."""
        if self.experiment is None or not self.experiment.guardrails.height:
            return []
        rows = self.experiment.guardrails.filter(pl.col("status") == "harmed")
        return [f"The guardrail {name} is harmed." for name in rows["measure"].to_list()]

    def to_json(self) -> str:
        """Return everything at full precision."""
        content = {
            "system": self.system,
            "baseline": self.baseline,
            "verdicts": self.verdicts(),
            "evidence": json_rows(self.evidence),
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def _opposed(one: set[str], other: set[str]) -> bool:
    return bool(one and other and one != other)


def combine_evidence(
    offline: Comparison | None = None,
    interleaving: InterleavingResult | None = None,
    experiment: ExperimentResult | None = None,
    *,
    system: str,
    baseline: str,
    arm: str | None = None,
    level: float = 0.05,
) -> OnlineComparison:
    """Put the offline comparison, the interleaving and the A/B test of two systems side by side.

    The ``arm`` of the A/B test is that of the system by default, or the only one beside the
    control.
    """
    rows = [
        *([] if offline is None else _offline_rows(offline, system, baseline, level)),
        *(
            []
            if interleaving is None
            else _interleaving_rows(interleaving, system, baseline, level)
        ),
        *(
            []
            if experiment is None
            else _experiment_rows(experiment, (system, baseline), arm, level)
        ),
    ]
    if not rows:
        raise UsageError(
            "there is nothing to combine: give judgments with both runs, interleaved lists with"
            " their log, or the table of an A/B test"
        )
    parts = (offline, interleaving, experiment)
    notes = [note for each in parts if each is not None for note in each.warnings]
    if experiment is not None and experiment.hidden:
        notes.append("the A/B test is not among the evidence: its sample ratio is broken")
    return OnlineComparison(
        system, baseline, pl.DataFrame(rows), experiment, tuple(dict.fromkeys(notes))
    )


def _favored(value: float, p: float, names: tuple[str, str], level: float) -> str:
    if not p < level or value == 0:
        return "neither"
    return names[0] if value > 0 else names[1]


def _oriented(row: dict[str, Any], value: str, system: str) -> tuple[float, float, float]:
    """Return the difference and its interval, of the system minus the baseline."""
    if row["system"] == system:
        return row[value], row["low"], row["high"]
    return -row[value], -row["high"], -row["low"]


def _pair_rows(pairs: pl.DataFrame, system: str, baseline: str, what: str) -> pl.DataFrame:
    both = [system, baseline]
    found = pairs.filter(pl.col("system").is_in(both) & pl.col("baseline").is_in(both))
    if not found.height:
        known = sorted({*pairs["system"].to_list(), *pairs["baseline"].to_list()})
        raise UsageError(f"{what} has no pair {system} and {baseline}; it has {', '.join(known)}")
    return found


def _offline_rows(
    found: Comparison, system: str, baseline: str, level: float
) -> Iterator[dict[str, Any]]:
    for row in _pair_rows(found.pairs, system, baseline, "the comparison").iter_rows(named=True):
        value, low, high = _oriented(row, "difference", system)
        sign = -1 if row.get("better") == "lower" else 1
        p = row.get("p_corrected", row["p"])
        yield {
            "evidence": OFFLINE,
            "measure": row["measure"],
            "difference": value,
            "low": low,
            "high": high,
            "p": p,
            "units": row.get("units") or row.get("n"),
            "unit": "query",
            "favors": _favored(sign * value, p, (system, baseline), level),
        }


def _interleaving_rows(
    found: InterleavingResult, system: str, baseline: str, level: float
) -> Iterator[dict[str, Any]]:
    for row in _pair_rows(found.pairs, system, baseline, "interleaving").iter_rows(named=True):
        value, low, high = _oriented(row, "preference", system)
        yield {
            "evidence": INTERLEAVING,
            "measure": f"preference ({found.conventions['method']})",
            "difference": value,
            "low": low,
            "high": high,
            "p": row["p_corrected"],
            "units": row["users"],
            "unit": "user",
            "favors": _favored(value, row["p_corrected"], (system, baseline), level),
        }


def _experiment_rows(
    found: ExperimentResult, names: tuple[str, str], arm: str | None, level: float
) -> Iterator[dict[str, Any]]:
    if found.hidden:
        return
    arms = found.results["arm"].unique().sort().to_list()
    # The control may be the system: then the arm is that of the baseline, and signs change.
    turned = arm is None and found.conventions["control"] == names[0]
    wanted = names[1] if turned else names[0]
    chosen = arm or (wanted if wanted in arms else arms[0] if len(arms) == 1 else None)
    if chosen not in arms:
        raise UsageError(f"name the `arm` of {wanted}: the experiment has {', '.join(arms)}")
    for row in found.results.filter(pl.col("arm") == chosen).iter_rows(named=True):
        sign = -1 if row["better"] == "lower" else 1
        value, low, high = row["difference"], row["low"], row["high"]
        if turned:
            value, low, high = -value, -high, -low
        yield {
            "evidence": EXPERIMENT,
            "measure": row["measure"],
            "difference": value,
            "low": low,
            "high": high,
            "p": row["p_corrected"],
            "units": row["users"] + row["users_control"],
            "unit": "user",
            "favors": _favored(sign * value, row["p_corrected"], names, level),
        }
