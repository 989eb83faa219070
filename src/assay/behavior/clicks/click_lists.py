"""The result lists of a log as arrays, equal lists with equal clicks counted once.

The order of the lists depends on their content alone, so that models do not depend on the order of
the log.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.core.arrays import Bools, Floats, Ints, sum_at, unit_offsets

BLOCK = 8192
"""Lists that are handled together: their arrays stay in the cache of a processor."""
CLICK_BITS = 62
Codes = NDArray[np.int32]


@dataclass(frozen=True)
class ClickLists:
    """Lists of results as one column each, longest first, and a row for each position.

    A pair is a query and a document. The arrays are undefined below the end of a list.
    """

    pairs: pl.DataFrame
    """query and doc of each pair, sorted."""
    pair: Codes
    """The pair at each position: positions × lists."""
    click: Bools
    count: Floats
    """How often each list occurs."""
    length: Ints
    rank: Codes | None = field(default=None, repr=False)
    """The rank of each position, where lists have gaps; otherwise the position plus 1."""

    @property
    def depth(self) -> int:
        """The number of positions of the longest list."""
        return len(self.pair)

    @cached_property
    def highest_rank(self) -> int:
        """The highest rank of a document."""
        if self.rank is None:
            return self.depth
        return max(int(self.rank[r, :n].max()) for r, n in enumerate(self.active[:-1]) if n)

    @cached_property
    def active(self) -> list[int]:
        """The number of lists that have each position, and 0 at the end."""
        positions = np.arange(self.depth + 1)
        return [int(n) for n in (self.length[None, :] > positions[:, None]).sum(axis=1)]

    def ranks(self, position: int, lists: int) -> int | Codes:
        """Return the rank, from 0, of a position: one number, or one for each list with gaps."""
        return position if self.rank is None else self.rank[position, :lists] - 1

    def blocks(self) -> Iterator[tuple[int, ClickLists]]:
        """Yield parts of the lists with the place of their first list."""
        for start in range(0, self.count.size, BLOCK):
            yield start, self.part(slice(start, start + BLOCK))

    def part(self, chosen: slice | Bools) -> ClickLists:
        """Return some of the lists."""
        length = self.length[chosen]
        depth = int(length.max(initial=0))
        rank = None if self.rank is None else self.rank[:depth, chosen]
        return replace(
            self,
            pair=self.pair[:depth, chosen],
            click=self.click[:depth, chosen],
            count=self.count[chosen],
            length=length,
            rank=rank,
        )

    @cached_property
    def shown(self) -> Bools:
        """Whether a list has each position."""
        return np.arange(self.depth)[:, None] < self.length[None, :]

    def pair_sum(self, values: Floats) -> Floats:
        """Return the sum over impressions of each pair, each list as often as it occurs."""
        weights = values if self._single else values * self.count
        if self._full:
            return sum_at(self._flat_pair, weights.ravel(), self.pairs.height)
        return sum_at(self.pair[self.shown], weights[self.shown], self.pairs.height)

    @cached_property
    def _full(self) -> bool:
        return bool((self.length == self.depth).all())

    @cached_property
    def _single(self) -> bool:
        return bool((self.count == 1).all())

    @cached_property
    def _flat_pair(self) -> Ints:
        """The pairs as the indices that NumPy counts with, converted once."""
        return self.pair.ravel().astype(np.intp)

    @cached_property
    def impressions(self) -> Floats:
        """How often each pair was shown."""
        return self.pair_sum(np.ones(self.pair.shape))

    @cached_property
    def clicks(self) -> Floats:
        """How often each pair was clicked."""
        return self.clicked_sum(np.ones(self.pair.shape))

    @cached_property
    def _clicked(self) -> tuple[Ints, Codes, Floats]:
        """The place, pair and count of each click."""
        place = np.flatnonzero(self.click & self.shown)
        return place, self.pair.ravel()[place], self.count[place % self.count.size]

    def clicked_sum(self, values: Floats) -> Floats:
        """Return the sum over clicked impressions of each pair."""
        place, pair, count = self._clicked
        return sum_at(pair, values.ravel()[place] * count, self.pairs.height)

    @cached_property
    def pair_query(self) -> Ints:
        """The number of the query of each pair."""
        return self.pairs["query"].rle_id().to_numpy().astype(np.int64)


class ListBuilder:
    """Collects the pieces of a log into `ClickLists`."""

    def __init__(self, depth: int | None = None) -> None:
        self._depth = depth
        self._known = pl.DataFrame(schema={"query": pl.String, "doc": pl.String, "code": pl.Int32})
        self._wide: list[pl.DataFrame] = []

    def add(self, piece: pl.DataFrame) -> None:
        """Add the complete lists of a piece."""
        rows = piece.select("list", "query", "doc", "rank", click=pl.col("click") > 0)
        if self._depth is not None:
            rows = rows.filter(pl.col("rank") <= self._depth)
        rows = rows.with_columns(code=self._codes(rows))
        self._wide.append(_wide_lists(rows))

    def _codes(self, rows: pl.DataFrame) -> pl.Series:
        """Return the code of the pair of each row; new pairs get the next codes."""
        key = ["query", "doc"]
        seen = rows.select(key).unique(maintain_order=True)
        new = seen.join(self._known, on=key, how="anti", maintain_order="left")
        first = self._known.height
        numbered = new.with_columns(code=pl.int_range(first, first + new.height, dtype=pl.Int32))
        self._known = pl.concat([self._known, numbered])
        return rows.join(self._known, on=key, how="left", maintain_order="left")["code"]

    def build(self) -> ClickLists:
        """Return all lists, each distinct list counted once."""
        return _distinct_lists(self._known, self._wide)


def _wide_lists(rows: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each distinct list: pairs, ranks with gaps, clicks as bits, count."""
    lists = rows["list"].rle_id().to_numpy()
    starts = np.flatnonzero(np.diff(lists, prepend=-1))
    sizes = np.diff(np.append(starts, len(lists)))
    position = np.arange(len(lists)) - np.repeat(starts, sizes)
    depth, total = int(sizes.max(initial=0)), len(sizes)
    pair = np.full((depth, total), -1, dtype=np.int32)
    pair[position, lists] = rows["code"].to_numpy()
    columns = {f"p{n}": pair[n] for n in range(depth)}
    rank = rows["rank"].to_numpy()
    if (rank != position + 1).any():
        ranks = np.repeat(np.arange(1, depth + 1, dtype=np.int32)[:, None], total, axis=1)
        ranks[position, lists] = rank
        columns |= {f"r{n}": ranks[n] for n in range(depth)}
    clicked = np.flatnonzero(rows["click"].to_numpy())
    for word in range(0, depth, CLICK_BITS):
        inside = clicked[(position[clicked] >= word) & (position[clicked] < word + CLICK_BITS)]
        bits = np.zeros(total, dtype=np.int64)
        np.add.at(bits, lists[inside], np.left_shift(1, position[inside] - word))
        columns[f"c{word}"] = bits
    frame = pl.DataFrame(columns).with_columns(length=pl.Series(sizes, dtype=pl.Int32))
    return frame.group_by(frame.columns).len("count")


