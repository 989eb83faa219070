"""The judgments of one split of a collection."""

from __future__ import annotations

from dataclasses import dataclass, replace

import polars as pl

from assay.core.errors import DataError
from assay.core.tables import Judgments, Source


@dataclass(frozen=True)
class SplitJudgments:
    """Judgments of one split; its name is empty where there are no splits."""

    split: str
    judgments: Judgments

    def join(self, other: Judgments) -> SplitJudgments | None:
        """Return this split with the judgments of other queries; None if it has them already."""
        own, new = self.judgments.frame, other.frame
        columns = ["query", "doc", "grade"]
        shared = own.filter(pl.col("query").is_in(new["query"].unique().to_list()))
        if shared.height:
            if shared.select(columns).sort(columns).equals(new.select(columns).sort(columns)):
                return None
        elif own.columns == new.columns:
            source = Source(f"{self.judgments.source.name}, {other.source.name}")
            return replace(self, judgments=Judgments.of(pl.concat([own, new]), source))
        raise DataError(
            f"{self.judgments.source.name} and {other.source.name} both hold judgments, which"
            " differ; name one of them with `qrels=…`"
        )
