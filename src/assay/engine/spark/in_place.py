"""Lists evaluated where they are: no row is shuffled where each list is together in the input.

Tables of runs are mostly written list by list. Each task evaluates the lists of its partition, but
sends the rows of the first and of the last one to the driver: they may go on in other partitions.
Every task reports all its lists, so that a list with rows in several partitions is found: then the
whole is shuffled after all.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING, Any

import polars as pl

from assay.engine.spark.list_stream import state_batch, state_batches, whole_parts
from assay.engine.spark.list_values import ListValues, group_starts
from assay.engine.spark.packed_values import EMPTY, States

if TYPE_CHECKING:
    import pyarrow as pa

ENDS = "\0ends"
"""What stands in place of a run in rows that hold the first and the last list of a partition."""
DIVIDED = "\0divided"
"""What stands in place of a run where rows of a list are apart."""
FIRST = 1 << 14
"""So many rows are looked at before the others are read."""
LONGEST = 50_000
"""So many rows of a partition are sent to the driver at most."""


@dataclass(frozen=True)
class InPlaceStream:
    """Rows of a partition as they are in the input."""

    evaluate: ListValues
    rows: int = 1 << 18
    """So many rows are evaluated at once, if lists are not longer."""
    only: str | None = None
    """The name of the run if it is the only one: then rows have no column for it."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the states of all lists, and the rows of the first and the last one."""
        keys = ["query"] if self.only is not None else ["run", "query"]
        known = KnownLists()
        ends: list[pl.DataFrame] = []
        waiting = pl.DataFrame()
        for whole in whole_parts(batches, keys, self.rows, FIRST):
            starts = group_starts(whole, keys)
            if known.has_any(whole[starts].select(keys)):
                yield _marked(DIVIDED)
                return
            cut = 0
            if not ends:
                cut = int(starts[1]) if len(starts) > 1 else whole.height
                ends.append(whole[:cut])
            yield from self._states(waiting)
            waiting = whole[cut:]
        cut = int(group_starts(waiting, keys)[-1]) if waiting.height else 0
        yield from self._states(waiting[:cut])
        if not ends:
            return
        last = pl.concat([*ends, waiting[cut:]]) if waiting.height else ends[0]
        fits = last.height <= LONGEST
        yield _marked(ENDS, self._named(last)) if fits else _marked(DIVIDED)

    def _named(self, rows: pl.DataFrame) -> pl.DataFrame:
        if self.only is None:
            return rows
        return rows.select(pl.lit(self.only).alias("run"), pl.all())

    def _states(self, rows: pl.DataFrame) -> Iterator[pa.RecordBatch]:
        if rows.height:
            yield from state_batches(self.evaluate, self._named(rows))


@dataclass
class KnownLists:
    """The lists of a partition as far as it was read."""

    lists: set[tuple[Any, ...]] = field(default_factory=set)
    runs: set[Any] = field(default_factory=set)
    run: Any = None
    """The run of the last list."""

    def has_any(self, keys: pl.DataFrame) -> bool:
        """Add lists; return whether one of them, or its run, was there and is not the last."""
        names = keys.rows()
        expected = len(self.lists) + len(names)
        self.lists.update(names)
        if keys.width > 1:
            runs = keys["run"].gather(group_starts(keys, ["run"])).to_list()
            if self.runs and runs[0] == self.run:
                runs = runs[1:]
            again = len(self.runs) + len(runs)
            self.runs.update(runs)
            self.run = keys["run"][-1]
            if len(self.runs) < again:
                return True
        return len(self.lists) < expected


def are_apart(keys: pl.DataFrame) -> bool:
    """Return whether a list, or its run, occurs again after another one in the same partition."""
    for part in keys.partition_by("partition", maintain_order=True):
        lists = part.select("run", "query")
        if KnownLists().has_any(lists[group_starts(lists, lists.columns)]):
            return True
    return False


def _marked(name: str, rows: pl.DataFrame | None = None) -> pa.RecordBatch:
    """Return a row that is not of a run."""
    values = b"" if rows is None else rows.write_ipc(None, compression="lz4").getvalue()
    return state_batch([{**EMPTY, "run": name, "values": values, "notes": "{}"}])


def end_states(marked: States, values: ListValues) -> States | None:
    """Return the states of lists at the ends of partitions; None if lists are apart."""
    import pyarrow as pa

    if marked.of(DIVIDED).frame.height:
        return None
    packed = marked.of(ENDS).frame["values"]
    if not len(packed):
        return States(marked.frame.clear())
    rows = pl.concat([pl.read_ipc(BytesIO(each)) for each in packed]).sort("run", "query")
    return States(pl.DataFrame(pa.Table.from_batches(state_batches(values, rows))))
