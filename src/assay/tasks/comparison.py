"""Comparison: Scores of several systems to what is sure about their differences."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.plain import plain_rows
from assay.core.printed import Printed
from assay.engine.scores import ALL, Scores
from assay.statistics.contrasts import Contrasts, contrasts, joint_contrasts
from assay.statistics.facts import Method
from assay.statistics.findings import Alternative, Setup
from assay.statistics.intervals import Bootstrap
from assay.statistics.pairing import Missing, Sample
from assay.statistics.slices import parts
from assay.statistics.table_contrasts import table_contrasts
from assay.statistics.table_pairing import by_units, paired
from assay.statistics.table_sample import TableSample
from assay.tasks.comparison_notes import (
    constant,
    out_of_reach,
    reversals,
    turned_orders,
    what_is_paired,
)
from assay.tasks.comparison_plan import Family, Plan, correction_of
from assay.tasks.comparison_tables import joint_table, pair_table, system_table
from assay.tasks.score_sources import chosen_measures, named_system, scores_of
from assay.version import VERSION


def compare(
    scores: Any,
    measures: str | Iterable[str] | None = None,
    *,
    baseline: str | Sequence[str] | None = None,
    test: str = "randomization",
    correct: str | None = None,
    family: Family = "all",
    alternative: Alternative = "two-sided",
    margin: float | None = None,
    interval: Bootstrap = Bootstrap(),  # noqa: B008 (frozen)
    permutations: int = 10_000,
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
    column for each measure). ``test`` is a
    paired test, whose p-values ``correct`` corrects over the ``family``, or a joint test, which has
    its correction built in. ``margin`` is the difference that would matter: it adds a test of
    equivalence. ``weights`` and ``slices`` are given by unit; ``interval.clusters`` makes whole
    clusters the units of every test.
    """
    found = scores_of(scores)
    listed = [baseline] if isinstance(baseline, str) else list(baseline or ())
    baselines = dict.fromkeys(named_system(found, name) for name in listed)
    if len(found.systems) < 2:
        raise UsageError(f"there is one system, {found.systems[0]}: a comparison needs two")
    plan = Plan(
        tuple(baselines),
        test,
        correction_of(test, correct),
        family,
        margin,
        interval,
        Setup(alternative, permutations, seed, tie_width, test_share, progress),
    )
    samples, warnings = _samples(found, chosen_measures(found, measures), plan, missing, weights)
    return _compared(found, samples, plan, slices, warnings)


@dataclass(frozen=True, repr=False)
class Comparison(Printed):
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
            "systems": plain_rows(self.systems),
            "pairs": plain_rows(self.pairs),
            "joint": plain_rows(self.joint),
            "conventions": self.conventions,
            "warnings": list(self.warnings),
        }
        return json.dumps(content, indent=1, ensure_ascii=False)


def _samples(
    scores: Scores,
    measures: Sequence[str],
    plan: Plan,
    missing: Missing,
    weights: Mapping[str, float] | None,
) -> tuple[dict[str, Sample | TableSample], list[str]]:
    """The measures that can be compared, and what to say of all of them."""
    found: dict[str, Sample | TableSample] = {}
    refused: list[str] = []
    for measure in measures:
        try:
            choose = by_units if plan.joint else paired
            found[measure] = choose(scores, measure, missing, weights)
        except DataError as failure:
            if len(measures) == 1 or missing == "error":
                raise
            refused.append(str(failure))
    if not found:
        raise DataError(" ".join(dict.fromkeys(refused)))
    refused += [note for each in found.values() for note in what_is_paired(scores, each)]
    said = [note for each in found.values() for note in (*each.notes, *constant(each))]
    return found, [*scores.warnings, *refused, *said]


def _compared(
    scores: Scores,
    samples: Mapping[str, Sample | TableSample],
    plan: Plan,
    slices: Mapping[str, str] | None,
    warnings: list[str],
) -> Comparison:
    found: list[Contrasts] = []
    for each in samples.values():
        found.append(_contrasts(each, ALL, plan))
        for part in parts(each.units, slices) if slices else ():
            own = each.where(part.kept)
            if plan.joint and isinstance(own, Sample) and np.count_nonzero(own.complete) < 2:
                warnings.append(f"{each.measure}: the slice {part.name} has too few units to test")
            else:
                found.append(_contrasts(own, part.name, plan))
    warnings += [note for each in found for note in each.notes]
    level = 1 - plan.interval.confidence
    pairs = pair_table(found, plan.test, plan.correct, plan.family, level)
    if plan.joint and len(samples) > 1:
        warnings.append(
            f"{plan.test} corrects over the pairs of systems, not over the {len(samples)} measures"
        )
    if plan.correct != "none":
        warnings += out_of_reach(pairs, plan.draws, plan.correct, plan.family, level)
    if slices:
        warnings += reversals(pairs)
    systems = system_table(samples.values(), pairs, plan)
    warnings += turned_orders(systems, pairs)
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


def _contrasts(one: Sample | TableSample, slice_name: str, plan: Plan) -> Contrasts:
    method = Method(plan.test, plan.setup, plan.interval, plan.margin)
    if isinstance(one, TableSample):
        return replace(table_contrasts(one, plan.baselines, method), slice=slice_name)
    made = joint_contrasts if plan.joint else contrasts
    return replace(made(one, plan.baselines, method), slice=slice_name)
