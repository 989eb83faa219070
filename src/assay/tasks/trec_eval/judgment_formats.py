"""The ways in which trec_eval reads judgments (``-R``), each joined with a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.conventions import Conventions, profile
from assay.core.tables import Judgments, Preferences, Run
from assay.evidence.alignment.align import align
from assay.evidence.alignment.align_preferences import align_preferences
from assay.evidence.alignment.judgment_kinds import align_groups
from assay.evidence.alignment.run_order import order_run
from assay.evidence.views.rankings import Rankings
from assay.formats import containers
from assay.formats.preferences import preferences_from_judgments, read_levels
from assay.tasks.trec_eval.options import Options


@dataclass(frozen=True)
class JoinedRun:
    """Judgments joined with a run, over all judged topics."""

    view: Any
    missing: frozenset[str]
    """The topics that the run does not answer."""
    grades: tuple[float, ...] = ()
    """The grades that occur."""
    positive: int = 0
    """How many judgments are above 0."""
    notes: tuple[str, ...] = ()


def _from_qrels(qrels: str, run: Run, options: Options) -> JoinedRun:
    judgments, notes = _whole_grades(containers.to_judgments(qrels))
    # Without a subtopic, so that a document judged twice for a topic is refused.
    plain = Judgments.of(judgments.frame.select("query", "doc", "grade"), judgments.source)
    conventions = _conventions(options)
    rankings = align(plain, run, conventions, options.corpus).rankings
    grades = plain.frame["grade"]
    return JoinedRun(
        view=_judged_only(rankings, options),
        missing=_missing_topics(rankings),
        grades=tuple(grades.unique().sort().to_list()),
        positive=int((grades > 0).sum()),
        notes=notes,
    )


def _from_groups(qrels: str, run: Run, options: Options) -> JoinedRun:
    """A ranking for each judgment group, which the second column of the judgments names."""
    judgments, notes = _whole_grades(containers.to_judgments(qrels))
    if "subtopic" not in judgments.frame.columns:
        judgments = replace(judgments, frame=judgments.frame.with_columns(subtopic=pl.lit("0")))
    groups = align_groups(judgments, run, _conventions(options)).rankings
    return JoinedRun(
        view=replace(groups, groups=tuple(_judged_only(each, options) for each in groups.groups)),
        missing=frozenset().union(*map(_missing_topics, groups.groups)),
        notes=notes,
    )


def _from_prefs(path: str, run: Run, options: Options) -> JoinedRun:
    return _from_preferences(read_levels(path), run, options)


def _from_graded(qrels: str, run: Run, options: Options) -> JoinedRun:
    return _from_preferences(
        preferences_from_judgments(containers.to_judgments(qrels)), run, options
    )


def _from_preferences(preferences: Preferences, run: Run, options: Options) -> JoinedRun:
    # Of documents with equal scores trec_eval puts the one with the lesser id first here.
    conventions = replace(_conventions(options), ties="document ascending")
    if options.depth is not None:
        ordered = order_run(run, conventions).filter(pl.col("place") <= options.depth)
        run = Run(ordered.select("query", "doc", "score"), run.source, run.name)
    view = align_preferences(preferences, run, conventions).rankings
    answered = set(run.frame["query"].unique())
    return JoinedRun(view, frozenset(topic for topic in view.units if topic not in answered))


READERS: dict[str, Callable[[str, Run, Options], JoinedRun]] = {
    "qrels": _from_qrels,
    "qrels_jg": _from_groups,
    "prefs": _from_prefs,
    "qrels_prefs": _from_graded,
}


def _conventions(options: Options) -> Conventions:
    own = profile(f"trec_eval-{options.version}")
    return replace(own, missing_queries="zero", depth=options.depth)


def _judged_only(rankings: Rankings, options: Options) -> Rankings:
    """With -J unjudged documents are taken out of lists that -M has cut off before."""
    return rankings.select("judged_only") if options.judged_only else rankings


def _missing_topics(rankings: Rankings) -> frozenset[str]:
    pairs = zip(rankings.units, rankings.missing.tolist(), strict=True)
    return frozenset(unit for unit, missing in pairs if missing)


def _whole_grades(given: Judgments) -> tuple[Judgments, tuple[str, ...]]:
    """The judgments with grades read as C reads a whole number: 1.9 is 1."""
    grades = given.frame["grade"]
    whole = pl.Series("grade", np.trunc(grades.to_numpy()))
    judgments = Judgments.of(given.frame.with_columns(whole), given.source)
    cut = (whole != grades).arg_true()
    if not len(cut):
        return judgments, ()
    note = (
        f"{given.source.place(int(cut[0]))}: trec_eval knows only whole grades;"
        f" {len(cut)} lose what stands after the point"
    )
    return judgments, (note,)
