"""What a page is about: the scores, and the evidence from which they came."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from assay.core.errors import UsageError
from assay.core.tables import Decisions, Table, convert_column
from assay.engine.scores import Scores
from assay.evidence.builders.from_decisions import build_threshold_table
from assay.evidence.views.confusion import Confusion
from assay.evidence.views.threshold_table import ThresholdTable
from assay.formats import containers
from assay.statistics.intervals.unit_intervals import Bootstrap
from assay.tasks.classification.predictions import Predictions, read_predictions
from assay.tasks.evaluation import Measures


@dataclass(frozen=True)
class ClassificationSubject:
    """Decisions, scores or both, and what was measured of them."""

    scores: Scores
    answers: Predictions
    columns: tuple[str, ...] = ()
    """The names of the columns with the answers, or a pattern of them."""
    truth: str = "truth"
    """The name of the column with the truth."""

    @classmethod
    def of(
        cls,
        data: Any,
        measures: Measures = None,
        *,
        name: str = "classifier",
        bootstrap: Bootstrap | None = None,
        **named: Any,
    ) -> ClassificationSubject:
        """Evaluate what ``assay.classification`` takes, and keep the evidence."""
        answers = read_predictions(data, **named)
        scores = answers.scores(measures, name=name, bootstrap=bootstrap)
        given = [named.get(kind) for kind in ("predicted", "score", "probabilities")]
        columns = tuple(each for each in given if isinstance(each, str))
        return cls(scores, answers, columns, named.get("truth", "truth"))

    @classmethod
    def of_answers(
        cls, answers: Predictions, measures: Measures = None, **settings: Any
    ) -> ClassificationSubject:
        """Evaluate answers that were read already."""
        return cls(answers.scores(measures, **settings), answers)

    @property
    def decisions(self) -> Decisions:
        """The table of the items that were evaluated."""
        return self.answers.decisions

    @property
    def positive(self) -> str | None:
        """The class that the question is about, as the evaluation chose it."""
        return self.answers.positive

    @property
    def predicts(self) -> bool:
        """Whether there are predicted classes."""
        return Confusion in self.answers.views()

    @property
    def has_scores(self) -> bool:
        """Whether there are scores of a positive class."""
        return ThresholdTable in self.answers.views()

    @cached_property
    def confusion(self) -> Confusion:
        """The confusion matrix."""
        made: Confusion = self.answers.views()[Confusion]()
        return made

    @cached_property
    def thresholds(self) -> ThresholdTable:
        """The counts at each distinct score."""
        made: ThresholdTable = self.answers.views()[ThresholdTable]()
        return made

    def against_rest(self) -> dict[str, ThresholdTable]:
        """For each class with a column of probabilities that occurs: it against the rest."""
        frame, source = self.decisions.frame, self.decisions.source
        if self.answers.matrix is None:
            return {}
        found = {}
        for place, name in enumerate(self.answers.classes):
            if 0 < (frame["truth"] == name).sum() < frame.height:
                scored = frame.with_columns(score=self.answers.matrix[:, place])
                found[name] = build_threshold_table(Decisions(scored, source), name)
        return found


def read_once(data: Any, what: str) -> Table:
    """The table, so that it can be evaluated and drawn though a stream can be read only once."""
    return Table(*containers.to_frame(data, what))


def methods_of(data: Any) -> dict[str, Confusion]:
    """A 2 × 2 matrix for each row of a table with the columns method, tp, fp, fn and tn."""
    names = ("method", "tp", "fp", "fn", "tn")
    frame, source = containers.to_frame(data, "the methods")
    if lacking := [name for name in names if name not in frame.columns]:
        raise UsageError(
            f"{source.name}: there is no column {' and no '.join(lacking)} among"
            f" {', '.join(frame.columns)}; a row for each method has the columns"
            f" {', '.join(names)}, with counts of true and false positives and negatives"
        )
    counts = {
        name: convert_column(frame, name, pl.Float64(), source).to_list() for name in names[1:]
    }
    rows = zip(frame["method"].cast(pl.String).to_list(), *counts.values(), strict=True)
    return {
        name: Confusion.of(np.asarray([[tp, fn], [fp, tn]]), ("positive", "negative"), "positive")
        for name, tp, fp, fn, tn in rows
    }
