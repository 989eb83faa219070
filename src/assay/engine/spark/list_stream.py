"""How rows reach the evaluation of lists: sorted and in batches, or one list at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Protocol

import polars as pl

from assay.core.errors import AssayError
from assay.engine.spark.frames import functions
from assay.engine.spark.list_values import ListValues, group_starts
from assay.engine.spark.packed_values import COLUMNS, EMPTY, MARK

if TYPE_CHECKING:
    import pyarrow as pa


KEY = "key"
"""The column by which the rows of a list are together."""


class RowsOfStates(Protocol):
    """What computes the packed rows of a table of whole lists."""

    def rows(self, lists: pl.DataFrame, /) -> Iterator[dict[str, Any]]:
        """Yield them."""


@dataclass(frozen=True)
class ListStream:
    """The fast path: rows sorted by the key of their list, in batches that may end anywhere.

    The list at the end of a batch goes on in the next one, so it is kept until it is whole.
    """

    evaluate: ListValues
    rows: int = 1 << 18
    """So many rows are evaluated at once, if lists are not longer."""
    only: str | None = None
    """The name of the run if it is the only one: then rows have no column for it."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the states of all lists."""
        keys = ["run", "query"] if self.only is None else ["query"]
        name = [] if self.only is None else [pl.lit(self.only).alias("run")]
        for part in whole_parts(batches, [KEY], self.rows):
            lists = part.drop(KEY)
            if len(group_starts(lists, keys)) > len(group_starts(part, [KEY])):
                lists = lists.sort(keys)  # Two lists have the same key.
            yield from state_batches(self.evaluate, lists.select(*name, pl.all()))


@dataclass(frozen=True)
class PartitionOfLists:
    """Rows of whole lists in any order, of a partition that fits into memory.

    Sorting them here takes less time than in Spark.
    """

    evaluate: ListValues
    only: str | None = None
    """The name of the run if it is the only one: then rows have no column for it."""

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the states of all lists."""
        held = [pl.DataFrame(batch) for batch in batches]
        if not held:
            return
        rows = pl.concat(held)
        held.clear()
        if self.only is not None:
            rows = rows.select(pl.lit(self.only).alias("run"), pl.all())
        elif len(group_starts(rows, ["run"])) > 1:
            rows = rows.sort("run")
        yield from state_batches(replace(self.evaluate, interleaved=True), rows)


def list_key(columns: Sequence[str]) -> Any:
    """Return a whole number for each list, by which Spark sorts without comparing names.

    Lists of a run have neighboring numbers; hardly ever do two lists have the same one.
    """
    f = functions()
    if "run" not in columns:
        return f.xxhash64("query").alias(KEY)
    run, query = (f.hash(name).cast("bigint") for name in ("run", "query"))
    return f.shiftleft(run, 32).bitwiseOR(query.bitwiseAND(f.lit(0xFFFFFFFF))).alias(KEY)


def whole_parts(
    batches: Iterator[pa.RecordBatch], keys: Sequence[str], rows: int, first: int | None = None
) -> Iterator[pl.DataFrame]:
    """Yield about so many rows at a time (the first time ``first``), cut where the keys change."""
    held: list[pl.DataFrame] = []
    height, wanted = 0, first or rows
    for batch in batches:
        part = pl.DataFrame(batch)
        held.append(part)
        height += part.height
        if height < wanted:
            continue
        whole = pl.concat(held)
        cut = int(group_starts(whole, keys)[-1])
        if cut:
            yield whole[:cut]
        held, height = [whole[cut:]], whole.height - cut
        wanted = max(rows, 2 * height)  # A long list is not searched again each time.
    if height:
        yield pl.concat(held)


@dataclass(frozen=True)
class ListGroup:
    """The plain path: all rows of one list at once."""

    evaluate: ListValues

    def __call__(self, table: pa.Table) -> pa.Table:
        """Return the state of the list."""
        import pyarrow as pa

        return pa.Table.from_batches(state_batches(self.evaluate, pl.DataFrame(table)))


def state_batches(evaluate: RowsOfStates, lists: pl.DataFrame) -> Iterator[pa.RecordBatch]:
    """Yield the states of whole lists; an error names the key and keeps its text."""
    try:
        rows = list(evaluate.rows(lists))
    except AssayError as failure:
        rows = [_failed(failure)]
    yield state_batch(rows)


def state_batch(rows: Sequence[Mapping[str, Any]]) -> pa.RecordBatch:
    """Return packed rows as Spark takes them."""
    import pyarrow as pa

    types = {"string": pa.string(), "binary": pa.binary(), "array<string>": pa.list_(pa.string())}
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS.items()])
    return pa.RecordBatch.from_pylist(list(rows), schema=schema)


def _failed(failure: AssayError) -> dict[str, Any]:
    """Return a row with the error for the driver, without Spark's own words around it."""
    return {"run": f"{MARK}failed", **EMPTY, "notes": json.dumps({"failure": str(failure)})}
