"""Ties: what the order of documents with equal scores does to the numbers of each run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.core.arrays import Bools, take_units
from assay.core.conventions import Conventions, RunOptions
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.printable import Printable
from assay.core.progress import report_progress, shows_progress
from assay.core.tables import Run
from assay.engine.local import Measurement, measure_view
from assay.engine.tie_values import TieAnalysis, TiedValues
from assay.evidence.alignment.run_order import ScoreGroups
from assay.evidence.batched_systems import SystemBatch, batch_systems
from assay.evidence.views.rankings import Rankings
from assay.tasks.evidence import Measures
from assay.tasks.retrieval.holes import ONLY_RANKINGS
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence, evidence_of

DEPTHS = (5, 10, 20, 100)


@dataclass(frozen=True, repr=False, eq=False)
class TiesReport(Printable):
    """How many ties there are, and what each measure would be in other orders."""

    ties: pl.DataFrame
    """A row for each run: tied documents, queries with ties, and with ties across cutoffs."""
    measures: pl.DataFrame
    """A row for each run and measure: value, expected, lowest, highest, and how they were found."""
    notes: tuple[str, ...] = ()
    """What a user should know of how runs and judgments fit."""

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the table ``measures``, or "ties"."""
        return super().to_polars(table or "measures", wide=wide)


def ties(
    qrels: Any,
    runs: Any = None,
    measures: Measures = None,
    *,
    seed: int = 1,
    **options: Unpack[RunOptions],
) -> TiesReport:
    """Show what the order of tied documents does to each run.

    Inputs are as in ``retrieval``, or its Scores alone, with their measures by default.
    """
    evidence, measures = evidence_of(qrels, runs, measures, options)
    return tie_report(evidence, measures, seed)


@shows_progress
def tie_report(evidence: RetrievalEvidence, measures: Measures = None, seed: int = 1) -> TiesReport:
    """Return the expected, lowest and highest value of each measure over the orders of ties.

    All orders of documents with equal scores are equally likely. Few orders are enumerated; where
    there are many, the expected value of a sum over documents is still exact, and for other
    measures orders are sampled with the seed. Rankings are not cut: the end could split a tie.
    """
    _refuse_cut_rankings(evidence.settings.conventions)
    selected = evidence.select_measures_of(Rankings, measures, ONLY_RANKINGS)
    held = _in_memory(evidence)
    counts = [
        {"system": name} | _counts(run, held.settings.conventions)
        for name, run in held.runs.items()
    ]
    rankings = {name: held.rankings(name) for name in held.systems}
    notes = [note for name in held.systems for note in held.alignment(name).warnings]
    rows = [
        row
        for stack in batch_systems(rankings.items())
        for row in _rows(stack, selected, seed, held.settings.conventions)
    ]
    return TiesReport(pl.DataFrame(counts), pl.DataFrame(rows), tuple(dict.fromkeys(notes)))


def _refuse_cut_rankings(conventions: Conventions) -> None:
    """Refuse settings that remove documents from the rankings before ties are counted."""
    if conventions.depth is not None:
        raise UsageError(
            f"a depth of {conventions.depth} could split documents of equal score; use measures"
            f" with a cutoff, such as P@{conventions.depth}"
        )
    if conventions.unjudged == "drop":
        raise UsageError(
            "ties among unjudged documents cannot be counted once these are removed; use measures"
            " of the judged ones, such as AP(judged_only=yes)"
        )


def _in_memory(evidence: RetrievalEvidence) -> RetrievalEvidence:
    """Return the same evidence with each run read once and held: ties are counted in it too."""
    held = {
        name: Run(run.frame, run.source, run.name, run.empty) for name, run in evidence.runs.items()
    }
    return replace(evidence, runs=held)


def _counts(run: Run, conventions: Conventions) -> dict[str, int]:
    groups = ScoreGroups.of(run, conventions)
    tied = groups.size > 1

    def queries(chosen: Bools) -> int:
        """Return the number of queries with such groups."""
        return int(np.count_nonzero(np.bincount(groups.query[chosen])))

    across = {
        f"across {depth}": queries(tied & (groups.first <= depth) & (groups.last > depth))
        for depth in DEPTHS
    }
    return {
        "documents": int(groups.size.sum()),
        "tied": int(groups.size[tied].sum()),
        "queries": queries(groups.size > 0),
        "with ties": queries(tied),
    } | across


def _rows(
    stack: SystemBatch, asked: Sequence[Measure], seed: int, conventions: Conventions
) -> list[dict[str, Any]]:
    """Return a row for each system and measure."""
    tying, policy, found = TieAnalysis(stack.whole, seed), conventions.no_relevant, []
    for measure in asked:
        report_progress(f"{', '.join(stack.systems)}: {measure}")
        now = measure_view(stack.whole, measure, policy)
        tied = tying.values(measure, now.values if policy == "undefined" else None)
        found.append((measure, now, tied))
    return [
        _row(name, measure, now.of(view, own), take_units(tied, own))
        for name, view, own in zip(stack.systems, stack.views, stack.parts, strict=True)
        for measure, now, tied in found
    ]


def _row(system: str, measure: Measure, now: Measurement, found: TiedValues) -> dict[str, Any]:
    expected, low, high = found.summary(measure, now)
    return {
        "system": system,
        "measure": measure.name,
        "value": now.summary(measure),
        "expected": expected,
        "lowest": low,
        "highest": high,
        "found": _method_text(found, measure),
    }


def _method_text(found: TiedValues, measure: Measure) -> str:
    """Return how the values were found; the mean of products is not the product of means."""
    if not (found.exact & found.limits_exact).all():
        return "by a sample of orders"
    return "exactly for each query" if measure.definition.aggregate == "geometric" else "exactly"
