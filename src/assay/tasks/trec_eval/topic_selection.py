"""Which topics are evaluated and averaged: judgments of each kind (``-R``) joined with a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeAlias

import numpy as np
import polars as pl

from assay.core.arrays import Ints
from assay.core.conventions import Conventions, profile
from assay.core.errors import AlignmentError, UsageError
from assay.core.tables import Judgments, Run
from assay.evidence.alignment.align import align
from assay.evidence.alignment.align_preferences import align_preferences
from assay.evidence.alignment.judgment_kinds import align_groups
from assay.evidence.alignment.run_order import order_run
from assay.evidence.views.rankings import Rankings
from assay.formats.containers import to_judgments, to_run
from assay.formats.preferences import preferences_from_judgments, read_levels

Version: TypeAlias = Literal[9, 10]


@dataclass(frozen=True)
class Options:
    """The options of trec_eval, each with its letter."""

    measures: tuple[str, ...] = ()
    """-m"""
    complete: bool = False
    """-c"""
    level: int = 1
    """-l"""
    depth: int | None = None
    """-M"""
    judged_only: bool = False
    """-J"""
    corpus: int = 0
    """-N"""
    topic: str | None = None
    """-D level.topic"""
    judged: str = "qrels"
    """-R"""
    references: str | None = None
    """-Z"""
    version: Version = 10


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


@dataclass(frozen=True)
class SelectedTopics:
    """Judgments joined with a run, and the topics that are evaluated."""

    joined: JoinedRun
    topics: tuple[str, ...]
    absent: int
    """Topics without values that count in averages."""
    run: str
    notes: tuple[str, ...]

    @cached_property
    def places(self) -> Ints:
        """The indices of the evaluated topics among the units of the view."""
        place = {unit: number for number, unit in enumerate(self.joined.view.units)}
        return np.asarray([place[topic] for topic in self.topics], dtype=np.int64)


def select_topics(qrels: str, run: str, options: Options) -> SelectedTopics:
    """Read the files, join them, and select the topics to evaluate."""
    listed = to_run(run)
    joined = READERS[options.judged](qrels, listed, options)
    topics: tuple[str, ...] = joined.view.units
    answered = tuple(topic for topic in topics if topic not in joined.missing)
    notes = joined.notes
    if options.topic is not None:
        _check_topic(options.topic, topics, answered, listed, options)
        others = len(topics) - 1 if options.complete else 0
        return SelectedTopics(joined, (options.topic,), others, listed.name, notes)
    if len(answered) == len(topics) or (options.complete and options.version >= 10):
        return SelectedTopics(joined, topics, 0, listed.name, notes)
    if options.complete:
        return SelectedTopics(joined, answered, len(joined.missing), listed.name, notes)
    judged = f"{len(topics)} judged topics of {Path(qrels).name}"
    note = _excluded_topics(listed, joined.missing, judged, options)
    return SelectedTopics(joined, answered, 0, listed.name, (*notes, note))


def _excluded_topics(run: Run, missing: frozenset[str], judged: str, options: Options) -> str:
    first = min(missing, key=str.encode)
    found = f"{run.source.name}: {len(missing)} of {judged} are not answered"
    if options.version >= 10:
        raise AlignmentError(
            f"{found}, the first is {first}; trec_eval 10 stops at that."
            " Add -c to count them as zero, or --profile trec_eval-9 to leave them out"
        )
    return f"{found} and are left out, the first is {first}; -c counts them as zero"


def _check_topic(
    topic: str, topics: tuple[str, ...], answered: tuple[str, ...], run: Run, options: Options
) -> None:
    if topic not in topics:
        raise UsageError(f"-D: there are no judgments for the topic {topic}")
    if topic not in answered and not options.complete:
        raise AlignmentError(f"{run.source.name}: the topic {topic} is not answered")


def _from_qrels(qrels: str, run: Run, options: Options) -> JoinedRun:
    judgments, notes = _whole_grades(to_judgments(qrels))
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
    """Return a ranking for each judgment group, named in the second column of the qrels."""
    judgments, notes = _whole_grades(to_judgments(qrels))
    if "subtopic" not in judgments.frame.columns:
        judgments = replace(judgments, frame=judgments.frame.with_columns(subtopic=pl.lit("0")))
    groups = align_groups(judgments, run, _conventions(options)).rankings
    return JoinedRun(
        view=replace(groups, groups=tuple(_judged_only(each, options) for each in groups.groups)),
        missing=frozenset().union(*map(_missing_topics, groups.groups)),
        notes=notes,
    )


def _from_preferences(path: str, run: Run, options: Options) -> JoinedRun:
    if options.judged == "prefs":
        preferences = read_levels(path)
    else:
        preferences = preferences_from_judgments(to_judgments(path))
    # Here trec_eval orders documents with equal scores by ascending id.
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
    "prefs": _from_preferences,
    "qrels_prefs": _from_preferences,
}


def _conventions(options: Options) -> Conventions:
    own = profile(f"trec_eval-{options.version}")
    return replace(own, missing_queries="zero", depth=options.depth)


def _judged_only(rankings: Rankings, options: Options) -> Rankings:
    """Return the rankings, with -J without unjudged documents, after -M has cut the lists."""
    return rankings.select("judged_only") if options.judged_only else rankings


def _missing_topics(rankings: Rankings) -> frozenset[str]:
    pairs = zip(rankings.units, rankings.missing.tolist(), strict=True)
    return frozenset(unit for unit, missing in pairs if missing)


def _whole_grades(given: Judgments) -> tuple[Judgments, tuple[str, ...]]:
    """Return the judgments with grades read as C reads an integer: 1.9 is 1."""
    grades = given.frame["grade"]
    whole = pl.Series("grade", np.trunc(grades.to_numpy()))
    judgments = Judgments.of(given.frame.with_columns(whole), given.source)
    cut = (whole != grades).arg_true()
    if not len(cut):
        return judgments, ()
    note = (
        f"{given.source.place(int(cut[0]))}: trec_eval knows only whole grades;"
        f" {len(cut)} lose their decimals"
    )
    return judgments, (note,)
