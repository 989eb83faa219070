"""The ways in which trec_eval reads judgments (``-R``), each joined with a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import polars as pl

from assay.core.conventions import Conventions, profile
from assay.core.errors import UsageError
from assay.core.tables import Judgments, Run, Source
from assay.evidence.alignment import align
from assay.evidence.depth_limit import limited
from assay.evidence.rankings import Rankings
from assay.formats import containers
from assay.reports.trec_eval.options import Options

_GROUP = "\t"
"""Parts topic and judgment group in the name of a unit; it sorts before every printed sign."""


@dataclass(frozen=True)
class Joined:
    """What one way of reading judgments (``-R``) yields."""

    view: Any
    topics: tuple[str, ...]
    """The topic of each unit of the view."""
    missing: frozenset[str]
    """The topics that the run does not answer."""
    grades: tuple[float, ...] = ()
    """The grades that occur."""
    positive: int = 0
    """How many judgments are above 0."""
    notes: tuple[str, ...] = ()


def _from_qrels(qrels: str, run: Run, options: Options) -> Joined:
    judgments, notes = _whole_grades(containers.judgments(qrels))
    # Without a subtopic, so that a document judged twice for a topic is refused.
    plain = Judgments.of(judgments.frame.select("query", "doc", "grade"), judgments.source)
    rankings = align(plain, run, _conventions(options), options.corpus).rankings
    grades = plain.frame["grade"]
    return Joined(
        view=_chosen(rankings, options),
        topics=rankings.units,
        missing=_missing(rankings),
        grades=tuple(grades.unique().sort().to_list()),
        positive=int((grades > 0).sum()),
        notes=notes,
    )


def _from_groups(qrels: str, run: Run, options: Options) -> Joined:
    """A ranking for each topic and judgment group (the second column of the judgments)."""
    judgments, notes = _whole_grades(containers.judgments(qrels))
    if "subtopic" not in judgments.frame.columns:
        raise UsageError(f"-R qrels_jg: {qrels} has no column for the judgment group")
    conventions = _conventions(options)
    align(judgments, run, conventions)  # for its complaints, which know the lines
    unit = pl.concat_str("query", "subtopic", separator=_GROUP).alias("query")
    groups = judgments.frame.select("query", "subtopic").unique()
    answers = run.frame.join(groups, on="query", maintain_order="left").with_columns(unit)
    own = Judgments.of(judgments.frame.with_columns(unit).drop("subtopic"), judgments.source)
    rankings = align(own, Run.of(answers, Source(run.source.name)), conventions).rankings
    return Joined(
        view=_chosen(rankings, options),
        topics=tuple(name.split(_GROUP)[0] for name in rankings.units),
        missing=frozenset(name.split(_GROUP)[0] for name in _missing(rankings)),
        notes=notes,
    )


def _conventions(options: Options) -> Conventions:
    return replace(profile(f"trec_eval-{options.version}"), missing_queries="zero")


def _chosen(rankings: Rankings, options: Options) -> Rankings:
    if options.depth is not None:
        rankings = limited(rankings, options.depth)
    return rankings.select("judged_only") if options.judged_only else rankings


def _missing(rankings: Rankings) -> frozenset[str]:
    pairs = zip(rankings.units, rankings.missing.tolist(), strict=True)
    return frozenset(unit for unit, missing in pairs if missing)


def _whole_grades(given: Judgments) -> tuple[Judgments, tuple[str, ...]]:
    """The judgments with grades read as C reads a whole number: 1.9 is 1."""
    whole = given.frame["grade"].cast(pl.Int64).cast(pl.Float64)
    cut = (whole != given.frame["grade"]).arg_true()
    judgments = Judgments.of(given.frame.with_columns(whole.alias("grade")), given.source)
    if not len(cut):
        return judgments, ()
    note = (
        f"{given.source.place(int(cut[0]))}: trec_eval knows only whole grades;"
        f" {len(cut)} grades lose what stands after the point"
    )
    return judgments, (note,)


READERS: dict[str, Callable[[str, Run, Options], Joined]] = {
    "qrels": _from_qrels,
    "qrels_jg": _from_groups,
}
