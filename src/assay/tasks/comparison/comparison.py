"""Comparison: Scores of several systems to what is sure about their differences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.json_rows import json_rows
from assay.core.printable import Printable
from assay.engine.scores import ALL, Scores
from assay.statistics.differences.contrasts import (
    Contrasts,
    joint_contrasts,
    paired_contrasts,
    system_pairs,
)
from assay.statistics.differences.pair_statistics import ContrastMethod
from assay.statistics.differences.paired_samples import pair_systems, pair_units
from assay.statistics.differences.table_contrasts import table_contrasts
from assay.statistics.differences.table_sample import TableSample
from assay.statistics.differences.unit_slices import units_by_slice
from assay.statistics.differences.unit_values import Missing, Sample
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.statistics.test_result import Alternative, Setup
from assay.tasks.comparison.comparison_notes import (
    constant_system_note,
    pairing_note,
    reversal_notes,
    reversed_order_notes,
    unreachable_p_value_note,
)
from assay.tasks.comparison.comparison_plan import (
    JOINT_TEST,
    PERMUTATIONS,
    TEST,
    ComparisonPlan,
    Family,
    choose_correction,
    family_size,
    permutations_for,
    too_many_tests,
)
from assay.tasks.comparison.comparison_tables import joint_table, pair_table, system_table
from assay.tasks.scores.read_scores import find_system, read_scores, select_score_measures
from assay.version import VERSION


def compare(
    scores: Any,
    measures: str | Iterable[str] | None = None,
    *,
    baseline: str | Sequence[str] | None = None,
    test: str | None = None,
    correct: str | None = None,
    family: Family = "systems",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    interval: Bootstrap = Bootstrap(),  # noqa: B008 (frozen)
    permutations: int | None = None,
    seed: int = 1,
    tie_width: float = 0.0,
    test_share: float | None = None,
    missing: Missing = "drop",
    weights: Mapping[str, float] | None = None,
    slices: Mapping[str, str] | None = None,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Comparison:
    """Compare systems with one or more baselines, or all with all.

    ``scores`` are Scores, saved ones, or a table of system, unit, measure and value (or with a
    column for each measure). ``test`` is a paired test, whose p-values ``correct`` corrects over
    the ``family``, or a joint test, which has its correction built in. The default is a
    randomization test with Holm's correction and as many permutations as that needs, or for very
    many pairs the randomised Tukey test. ``margin`` is the difference that would matter: it adds a
    test of equivalence. ``weights`` and ``slices`` are given by unit; ``interval.clusters`` makes
    whole clusters the units of every test.
    """
    found = read_scores(scores)
    listed = [baseline] if isinstance(baseline, str) else list(baseline or ())
    baselines = dict.fromkeys(find_system(found, name) for name in listed)
    if len(found.systems) < 2:
        raise UsageError(f"there is one system, {found.systems[0]}: a comparison needs two")
    plan = ComparisonPlan(
        tuple(baselines),
        test or TEST,
        choose_correction(test or TEST, correct),
        family,
        margin,
        interval,
        Setup(alternative, permutations or PERMUTATIONS, seed, tie_width, test_share, progress),
    )
    samples, warnings = _samples(
        found, select_score_measures(found, measures), plan, missing, weights
    )
    if permutations is None:
        plan, notes = _default_draws(plan, samples, replaceable=test is None and correct is None)
        warnings += notes
    return _compare_measure(found, samples, plan, slices, warnings)


def _default_draws(
    plan: ComparisonPlan, samples: Mapping[str, Sample | TableSample], replaceable: bool
) -> tuple[ComparisonPlan, list[str]]:
    """Raise the permutations to what the correction needs, or take the joint test instead."""
    level = 1 - plan.interval.confidence
    pairs = max(len(system_pairs(each.systems, plan.baselines)[0]) for each in samples.values())
    tests = family_size(pairs, len(samples), plan.family)
    if plan.joint or plan.correct == "none":
        return plan, []
    if not too_many_tests(tests, level):
        needed = permutations_for(tests, level)
        return replace(plan, setup=replace(plan.setup, permutations=needed)), []
    two_sided = plan.setup.alternative == "two-sided"
    joint = replaceable and two_sided and not plan.baselines and _can_be_joint(samples)
    if not joint:
        return plan, []
    said = (
        f"{tests:,} tests: instead of the randomization test with Holm's correction, which would"
        f" need {permutations_for(tests, level):,} permutations of each pair, all pairs are tested"
        " together by the randomised Tukey test"
    )
    return replace(plan, test=JOINT_TEST, correct="none"), [said]


def _can_be_joint(samples: Mapping[str, Sample | TableSample]) -> bool:
    """Whether all measures have values of units, without weights, that all systems share."""
    return all(
        isinstance(each, Sample) and each.weights is None and np.count_nonzero(each.complete) > 1
        for each in samples.values()
    )


@dataclass(frozen=True, repr=False)
class Comparison(Printable):
    """What is sure about the differences of systems."""

    task: str
    baselines: tuple[str, ...]
    systems: pl.DataFrame
    """For each measure and system: mean, interval, units, letters where all pairs were tested."""
    pairs: pl.DataFrame
    """For each measure, slice and pair: the difference, its interval, its size and its p-values."""
    joint: pl.DataFrame
    """For each measure: the test of all systems together, where one was done."""
    conventions: dict[str, Any]
    warnings: tuple[str, ...] = ()
    samples: Mapping[str, Sample] = field(default_factory=dict)

    def to_json(self) -> str:
        """Everything, at full precision."""
        content = {
            "task": self.task,
            "baselines": list(self.baselines),
            "systems": json_rows(self.systems),
            "pairs": json_rows(self.pairs),
            "joint": json_rows(self.joint),
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def _samples(
    scores: Scores,
    measures: Sequence[str],
    plan: ComparisonPlan,
    missing: Missing,
    weights: Mapping[str, float] | None,
) -> tuple[dict[str, Sample | TableSample], list[str]]:
    """The measures that can be compared, and what to say of all of them."""
    found: dict[str, Sample | TableSample] = {}
    refused: list[str] = []
    for measure in measures:
        try:
            choose = pair_units if plan.joint else pair_systems
            found[measure] = choose(scores, measure, missing, weights)
        except DataError as failure:
            if len(measures) == 1 or missing == "error":
                raise
            refused.append(str(failure))
    if not found:
        raise DataError(" ".join(dict.fromkeys(refused)))
    refused += [note for each in found.values() for note in pairing_note(scores, each)]
    said = [note for each in found.values() for note in (*each.notes, *constant_system_note(each))]
    return found, [*scores.warnings, *refused, *said]


def _compare_measure(
    scores: Scores,
    samples: Mapping[str, Sample | TableSample],
    plan: ComparisonPlan,
    slices: Mapping[str, str] | None,
    warnings: list[str],
) -> Comparison:
    found: list[Contrasts] = []
    for each in samples.values():
        found.append(_contrasts_of(each, ALL, plan))
        for part in units_by_slice(each.units, slices) if slices else ():
            own = each.where(part.kept)
            if plan.joint and isinstance(own, Sample) and np.count_nonzero(own.complete) < 2:
                warnings.append(f"{each.measure}: the slice {part.name} has too few units to test")
            else:
                found.append(_contrasts_of(own, part.name, plan))
    warnings += [note for each in found for note in each.notes]
    level = 1 - plan.interval.confidence
    pairs = pair_table(found, plan.test, plan.correct, plan.family, level)
    if len(samples) > 1 and (plan.joint or (plan.family == "systems" and plan.correct != "none")):
        how = plan.test if plan.joint else plan.correct
        warnings.append(
            f"{how} corrects over the pairs of systems, not over the {len(samples)} measures"
            + ("" if plan.joint else "; `family=all` does")
        )
    if plan.correct != "none":
        warnings += unreachable_p_value_note(pairs, plan.draws, plan.correct, plan.family, level)
    if slices:
        warnings += reversal_notes(pairs)
    systems = system_table(samples.values(), pairs, plan)
    warnings += reversed_order_notes(systems, pairs)
    return Comparison(
        scores.task,
        plan.baselines,
        systems,
        pairs,
        joint_table(found),
        {"assay": VERSION, **plan.described(), "scores": scores.conventions},
        tuple(dict.fromkeys(warnings)),
        {name: each for name, each in samples.items() if isinstance(each, Sample)},
    )


def _contrasts_of(one: Sample | TableSample, slice_name: str, plan: ComparisonPlan) -> Contrasts:
    method = ContrastMethod(plan.test, plan.setup, plan.interval, plan.margin)
    if isinstance(one, TableSample):
        return replace(table_contrasts(one, plan.baselines, method), slice=slice_name)
    made = joint_contrasts if plan.joint else paired_contrasts
    return replace(made(one, plan.baselines, method), slice=slice_name)
