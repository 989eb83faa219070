"""What executors return, on its way to the driver: at once, or piece by piece."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any

import polars as pl

from assay.engine.spark.frames import estimated_bytes, functions, plan_text
from assay.engine.spark.packed_values import COLUMNS, MARK, States

_AT_ONCE = 8
"""So many rows are unpacked at once where they come piece by piece."""
PIECE = 8e6
"""About so many bytes of values come at once: Spark's driver holds several copies of them."""
_TYPES: dict[str, Any] = {
    "string": pl.String,
    "binary": pl.Binary,
    "array<string>": pl.List(pl.String),
}


@dataclass(frozen=True)
class CollectedStates:
    """The rows of runs, and before them those that are not of a run."""

    marked: States
    of_runs: Iterable[States]


@contextmanager
def collect_states(states: Any, large: bool) -> Iterator[CollectedStates]:
    """Run a job and collect what it returns.

    What a large one returns is kept on the disks of the executors, divided into small partitions,
    and comes to the driver one partition after the other.
    """
    if not large:
        marked, others = States(pl.DataFrame(states.toArrow())).divide()
        yield CollectedStates(marked, [others])
        return
    from pyspark import StorageLevel

    kept = states.persist(StorageLevel.DISK_ONLY)
    try:
        is_marked = functions().col("run").startswith(MARK)
        marked = States(pl.DataFrame(kept.where(is_marked).toArrow()))
        # Only now, when all is kept, its size is known.
        count = math.ceil(estimated_bytes(plan_text(kept)) / PIECE)
        others = kept.where(~is_marked)
        # Notes have the digest of their rows, so that they divide evenly.
        yield CollectedStates(
            marked, _pieces(others.repartition(count, "notes") if count > 1 else others)
        )
    finally:
        kept.unpersist()


def _pieces(states: Any) -> Iterator[States]:
    schema = {name: _TYPES[kind] for name, kind in COLUMNS.items()}
    rows = iter(states.toLocalIterator())
    while piece := [_plain(row) for row in islice(rows, _AT_ONCE)]:
        yield States(pl.DataFrame(piece, schema, orient="row"))


def _plain(row: Any) -> list[Any]:
    return [bytes(each) if isinstance(each, bytearray) else each for each in row]
