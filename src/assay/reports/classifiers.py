"""Several classifiers on the same items: from several columns, several files, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from assay.core.errors import UsageError
from assay.engine.scores import Scores
from assay.formats.system_names import unique_names
from assay.reports.subjects import ClassificationSubject, read_once
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.evaluation import Measures
from assay.tasks.scores.merge_scores import merge_scores
from assay.tasks.several import columns_of_systems, title


@dataclass(frozen=True)
class Classifiers:
    """What was measured of each classifier, by name."""

    scores: Scores
    subjects: Mapping[str, ClassificationSubject]

    @property
    def first(self) -> ClassificationSubject:
        """The one that was named first."""
        return next(iter(self.subjects.values()))

    @classmethod
    def of_one(cls, subject: ClassificationSubject) -> Classifiers:
        """A classifier alone."""
        return cls(subject.scores, {subject.scores.systems[0]: subject})

    @classmethod
    def of(
        cls,
        files: Sequence[Any],
        measures: Measures = None,
        *,
        predicted: Sequence[str] = (),
        score: Sequence[str] = (),
        bootstrap: Bootstrap | None = None,
        **named: Any,
    ) -> Classifiers:
        """Evaluate each file with each of its columns of answers."""
        answers = columns_of_systems({"predicted": predicted, "score": score})
        if len(files) * len(answers) == 1:
            return cls.of_one(
                ClassificationSubject.of(
                    files[0], measures, bootstrap=bootstrap, **answers[0], **named
                )
            )
        found: dict[str, ClassificationSubject] = {}
        tables = [read_once(file, "the decisions") for file in files]
        stems = unique_names([each.source.name for each in tables])
        for table, stem in zip(tables, stems, strict=True):
            for own in answers:
                name = title(stem, next(iter(own.values()), ""), len(files), len(answers))
                found[name] = ClassificationSubject.of(
                    table, measures, bootstrap=bootstrap, name=name, **own, **named
                )
        if len(found) < len(files) * len(answers):
            raise UsageError("two files or columns have one name; name each classifier apart")
        return cls(_merge_scores(found), found)


def _merge_scores(found: Mapping[str, ClassificationSubject]) -> Scores:
    """The scores of all, with the input of each under its name."""
    scores = merge_scores([each.scores for each in found.values()])
    inputs = {name: each.scores.conventions["inputs"]["decisions"] for name, each in found.items()}
    return replace(scores, conventions={**scores.conventions, "inputs": inputs})