def _distinct_lists(known: pl.DataFrame, parts: Iterable[pl.DataFrame]) -> ClickLists:
    frame = pl.concat(list(parts), how="diagonal")
    pairs = known.sort("query", "doc")
    new_code = np.empty(pairs.height + 1, dtype=np.int32)
    new_code[pairs["code"].to_numpy()] = np.arange(pairs.height)
    new_code[-1] = 0
    depth = int(frame["length"].max() or 0)  # type: ignore[arg-type]
    has_gaps = "r0" in frame.columns
    places = [f"p{n}" for n in range(depth)]
    ranks = [f"r{n}" for n in range(depth)] if has_gaps else []
    words = [f"c{n}" for n in range(0, depth, CLICK_BITS)]
    filled = frame.with_columns(
        pl.col(places).fill_null(-1),
        *(pl.col(name).fill_null(int(name[1:]) + 1) for name in ranks),
        pl.col(words).fill_null(0),
    )
    codes = [pl.Series(name, new_code[filled[name].to_numpy()]) for name in places]
    key = ["length", *places, *ranks, *words]
    merged = filled.with_columns(codes).group_by(key).agg(pl.col("count").sum())
    falling = [True, *[False] * (len(key) - 1)]
    ordered = merged.sort(key, descending=falling)
    bits = np.stack([ordered[name].to_numpy() for name in words]) if words else None
    click = np.zeros((depth, ordered.height), dtype=bool)
    for n in range(depth):
        if bits is not None:
            click[n] = (bits[n // CLICK_BITS] >> (n % CLICK_BITS)) & 1
    return ClickLists(
        pairs.select("query", "doc"),
        np.stack([ordered[name].to_numpy() for name in places]),
        click,
        ordered["count"].to_numpy().astype(np.float64),
        ordered["length"].to_numpy().astype(np.int64),
        np.stack([ordered[name].to_numpy() for name in ranks]) if has_gaps else None,
    )


def click_lists(pieces: Iterable[pl.DataFrame], depth: int | None = None) -> ClickLists:
    """Return the lists of the pieces of a log, perhaps cut at a depth."""
    builder = ListBuilder(depth)
    for piece in pieces:
        builder.add(piece)
    return builder.build()


def single_lists(rows: pl.DataFrame) -> tuple[ClickLists, Ints]:
    """Return lists that are not merged, and the number of each in the order of the rows."""
    builder = ListBuilder()
    builder.add(rows)
    merged = builder.build()
    lists = rows["list"].rle_id().to_numpy().astype(np.int64)
    length = np.bincount(lists)
    order = np.argsort(-length, kind="stable")
    column = np.empty(len(order), dtype=np.int64)
    column[order] = np.arange(len(order))
    position = np.arange(len(lists)) - unit_offsets(length)[lists]
    key = pl.DataFrame({"query": rows["query"], "doc": rows["doc"]})
    code = key.join(
        merged.pairs.with_row_index("code"), on=["query", "doc"], how="left", maintain_order="left"
    )["code"].to_numpy()
    shape = (int(length.max(initial=0)), len(length))
    pair, click = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=bool)
    pair[position, column[lists]] = code
    click[position, column[lists]] = rows["click"].to_numpy() > 0
    rank = None
    if merged.rank is not None:
        rank = np.ones(shape, dtype=np.int32)
        rank[position, column[lists]] = rows["rank"].to_numpy()
    count = np.ones(len(length))
    return ClickLists(merged.pairs, pair, click, count, length[order], rank), order
