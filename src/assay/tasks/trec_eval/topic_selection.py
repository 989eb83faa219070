"""What is evaluated and what is averaged: trec_eval's way with topics that a run leaves out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.core.arrays import Ints
from assay.core.errors import AlignmentError, UsageError
from assay.core.tables import Run
from assay.formats import containers
from assay.tasks.trec_eval.judgment_formats import READERS, JoinedRun
from assay.tasks.trec_eval.options import Options


@dataclass(frozen=True)
class SelectedTopics:
    """Judgments joined with a run, and the topics that are evaluated."""

    joined: JoinedRun
    topics: tuple[str, ...]
    absent: int
    """Topics that are not evaluated, but count in averages."""
    run: str
    notes: tuple[str, ...]

    @cached_property
    def places(self) -> Ints:
        """Where the topics that are evaluated stand among the units of the view."""
        place = {unit: number for number, unit in enumerate(self.joined.view.units)}
        return np.asarray([place[topic] for topic in self.topics], dtype=np.int64)


def select_topics(qrels: str, run: str, options: Options) -> SelectedTopics:
    """Read the files and join them as the options say."""
    listed = containers.to_run(run)
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
    note = _excluded_topics(listed, joined.missing, len(topics), options)
    return SelectedTopics(joined, answered, 0, listed.name, (*notes, note))


def _excluded_topics(run: Run, missing: frozenset[str], topics: int, options: Options) -> str:
    first = min(missing, key=str.encode)
    found = f"{run.source.name}: {len(missing)} of {topics} judged topics are not answered"
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
