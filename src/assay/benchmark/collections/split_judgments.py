"""The judgments of one split of a collection."""

from __future__ import annotations

from dataclasses import dataclass

from assay.core.tables import Judgments


@dataclass(frozen=True)
class SplitJudgments:
    """Judgments of one split; its name is empty where there are no splits."""

    split: str
    judgments: Judgments
