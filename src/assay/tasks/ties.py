"""Ties: what the order of documents with equal scores does to the numbers of each run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from assay.core.conventions import Conventions
from assay.core.conventions import profile as profile_named
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.tables import Run
from assay.engine.local import aggregate, measured
from assay.engine.ties import TiedValues, Tying
from assay.evidence.alignment import align
from assay.evidence.judged import Judged
from assay.evidence.ordering import score_groups
from assay.evidence.rankings import Rankings
from assay.formats import containers
from assay.tasks.assembly import Asked, asked_under, chosen
from assay.tasks.holes import ONLY_RANKINGS

DEPTHS = (5, 10, 20, 100)


@dataclass(frozen=True)
class TiesReport:
    """How many ties there are, and what each measure would be in other orders."""

    ties: pl.DataFrame
    """A row for each run: tied documents, queries with ties, and with ties across cutoffs."""
    measures: pl.DataFrame
    """A row for each run and measure: value, expected, lowest, highest, and how they were found."""
    notes: tuple[str, ...] = ()
    """What a user should know of how runs and judgments fit."""


def ties(
    qrels: Any,
    runs: Any,
    measures: Asked = None,
    *,
    rel: float | None = None,
    profile: str | Conventions = "assay",
    policies: Mapping[str, str] | None = None,
    input_format: str | None = None,
    qrels_format: str | None = None,
    seed: int = 1,
) -> TiesReport:
    """What the order of tied documents does to each run.

    All orders of documents with equal scores are equally likely. Few orders are gone through;
    where there are many, the expected value of a sum over documents is still exact, and for other
    measures orders are drawn at random with the seed. ``policies`` and formats are as in
    ``retrieval``, but lists are not cut off: the end would go through tied documents.
    """
    conventions = profile_named(profile).changed(**(policies or {}))
    judged = containers.judgments(qrels, qrels_format or input_format)
    if conventions.depth is not None:
        raise UsageError(
            f"a depth of {conventions.depth} would cut through documents of equal score; ask for"
            f" measures that have a cutoff, such as P@{conventions.depth}"
        )
    views = {Rankings: lambda: None}
    asked = chosen(measures, "retrieval", views, ONLY_RANKINGS, conventions.needed)
    asked = asked_under(asked, conventions, rel)
    systems = containers.runs(runs, input_format)
    counted, rows = [], []
    notes: list[str] = []
    truth = Judged.of(judged, conventions)
    for given in systems:
        # Looked at twice, so it is read once and held.
        run = Run(given.frame, given.source, given.name, given.empty)
        counted.append({"system": run.name} | _counts(run, conventions))
        alignment = align(truth, run, conventions)
        notes += alignment.warnings
        view = alignment.rankings
        tying = Tying(view, seed)
        rows += [_row(run.name, view, measure, tying, conventions.no_relevant) for measure in asked]
    return TiesReport(pl.DataFrame(counted), pl.DataFrame(rows), tuple(dict.fromkeys(notes)))


def _counts(run: Run, conventions: Conventions) -> dict[str, int]:
    groups = score_groups(run, conventions)
    groups = groups.with_columns(documents=pl.col("tie_last") - pl.col("tie_first") + 1)
    tied = groups.filter(pl.col("documents") > 1)
    across = {
        f"across {depth}": tied.filter(
            (pl.col("tie_first") <= depth) & (pl.col("tie_last") > depth)
        )["query"].n_unique()
        for depth in DEPTHS
    }
    return {
        "documents": int(groups["documents"].sum()),
        "tied": int(tied["documents"].sum()),
        "queries": groups["query"].n_unique(),
        "with ties": tied["query"].n_unique(),
    } | across


def _row(
    system: str, view: Rankings, measure: Measure, tying: Tying, no_relevant: str
) -> dict[str, Any]:
    now = measured(view, measure, no_relevant)
    found = tying.values(measure, now.values if no_relevant == "undefined" else None)
    expected, low, high = found.summary(measure, now)
    return {
        "system": system,
        "measure": measure.name,
        "value": aggregate(measure, now.values, now.parts, now.view.support),
        "expected": expected,
        "lowest": low,
        "highest": high,
        "found": _how(found, measure),
    }


def _how(found: TiedValues, measure: Measure) -> str:
    """How the values were found; the mean of products is not the product of means."""
    if not (found.exact and found.limits_exact):
        return "by a sample of orders"
    return "exactly for each query" if measure.definition.aggregate == "geometric" else "exactly"
