"""What the conventions do not let through is taken out of a run, and what is left gets its key."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import unit_numbers
from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.tables import Run
from assay.evidence.alignment import duplicates
from assay.evidence.alignment.query_batches import Batch


def ordering_key(batch: Batch, conventions: Conventions) -> NDArray[np.floating] | None:
    """What documents are ordered by, the greatest first; None for the order of the file."""
    if conventions.order == "file":
        return None
    if conventions.order == "rank" and batch.rank is not None:
        return -batch.rank.astype(np.float64)
    score: NDArray[np.floating] = batch.score
    if np.isnan(score).any():
        score = np.where(np.isnan(score), -np.inf, score)
    return score.astype(np.float32) if conventions.score_type == "float32" else score


@dataclass
class Cleaner:
    """Takes out of batches what the conventions do not let through, and counts it."""

    run: Run
    conventions: Conventions
    counts: dict[str, int] = field(default_factory=dict)
    unranked: bool = False

    def clean(self, batch: Batch) -> Batch:
        """The batch without what does not belong there."""
        self._count("documents", len(batch.doc))
        self._check_rank(batch)
        batch = self._without_nan(batch)
        self._count("infinite scores", int(np.count_nonzero(np.isinf(batch.score))))
        if self.conventions.own_document == "drop":
            own = (batch.queries.gather(unit_numbers(batch.offsets)) == batch.doc).to_numpy()
            self._count("own documents", int(own.sum()))
            batch = batch.where(~own) if own.any() else batch
        return batch

    def drop_duplicates(self, batch: Batch, key: NDArray[np.uint64]) -> Batch | None:
        """The batch with each document once; None if it is so already."""
        twice = duplicates.find_duplicates(batch, key)
        if twice is None:
            return None
        if self.conventions.duplicates == "error":
            duplicates.refuse_duplicates(batch, twice, self.run.source)
        keep = duplicates.keep_one_of_each(batch, twice, self.conventions.duplicates)
        self._count("duplicates", int(np.count_nonzero(~keep)))
        return batch.where(keep)

    def _without_nan(self, batch: Batch) -> Batch:
        undefined = np.isnan(batch.score)
        if not undefined.any():
            return batch
        if self.conventions.nan_scores == "error":
            row = int(batch.row[np.flatnonzero(undefined)[0]])
            raise AlignmentError(
                f"{self.run.source.place(row)}: the score is not a number (NaN); mend the run, or"
                " choose `nan_scores=drop` or `nan_scores=keep`"
            )
        self._count("scores that are not numbers", int(undefined.sum()))
        return batch.where(~undefined) if self.conventions.nan_scores == "drop" else batch

    def _check_rank(self, batch: Batch) -> None:
        if self.conventions.order != "rank":
            return
        if batch.rank is None:
            self.unranked = True
        elif batch.rank.dtype.kind == "f":
            row = int(batch.row[np.flatnonzero(np.isnan(batch.rank))[0]])
            raise AlignmentError(
                f"{self.run.source.place(row)}: the rank is not a whole number, but documents are"
                " ordered by rank; order them with `order=score` or `order=file`"
            )

    def _count(self, what: str, count: int) -> None:
        self.counts[what] = self.counts.get(what, 0) + count
