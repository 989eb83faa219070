"""Ties: what the order of documents with equal scores does to the numbers of each run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Bools
from assay.core.conventions import Conventions
from assay.core.conventions import profile as profile_named
from assay.core.errors import UsageError
from assay.core.names import Measure
from assay.core.printed import Printed
from assay.core.tables import Run
from assay.engine.local import Measured, aggregate, measured
from assay.engine.ties import TiedValues, Tying
from assay.evidence.alignment import align
from assay.evidence.judged import Judged
from assay.evidence.ordering import ScoreGroups
from assay.evidence.rankings import Rankings
from assay.evidence.stacks import Stack, stacks
from assay.formats import containers
from assay.tasks.assembly import Asked, asked_under, chosen
from assay.tasks.holes import ONLY_RANKINGS

DEPTHS = (5, 10, 20, 100)


@dataclass(frozen=True, repr=False)
class TiesReport(Printed):
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
    if conventions.unjudged == "drop":
        raise UsageError(
            "without unjudged documents it cannot be told which of them are tied; ask for measures"
            " of the judged ones, such as AP(judged_only=yes)"
        )
    views = {Rankings: lambda: None}
    asked = chosen(measures, "retrieval", views, ONLY_RANKINGS, conventions.needed)
    asked = asked_under(asked, conventions, rel)
    looked = _Looked(
        containers.runs(runs, input_format), Judged.of(judged, conventions), conventions
    )
    rows = [
        row for stack in stacks(looked.views()) for row in _rows(stack, asked, seed, conventions)
    ]
    return TiesReport(
        pl.DataFrame(looked.counts), pl.DataFrame(rows), tuple(dict.fromkeys(looked.notes))
    )


@dataclass(frozen=True)
class _Looked:
    """Runs that are looked at one after the other, and what was seen in passing."""

    systems: Sequence[Run]
    truth: Judged
    conventions: Conventions
    counts: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def views(self) -> Iterator[tuple[str, Rankings]]:
        """The rankings of each run."""
        for given in self.systems:
            # Looked at twice, so it is read once and held.
            run = Run(given.frame, given.source, given.name, given.empty)
            self.counts.append({"system": run.name} | _counts(run, self.conventions))
            alignment = align(self.truth, run, self.conventions)
            self.notes.extend(alignment.warnings)
            yield run.name, alignment.rankings


def _counts(run: Run, conventions: Conventions) -> dict[str, int]:
    groups = ScoreGroups.of(run, conventions)
    tied = groups.size > 1

    def queries(chosen: Bools) -> int:
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
    stack: Stack, asked: Sequence[Measure], seed: int, conventions: Conventions
) -> list[dict[str, Any]]:
    """A row for each system and measure."""
    tying, policy, found = Tying(stack.whole, seed), conventions.no_relevant, []
    for measure in asked:
        now = measured(stack.whole, measure, policy)
        tied = tying.values(measure, now.values if policy == "undefined" else None)
        found.append((measure, now, tied))
    return [
        _row(name, measure, now.of(view, own), tied.of(own))
        for name, view, own in zip(stack.systems, stack.views, stack.parts, strict=True)
        for measure, now, tied in found
    ]


def _row(system: str, measure: Measure, now: Measured, found: TiedValues) -> dict[str, Any]:
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
    if not (found.exact & found.limits_exact).all():
        return "by a sample of orders"
    return "exactly for each query" if measure.definition.aggregate == "geometric" else "exactly"
