"""Sums over the rows of a Spark frame whose parts add up exactly, in any order."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.core.arrays import exact_parts
from assay.engine.spark.frames import plain_failures
from assay.evidence.moment_sums import Terms

if TYPE_CHECKING:
    import pyarrow as pa

_SCHEMA = "name string, parts array<double>"


@dataclass(frozen=True)
class SumParts:
    """What an executor computes: for each sum a few numbers that add up to its part of it."""

    terms: Terms

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield a row for each sum and batch."""
        import pyarrow as pa

        for batch in batches:
            if not batch.num_rows:
                continue
            columns = {name: batch[name].to_numpy() for name in batch.schema.names}
            sums = {name: exact_parts(each) for name, each in self.terms(columns).items()}
            parts = pa.array(list(sums.values()), pa.list_(pa.float64()))
            yield pa.RecordBatch.from_arrays([pa.array(list(sums)), parts], ["name", "parts"])


def exact_sums(frame: Any, terms: Terms, what: str) -> dict[str, float]:
    """Return the correctly rounded sums over all rows of a frame of finite numbers."""
    parts: dict[str, list[float]] = {}
    with plain_failures(what):
        for row in frame.mapInArrow(SumParts(terms).__call__, _SCHEMA).toLocalIterator():
            parts.setdefault(row["name"], []).extend(row["parts"])
    return {name: math.fsum(each) for name, each in parts.items()}
