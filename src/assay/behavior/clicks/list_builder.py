"""Collecting the pieces of a log into lists of results, equal lists counted once."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import polars as pl

from assay.behavior.clicks.click_lists import ClickLists
from assay.core.errors import DataError

CLICK_BITS = 62
"""Clicks that are kept in one number."""


class ListBuilder:
    """Collects the pieces of a log into `ClickLists`."""

    def __init__(self, depth: int | None = None) -> None:
        self._depth = depth
        self._known = pl.DataFrame(schema={"query": pl.String, "doc": pl.String, "code": pl.Int32})
        self._wide: list[pl.DataFrame] = []

    def add(self, piece: pl.DataFrame) -> None:
        """Add the complete lists of a piece; a column ``number`` keeps sessions apart."""
        number = ["number"] if "number" in piece.columns else []
        rows = piece.select("list", "query", "doc", "rank", *number, click=pl.col("click") > 0)
        if self._depth is not None:
            rows = rows.filter(pl.col("rank") <= self._depth)
        if not rows.height:
            return
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

    def counted(self) -> tuple[pl.DataFrame, pl.DataFrame]:
        """Return the pairs by their codes, and the distinct lists, for ``add_counted``."""
        frame = pl.concat(self._wide, how="diagonal") if self._wide else pl.DataFrame()
        return self._known.select("query", "doc"), frame

    def add_counted(self, pairs: pl.DataFrame, lists: pl.DataFrame) -> None:
        """Add lists that another builder counted."""
        if lists.is_empty():
            return
        codes = np.append(self._codes(pairs).to_numpy(), np.int32(-1))
        places = [name for name in lists.columns if name[0] == "p"]
        again = [pl.Series(name, codes[lists[name].fill_null(-1).to_numpy()]) for name in places]
        self._wide.append(lists.with_columns(again))

    def build(self) -> ClickLists:
        """Return all lists, each distinct list counted once."""
        if not self._wide:
            raise DataError("there is no result list with documents left in the log")
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
    if "number" in rows.columns:
        columns["session"] = rows["number"].to_numpy()[starts]
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
    session = ["session"] if "session" in frame.columns else []
    key = ["length", *places, *ranks, *words, *session]
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
        ordered["session"].to_numpy().astype(np.int64) if session else None,
    )


def click_lists(pieces: Iterable[pl.DataFrame], depth: int | None = None) -> ClickLists:
    """Return the lists of the pieces of a log, perhaps cut at a depth."""
    builder = ListBuilder(depth)
    for piece in pieces:
        builder.add(piece)
    return builder.build()
