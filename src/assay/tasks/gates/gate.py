"""Gates: conditions that Scores must meet, with the checks that failed and by how much."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from assay.core.errors import DataError, GateFailed, UsageError
from assay.core.json_rows import json_row
from assay.core.output_files import write_text
from assay.core.phrases import list_phrase, quantity
from assay.core.printable import REGISTRY, Printable
from assay.engine.result import ALL, Result
from assay.engine.scores import Scores
from assay.statistics.differences.paired_samples import Missing, pair_systems
from assay.statistics.differences.sliced_samples import LEFT_OUT, SliceRules, small_slice_notes
from assay.statistics.slice_gaps import slice_size
from assay.tasks.comparison.comparison_notes import summary_notes
from assay.tasks.gates.gate_checks import (
    GateCheck,
    GateRules,
    ProofRule,
    sample_checks,
    summary_checks,
)
from assay.tasks.scores.compared_scores import pooled_items_notes
from assay.tasks.scores.read_scores import (
    ScoreColumns,
    find_system,
    merge_scores,
    read_scores,
)
from assay.tasks.scores.renamed_scores import rename_systems
from assay.tasks.scores.unit_slices import with_slices
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

    def __bool__(self) -> bool:
        """Whether every check holds, so that ``assert gate`` does what it says."""
        return self.holds

    @property
    def failed(self) -> tuple[GateCheck, ...]:
        """The checks that do not hold."""
        return tuple(check for check in self.checks if not check.holds)

    @property
    def left_out(self) -> list[str]:
        """The warnings that say which slices are too small to be checked."""
        return [each for each in self.warnings if each.startswith(LEFT_OUT)]

    @property
    def verdict(self) -> str:
        """One line: whether the gate holds, and whether no slice was large enough to be checked."""
        checks = quantity(len(self.checks), "check")
        if self.left_out and all(check.slice == ALL for check in self.checks):
            checks += ", none of a slice"
        if self.holds:
            return f"The gate holds: {checks}."
        return f"The gate does not hold: {len(self.failed)} of {checks} failed."

    def require(self) -> Gate:
        """Raise ``GateFailed`` with the checks that failed, if any did; return the gate."""
        if failed := self.failed:
            raise GateFailed("\n".join([self.verdict, *(check.line for check in failed)]))
        return self

    def to_junit(self) -> str:
        """Return JUnit XML, which build servers read: a test case for each check."""
        return str(REGISTRY.call("write", self, "junit"))

    def save(self, path: str | Path) -> None:
        """Keep the gate in a JSON file, for ``assay.load``; or as JUnit XML in a file ``.xml``."""
        if Path(path).suffix.casefold() == ".xml":
            write_text(path, self.to_junit(), "\n")
        else:
            super().save(path)

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
    measures: Any = None,
    *,
    baseline: Any = None,
    floor: float | Mapping[Any, float] | None = None,
    margin: float | Mapping[Any, float] | None = None,
    confidence: float = 0.95,
    prove: ProofRule = "kept",
    worst: float | None = None,
    worst_loss: float | None = None,
    by: Any = None,
    units: Any = None,
    min_size: int = 1,
    weights: Mapping[str, float] | None = None,
    missing: Missing = "drop",
    system_column: str | None = None,
    unit_column: str | None = None,
    decimal_comma: bool = False,
) -> Gate:
    """Check every system but the baseline against the given conditions.

    With a ``baseline``, the name of a system, or Scores (saved ones, too) of one more or of each by
    its name, a system may lose at most the ``margin``, and this must be shown with the
    ``confidence`` (one-sided, paired over units); ``prove="worse"`` reverses the burden of proof.
    ``floor`` and ``margin`` are numbers, or dicts of measure to number.
    ``by`` applies floor and margin to each slice too: a dict or Series of the slice of each unit, a
    table of both, or a column of the table ``units``; so do scores that were measured by slice.
    Slices with fewer units than ``min_size`` are not checked, which a note says.
    ``system_column``, ``unit_column`` and ``decimal_comma`` are of tables, as in ``compare``.
    """
    columns = ScoreColumns(system_column, unit_column, decimal_comma)
    found, bases = _read_with_baseline(scores, baseline, columns)
    found, labels = with_slices(found, by, units)
    slices = SliceRules(labels, min_size)
    _refuse_unjudged(found)
    names = found.find_measures(measures)
    floor, margin = _limits(found, names, floor, "floor"), _limits(found, names, margin, "margin")
    rules = GateRules(floor, margin, confidence, prove, worst, worst_loss)
    _refuse_empty(rules, baseline)
    checks: list[GateCheck] = []
    notes = [*found.warnings, *pooled_items_notes(found)]
    for name in names:
        summed = [] if weights is not None else _summaries(found, name, bases, min_size)
        checks += summary_checks(summed, rules)
        if weights is None:
            notes += small_slice_notes(_slice_sizes(found, name), min_size)
        if rules.need_units or slices.labels or weights is not None:
            one = pair_systems(found, name, missing, weights)
            notes += [*summary_notes(found, one), *one.notes, *slices.notes(found, one)]
            parts = slices.parts(found, one)
            summarized = {each.slice for each in summed}
            for system in one.systems:
                if system in bases:
                    checks += sample_checks(one, system, bases[system], rules, parts, summarized)
    _require_conditions(checks, found, bases)
    base = dict(bases) if len({*bases.values()}) > 1 else next(iter(bases.values()), None)
    conventions = {"assay": VERSION, "baseline": base, **asdict(rules), "scores": found.conventions}
    return Gate(tuple(checks), conventions, tuple(dict.fromkeys(notes)))


def _limits(
    scores: Scores, names: Sequence[str], given: float | Mapping[Any, float] | None, what: str
) -> float | Mapping[str, float] | None:
    """Return limits by the names that the scores have for the measures."""
    if not isinstance(given, Mapping):
        return given
    limits = {scores.find_measures(key)[0]: value for key, value in given.items()}
    if other := next((name for name in limits if name not in names), None):
        raise UsageError(f"a {what} is given for {other}: add {other} to the measures")
    return limits


def _read_with_baseline(
    given: Any, baseline: Any, columns: ScoreColumns
) -> tuple[Scores, dict[str, str | None]]:
    """Return scores with those of a baseline, and the baseline of each system to be checked."""
    found = read_scores(given, columns)
    if baseline is None:
        return found, dict.fromkeys(found.systems)
    if isinstance(baseline, str | Path) and str(baseline).endswith(".parquet"):
        with suppress(UsageError):
            return found, _bases(found, find_system(found, str(baseline)))
        baseline = Scores.load(baseline)
    if not isinstance(baseline, Scores):
        return found, _bases(found, find_system(found, baseline))
    if len(baseline.systems) > 1:
        return _with_own_baselines(found, baseline)
    name = baseline.systems[0]
    if name in found.systems:
        name = f"{name} (baseline)"
    return merge_scores([found, rename_systems(baseline, name)]), dict.fromkeys(found.systems, name)


def _bases(scores: Scores, base: str) -> dict[str, str | None]:
    """Return the baseline of each other system."""
    return {each: base for each in scores.systems if each != base}


def _with_own_baselines(scores: Scores, baseline: Scores) -> tuple[Scores, dict[str, str | None]]:
    """Return scores with those of the same names in the baseline, and the baseline of each."""
    if not {*scores.systems} <= {*baseline.systems}:
        raise UsageError(
            f"the baseline has the scores of {len(baseline.systems)} systems"
            f" ({list_phrase(baseline.systems)}); give those of one, evaluate all together and name"
            " it, or check systems that have the names of their baselines, not"
            f" {list_phrase(scores.systems)}"
        )
    bases = {each: f"{each} (baseline)" for each in scores.systems}
    parts = [
        rename_systems(
            replace(baseline, results=tuple(r for r in baseline.results if r.system == each)), name
        )
        for each, name in bases.items()
    ]
    return merge_scores([scores, *parts]), {**bases}


def _summaries(
    scores: Scores, measure: str, systems: Collection[str], min_size: int
) -> list[Result]:
    """Return the values of the systems to be checked, without those of small slices."""
    return [
        each
        for each in scores.results
        if each.measure == measure and each.system in systems
        if each.slice == ALL or slice_size(scores, each) >= min_size
    ]


def _slice_sizes(scores: Scores, measure: str) -> dict[str, int]:
    """Return the size of each slice that the scores were measured by."""
    own = [each for each in scores.results if each.measure == measure and each.slice != ALL]
    return {each.slice: slice_size(scores, each) for each in own}


def _refuse_unjudged(scores: Scores) -> None:
    """Raise an error where no document of any system is judged: any gate would hold then."""
    counts = scores.conventions.get("counts") or {}
    known = [each["judged documents"] for each in counts.values() if "judged documents" in each]
    if known and not any(known):
        raise DataError(
            f"no document of {' or '.join(counts)} is judged, so that nothing can be checked; do"
            " the ids of documents have the same form in both files?"
        )


def _require_conditions(
    checks: Sequence[GateCheck], scores: Scores, systems: Collection[str]
) -> None:
    if checks:
        return
    why = "no floor or margin names one of the measures"
    if not systems:
        base = list_phrase(scores.systems)
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


def parse_limits(given: Sequence[str], what: str) -> float | dict[str, float] | None:
    """Return limits from their text: ``0.3`` for all measures, or ``nDCG@10=0.3`` for one."""
    found: dict[str, float] = {}
    for text in given:
        name, _, number = text.rpartition("=")
        try:
            found[name] = float(number)
        except ValueError:
            raise UsageError(f"a {what} is a number or MEASURE=number, not '{text}'") from None
    if "" in found and len(found) > 1:
        raise UsageError(f"one {what} for all measures, or one for each by name; not both")
    return found.get("", found or None)
