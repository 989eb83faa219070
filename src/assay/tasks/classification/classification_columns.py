"""Which columns of a table hold the classes, scores and probabilities of classifiers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from assay.evidence.labels import Labels
from assay.tasks.classification.probability_columns import Wide
from assay.tasks.inputs.missing_values import MissingPolicy
from assay.tasks.inputs.table_columns import SplitChoice, needed_columns, slice_columns
from assay.tasks.table_evidence import Columns


@dataclass(frozen=True)
class ClassificationColumns(SplitChoice):
    """Which columns hold what, and how they are read."""

    truth: str = "truth"
    predicted: Columns = None
    score: Columns = None
    probabilities: Wide | Sequence[Wide] = None
    """The columns of one system; several patterns such as ``p_*`` are several systems."""
    item: str | None = None
    weight: str | None = None
    positive: str | None = None
    by: Sequence[str] = ()
    missing: MissingPolicy = "error"
    threshold: float | None = None
    """Score from which an item is predicted to be positive."""
    labels: Labels = None
    """All classes in their order."""
    profile: str = "assay"
    name: str = "classifier"
    """What a system is called that nothing else names."""

    @property
    def needed(self) -> frozenset[str] | None:
        """The columns that are read; None for all."""
        answers = (self.predicted, self.score, self.probabilities)
        return needed_columns(self.truth, *answers, self.item, self.weight, slice_columns(self.by))

    @property
    def system_columns(self) -> dict[str, Any]:
        """The columns of the systems, by kind."""
        return {
            "predicted": self.predicted,
            "score": self.score,
            "probabilities": _probabilities_by_system(self.probabilities),
        }


def _probabilities_by_system(given: Wide | Sequence[Wide]) -> list[Wide] | Mapping[str, Wide]:
    """Return the probability columns of each system: a sequence of patterns is several systems.

    So is a dict of the name of a system to a dict of class to column.
    """
    if not given:
        return []
    if isinstance(given, Mapping) and any(isinstance(each, Mapping) for each in given.values()):
        return {name: given[name] for name in given}
    if isinstance(given, str | Mapping):
        return [given]
    several = all(not isinstance(each, str) or "*" in each for each in given)
    return list(given) if several else [given]  # type: ignore[list-item]
