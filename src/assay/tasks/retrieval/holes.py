"""Holes: what missing judgments do to the numbers of each run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Unpack

import numpy as np
import polars as pl

from assay.core.arrays import Floats, take_units
from assay.core.conventions import Conventions, RunOptions
from assay.core.names import Measure
from assay.core.printable import Printable
from assay.core.progress import with_progress
from assay.core.tables import Judgments
from assay.engine.bounds import BoundsFinder
from assay.engine.document_weights import Factors
from assay.engine.extremes import Bounds
from assay.engine.local import Measurement, measure_view
from assay.engine.measure_facts import facts_of
from assay.engine.result import natural_key
from assay.evidence.batched_systems import SystemBatch, batch_systems
from assay.evidence.unjudged.unjudged_documents import Holes, raise_negatives
from assay.evidence.views.rankings import Rankings
from assay.tasks.evidence import Measures
from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence, evidence_of

DEPTHS = (5, 10, 20, 100)
"""The depths at which the share of judged documents is shown."""
UNEQUAL_SHARE = 0.1
"""Runs whose judged shares at depth 10 differ by more are compared by their judging."""
SPARSE_SHARE = 10
"""With fewer judged documents a query on average, judgments are called sparse."""
ONLY_RANKINGS = (
    "which are not supported here ('assay retrieval' evaluates it); use a measure of plain"
    " judgments, such as nDCG@10 or AP"
)
"""Why measures of other views are refused."""


@dataclass(frozen=True, repr=False, eq=False)
class HolesReport(Printable):
    """The share of judged documents, and each measure under different readings of the holes."""

    judged: pl.DataFrame
    """A row for each run: the mean share of judged documents at each depth."""
    measures: pl.DataFrame
    """A row for each run and measure: value, condensed, low, high, what the bounds are."""
    notes: tuple[str, ...]
    """Warnings, and which measures can be trusted."""
    rows: tuple[_Row, ...] = field(default=(), compare=False)
    """Computes the table of queries; not saved."""

    COMPUTED = ("per_query",)

    @cached_property
    def per_query(self) -> pl.DataFrame:
        """The same for each query."""
        return pl.concat([row.per_query() for row in self.rows])

    def to_polars(self, table: str | None = None, *, wide: bool = False) -> pl.DataFrame:
        """Return the table ``measures``, or "judged"."""
        return super().to_polars(table or "measures", wide=wide)


@with_progress
def holes(
    qrels: Any,
    runs: Any = None,
    measures: Measures = None,
    *,
    progress: Callable[..., None] | None = None,
    **options: Unpack[RunOptions],
) -> HolesReport:
    """Show what unjudged documents do to the measures of each run.

    Inputs are as in ``retrieval``, or its Scores alone, with their measures by default.
    ``progress`` receives what is at work.
    """
    evidence, measures = evidence_of(qrels, runs, measures, options)
    return unjudged_report(evidence, measures, progress)


def unjudged_report(
    evidence: RetrievalEvidence,
    measures: Measures = None,
    progress: Callable[..., None] | None = None,
) -> HolesReport:
    """Bound each measure over the grades that unjudged documents could have.

    ``value`` counts unjudged documents as not relevant, ``condensed`` removes them from the
    ranking, and ``low`` and ``high`` bound the value over all grades that they could have;
    documents that were not retrieved keep the grades they have.
    """
    selected = evidence.select_measures_of(Rankings, measures, ONLY_RANKINGS)
    judged, conventions = evidence.judgments, evidence.settings.conventions
    alignments = {name: evidence.alignment(name) for name in evidence.systems}
    rankings = {name: each.rankings for name, each in alignments.items()}
    said = dict.fromkeys(note for each in alignments.values() for note in each.warnings)
    grades = judged.frame["grade"].unique().to_numpy()
    shares = {name: _shares(view) for name, view in rankings.items()}
    rows = _all_rows(rankings, selected, grades, conventions, progress)
    return HolesReport(
        judged=pl.DataFrame(
            [{"system": name} | _within(each, conventions.depth) for name, each in shares.items()]
        ),
        measures=pl.DataFrame([row.summary() for row in rows]),
        notes=(
            *said,
            *_undefined_counts(rows),
            *_unequal_note(shares),
            *_advice(judged, conventions),
        ),
        rows=tuple(rows),
    )


def _shares(view: Rankings) -> dict[str, float]:
    """Return the mean share of judged documents within each depth, over queries with an answer."""
    answered = view.retrieved > 0
    found = {}
    for depth in DEPTHS:
        seen = np.minimum(view.retrieved, depth)
        share = view.assessed(depth).count[answered] / seen[answered]
        found[f"judged@{depth}"] = float(share.mean()) if answered.any() else float("nan")
    return found


def _within(shares: dict[str, float], depth: int | None) -> dict[str, float]:
    """Return the shares of depths that the rankings reach; the smallest depth always."""
    reached = [each for each in DEPTHS if depth is None or each <= depth] or DEPTHS[:1]
    return {f"judged@{each}": shares[f"judged@{each}"] for each in reached}


def _all_rows(
    rankings: dict[str, Rankings],
    selected: Sequence[Measure],
    grades: Floats,
    conventions: Conventions,
    progress: Callable[..., None] | None,
) -> list[_Row]:
    """Return a row for each system and measure; documents judged below 0 are not open.

    Only where that leaves the value as it is: bpref and the like distinguish -1 from 0.
    """
    known = tuple(grades.tolist())
    raised = rankings
    if (grades < 0).any():
        raised = {name: raise_negatives(view) for name, view in rankings.items()}
    found = {}
    for views, as_zero in ((raised, True), (rankings, False)):
        asked = [each for each in selected if facts_of(each, known).unjudged_as_zero == as_zero]
        factors = Factors()
        for stack in batch_systems(views.items()) if asked else ():
            rows = _rows(stack, asked, grades, factors, conventions, progress)
            found.update({(row.system, row.measure): row for row in rows})
    return [found[name, measure] for name in rankings for measure in selected]


def _rows(
    stack: SystemBatch,
    asked: Sequence[Measure],
    grades: Floats,
    factors: Factors,
    conventions: Conventions,
    progress: Callable[..., None] | None,
) -> list[_Row]:
    """Return a row for each system and measure; each value is worked out once."""
    bounding = BoundsFinder(stack.whole, grades, factors)
    condensed, found = stack.whole.select("judged_only"), []
    for measure in asked:
        if progress is not None:
            progress(f"{', '.join(stack.systems)}: {measure}")
        now, judged = (
            measure_view(view, measure, conventions.no_relevant)
            for view in (stack.whole, condensed)
        )
        found.append((measure, bounding.bounds(measure, now, conventions.no_relevant), now, judged))
    return [
        _Row(name, view, measure, take_units(bounds, own), now.of(view, own), judged.of(view, own))
        for name, view, own in zip(stack.systems, stack.views, stack.parts, strict=True)
        for measure, bounds, now, judged in found
    ]


@dataclass(frozen=True)
class _Row:
    system: str
    view: Rankings
    measure: Measure
    bounds: Bounds
    now: Measurement
    condensed: Measurement

    def summary(self) -> dict[str, Any]:
        """Return the value, its condensed value and its bounds over all queries."""
        now = self.now
        value = now.summary(self.measure)
        low, high = self.bounds.summary(self.measure, now)
        kind = self.bounds.kind
        if self.measure.pooled:
            whole = not Holes(self.view).count.any()
            low, high, kind = (value, value, "exact") if whole else (low, high, "outer")
        return {
            "system": self.system,
            "measure": self.measure.name,
            "value": value,
            "condensed": self.condensed.summary(self.measure),
            "low": low,
            "high": high,
            "bounds": kind,
        }

    def per_query(self) -> pl.DataFrame:
        """Return the same for each query, in natural order."""
        now, judged = self.now.values, self.condensed.values
        low, high = (
            np.where(np.isnan(each), now, each) for each in (self.bounds.low, self.bounds.high)
        )
        queries = self.view.queries
        order = sorted(range(len(queries)), key=lambda place: natural_key(queries[place]))
        return pl.DataFrame(
            {
                "system": [self.system] * len(queries),
                "query": list(queries),
                "measure": [self.measure.name] * len(queries),
                "value": now,
                "condensed": judged,
                "low": low,
                "high": high,
                "low_exact": self.bounds.low_exact,
                "high_exact": self.bounds.high_exact,
            }
        )[order]


def _undefined_counts(rows: Sequence[_Row]) -> list[str]:
    """How many queries only a further judgment would define, for the measures that it concerns."""
    counts: dict[str, int] = {}
    for row in rows:
        waiting = row.now.undefined & (Holes(row.view).count > 0)
        number = int(np.count_nonzero(waiting))
        counts[row.measure.name] = max(counts.get(row.measure.name, 0), number)
    concerned = {name: number for name, number in counts.items() if number}
    if not concerned:
        return []
    said = ", ".join(f"{name} ({number})" for name, number in concerned.items())
    return [
        "for some queries no relevant document is known, but there are unjudged ones that may be"
        f" relevant: {said}. low and high include such a query where it lowers or raises the mean;"
        " the value treats it as undefined"
    ]


def _unequal_note(shares: dict[str, dict[str, float]]) -> list[str]:
    at_ten = {name: share["judged@10"] for name, share in shares.items()}
    most, least = max(at_ten, key=at_ten.__getitem__), min(at_ten, key=at_ten.__getitem__)
    if len(at_ten) < 2 or at_ten[most] - at_ten[least] <= UNEQUAL_SHARE:
        return []
    return [
        f"of the first 10 documents {at_ten[most]:.0%} are judged for {most} and"
        f" {at_ten[least]:.0%} for {least}: a comparison of the two is about who was judged."
        f" Judge the missing ones ('assay next'), or compare condensed values"
    ]


def _advice(judged: Judgments, conventions: Conventions) -> list[str]:
    known = judged.frame
    if conventions.negative_grades == "unjudged":
        known = known.filter(pl.col("grade") >= 0)
    per_query = known.height / max(known["query"].n_unique(), 1)
    if per_query < SPARSE_SHARE:
        return [
            f"sparse judgments ({per_query:.1f} a query): RR, R@k and Success@k ask only where the"
            " known answers stand. AP, nDCG without a cutoff and bpref take most answers as known,"
            " which they are not; an unjudged document may be better than the judged one"
        ]
    return [
        f"dense judgments ({per_query:.0f} a query): trust measures with narrow bounds (shallow"
        " cutoffs); where bounds are wide, condensed values and bpref say less but depend less on"
        " who was judged. The bounds hold for any grades of retrieved documents; documents that"
        " were not retrieved are taken as they are known"
    ]
