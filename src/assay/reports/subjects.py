"""What a report is about: the scores, and the evidence from which they came."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from assay.core.conventions import Conventions, profile
from assay.core.tables import Assignments, Decisions, Judgments, Run, Values
from assay.engine.scores import Scores
from assay.evidence.alignment import align
from assay.evidence.confusion import Confusion
from assay.evidence.contingency import Contingency
from assay.evidence.from_assignments import contingency
from assay.evidence.from_decisions import confusion, threshold_table
from assay.evidence.from_values import value_pairs
from assay.evidence.rankings import Rankings
from assay.evidence.thresholds import ThresholdTable
from assay.evidence.values import ValuePairs
from assay.formats import containers
from assay.tasks.columns import columns_of


@dataclass(frozen=True)
class RetrievalSubject:
    """Judgments and runs, and the texts of queries and documents where they are given."""

    judgments: Judgments
    runs: tuple[Run, ...]
    conventions: Conventions = field(default_factory=Conventions)
    topics: Mapping[str, str] = field(default_factory=dict)
    documents: str | None = None
    """The file with the texts of the documents."""
    rel: float = 1

    @classmethod
    def of(
        cls, qrels: Any, runs: Any, conventions: str | Conventions = "assay", **more: Any
    ) -> RetrievalSubject:
        """From whatever ``assay.retrieval`` takes."""
        found = containers.judgments(qrels), tuple(containers.runs(runs))
        return cls(*found, profile(conventions), **more)

    @cached_property
    def rankings(self) -> dict[str, Rankings]:
        """The rankings of each run."""
        return {
            run.name: align(self.judgments, run, self.conventions).rankings for run in self.runs
        }


@dataclass(frozen=True)
class ClassificationSubject:
    """Decisions, scores or both, and the class that the question is about."""

    decisions: Decisions
    positive: str | None

    @classmethod
    def of(
        cls,
        data: Any,
        *,
        truth: str,
        predicted: str | None = None,
        score: str | None = None,
        weight: str | None = None,
        positive: str | None = None,
    ) -> ClassificationSubject:
        """From whatever ``assay.classification`` takes."""
        columns = {"truth": truth, "predicted": predicted, "score": score, "weight": weight}
        return cls(Decisions.of(*columns_of(data, columns, "the decisions")), positive)

    @property
    def predicts(self) -> bool:
        """Whether there are predicted classes."""
        return "predicted" in self.decisions.frame.columns

    @property
    def scores(self) -> bool:
        """Whether there are scores of a positive class."""
        return "score" in self.decisions.frame.columns and self.positive is not None

    @cached_property
    def confusion(self) -> Confusion:
        """The confusion matrix."""
        return confusion(self.decisions, self.positive)

    @cached_property
    def thresholds(self) -> ThresholdTable:
        """The counts at each distinct score."""
        return threshold_table(self.decisions, self.positive or "")


def clustering_subject(data: Any, *, cluster: str, classes: str) -> Contingency:
    """The contingency table, from whatever ``assay.clustering`` takes."""
    columns = {"cluster": cluster, "class": classes}
    return contingency(Assignments.of(*columns_of(data, columns, "the clusters")))


def regression_subject(
    data: Any, *, truth: str, predicted: str, item: str | None = None
) -> ValuePairs:
    """The pairs of true and predicted numbers, from whatever ``assay.regression`` takes."""
    columns = {"truth": truth, "predicted": predicted, "item": item}
    return value_pairs(Values.of(*columns_of(data, columns, "the values")))


def positive_class(scores: Scores) -> str | None:
    """The class that the question is about, as the evaluation chose it."""
    return scores.conventions.get("positive")
