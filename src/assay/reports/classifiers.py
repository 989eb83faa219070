"""Several classifiers on the same items: from several columns, several files, or both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from assay.core.errors import UsageError
from assay.engine.scores import Scores
from assay.reports.subjects import ClassificationSubject, read_once
from assay.statistics.intervals import Bootstrap
from assay.tasks.assembly import Asked
from assay.tasks.score_sources import merged


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
        measures: Asked = None,
        *,
        predicted: Sequence[str] = (),
        score: Sequence[str] = (),
        bootstrap: Bootstrap | None = None,
        **named: Any,
    ) -> Classifiers:
        """Evaluate each file with each of its columns of answers."""
        answers = _columns(predicted, score)
        if len(files) * len(answers) == 1:
            columns = next(iter(answers.values()))
            return cls.of_one(
                ClassificationSubject.of(
                    files[0], measures, bootstrap=bootstrap, **columns, **named
                )
            )
        found: dict[str, ClassificationSubject] = {}
        for file in files:
            table = read_once(file, "the decisions")
            for column, columns in answers.items():
                name = _name(table.source.name, column, len(files), len(answers))
                found[name] = ClassificationSubject.of(
                    table, measures, bootstrap=bootstrap, name=name, **columns, **named
                )
        if len(found) < len(files) * len(answers):
            raise UsageError("two files or columns have one name; name each classifier apart")
        return cls(_together(found), found)


def _together(found: Mapping[str, ClassificationSubject]) -> Scores:
    """The scores of all, with the input of each under its name."""
    scores = merged([each.scores for each in found.values()])
    inputs = {name: each.scores.conventions["inputs"]["decisions"] for name, each in found.items()}
    return replace(scores, conventions={**scores.conventions, "inputs": inputs})


def _columns(predicted: Sequence[str], score: Sequence[str]) -> dict[str, dict[str, str]]:
    """The columns of each classifier, by the name of the first; one of probabilities has none."""
    if predicted and score and len(predicted) != len(score):
        raise UsageError(
            f"{len(predicted)} columns of predicted classes and {len(score)} of scores: give as"
            " many of both, in the same order, or one kind alone"
        )
    found: dict[str, dict[str, str]] = {}
    for number, name in enumerate(predicted or score or ("",)):
        columns = {"predicted": predicted[number]} if predicted else {}
        found[name] = columns | ({"score": score[number]} if score else {})
    return found


def _name(source: str, column: str, files: int, columns: int) -> str:
    parts = [Path(source).stem] * (files > 1) + [column] * (columns > 1)
    return " ".join(parts)
