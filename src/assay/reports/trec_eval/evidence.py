"""The evidence as trec_eval sees it: whole grades, its depth limit, its way with missing topics."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats, Ints, counted
from assay.core.conventions import Conventions, profile
from assay.core.errors import AlignmentError, UsageError
from assay.core.tables import Judgments, Run, Source
from assay.evidence.alignment import align
from assay.evidence.depth_limit import limited
from assay.evidence.rankings import Rankings
from assay.formats import containers
from assay.reports.trec_eval.options import Options

_GROUP = "\t"
"""Parts topic and judgment group in the name of a unit; it sorts before every printed sign."""


@dataclass(frozen=True)
class Evidence:
    """What is evaluated: a view, the topic to which each of its units belongs, and the rest."""

    view: Any
    topics: tuple[str, ...]
    topic_of: Ints
    absent: int
    """Topics that are not evaluated, but count in averages."""
    judgments: Judgments
    run: str
    notes: tuple[str, ...]

    @property
    def grades(self) -> list[float]:
        """The grades that occur."""
        return self.judgments.frame["grade"].unique().sort().to_list()

    def by_topic(self, values: Floats) -> Floats:
        """The mean over the units of each topic (judgment groups, where there are several)."""
        size = len(self.topics)
        return counted(self.topic_of, values, size) / np.bincount(self.topic_of, minlength=size)


def gather(qrels: str, run: str, options: Options) -> Evidence:
    """Read the files and join them as the options say."""
    given, listed = containers.judgments(qrels), containers.run(run)
    judgments, notes = _whole_grades(given)
    conventions = replace(profile(f"trec_eval-{options.version}"), missing_queries="zero")
    grouped = options.judged == "qrels_jg"
    pooled = _pooled(judgments, best=grouped)
    rankings = align(pooled, listed, conventions, options.corpus).rankings
    topics, absent, more = _evaluated(rankings.units, rankings.missing, listed, options)
    if grouped:
        rankings = _by_group(judgments, listed, conventions)
    names = [unit.split(_GROUP)[0] if grouped else unit for unit in rankings.units]
    place = {topic: number for number, topic in enumerate(topics)}
    rankings = rankings.take([n for n, name in enumerate(names) if name in place])
    return Evidence(
        view=_chosen(rankings, options),
        topics=topics,
        topic_of=np.asarray([place[name] for name in names if name in place], dtype=np.int64),
        absent=absent,
        judgments=pooled,
        run=listed.name,
        notes=(*notes, *more),
    )


def _chosen(rankings: Rankings, options: Options) -> Rankings:
    if options.depth is not None:
        rankings = limited(rankings, options.depth)
    return rankings.select("judged_only") if options.judged_only else rankings


def _whole_grades(given: Judgments) -> tuple[Judgments, list[str]]:
    """The judgments with grades read as C reads a whole number: 1.9 is 1."""
    whole = given.frame["grade"].cast(pl.Int64).cast(pl.Float64)
    cut = (whole != given.frame["grade"]).arg_true()
    notes = []
    if len(cut):
        notes.append(
            f"{given.source.place(int(cut[0]))}: trec_eval knows only whole grades;"
            f" {len(cut)} grades lose what stands after the point"
        )
    return Judgments.of(given.frame.with_columns(whole.alias("grade")), given.source), notes


def _pooled(judgments: Judgments, best: bool) -> Judgments:
    """One judgment for a document: the best over groups, or all of them, so that twins are seen."""
    frame = judgments.frame.select("query", "doc", "grade")
    if best:
        return Judgments.of(frame.group_by("query", "doc").agg(pl.col("grade").max()))
    return Judgments.of(frame, judgments.source)


def _by_group(judgments: Judgments, run: Run, conventions: Conventions) -> Rankings:
    """A ranking for each topic and judgment group (the second column of the judgments)."""
    if "subtopic" not in judgments.frame.columns:
        raise UsageError(
            f"-R qrels_jg: {judgments.source.name} has no column for the judgment group"
        )
    unit = pl.concat_str("query", "subtopic", separator=_GROUP).alias("query")
    groups = judgments.frame.select("query", "subtopic").unique()
    answers = run.frame.join(groups, on="query", maintain_order="left").with_columns(unit)
    own = Judgments.of(judgments.frame.with_columns(unit).drop("subtopic"), judgments.source)
    return align(own, Run.of(answers, Source(run.source.name)), conventions).rankings


def _evaluated(
    topics: tuple[str, ...], missing: Bools, run: Run, options: Options
) -> tuple[tuple[str, ...], int, tuple[str, ...]]:
    """The topics that are evaluated, how many more count in averages, and what to say of it."""
    silent = [topic for topic, none in zip(topics, missing, strict=True) if none]
    answered = tuple(topic for topic in topics if topic not in set(silent))
    if options.topic is not None:
        return _only(options.topic, topics, answered, run, options)
    if not silent or (options.complete and options.version >= 10):
        return topics, 0, ()
    if options.complete:
        return answered, len(silent), ()
    found = f"{run.source.name}: {len(silent)} of {len(topics)} judged topics are not answered"
    if options.version >= 10:
        raise AlignmentError(
            f"{found}, the first is {silent[0]}; trec_eval 10 stops at that."
            " Add -c to count them as zero, or --profile trec_eval-9 to leave them out"
        )
    note = f"{found} and are left out, the first is {silent[0]}; -c counts them as zero"
    return answered, 0, (note,)


def _only(
    topic: str, topics: tuple[str, ...], answered: tuple[str, ...], run: Run, options: Options
) -> tuple[tuple[str, ...], int, tuple[str, ...]]:
    """With -D level.topic one topic is evaluated; with -c the others still count in averages."""
    if topic not in topics:
        raise UsageError(f"-D: there are no judgments for the topic {topic}")
    if topic not in answered and not options.complete:
        raise AlignmentError(f"{run.source.name}: the topic {topic} is not answered")
    return (topic,), len(topics) - 1 if options.complete else 0, ()
