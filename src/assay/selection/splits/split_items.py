"""Splits of items: train and test, folds, nested folds; by class, by group, or by time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from assay.core.arrays import Floats
from assay.core.errors import DataError, UsageError, missing_column, no_rows
from assay.formats.containers import to_frame
from assay.formats.splits import Splits
from assay.selection.splits.assign_parts import assign_parts
from assay.selection.splits.split_settings import (
    MOST_ROWS,
    SplitSettings,
    check_shares,
    describe_settings,
    find_method,
    read_settings,
    refuse_many_rows,
)
from assay.selection.splits.split_times import read_gap, read_times, split_by_time

Parts = npt.NDArray[np.int64]
GAP = "gap"
"""The split of items too near in time to what follows them."""
LATER = "later"
"""The split of items after the test items of a fold by time."""


Fold = tuple[str, pl.Series, Sequence[str] | pl.Series]
"""The name of a fold, the items in it, and the split of each."""
Method = Callable[[pl.DataFrame, SplitSettings, np.random.Generator], Iterator[Fold]]


def split_items(
    data: Any,
    method: str | None = None,
    *,
    item: str | None = None,
    stratum: str | None = None,
    group: str | None = None,
    time: str | None = None,
    **settings: Any,
) -> Splits:
    """Split the rows of a table into parts, or into folds.

    ``method`` is holdout (parts of the ``shares``), k-fold, leave-one-out, leave-p-out or nested;
    by default it is holdout, or what uses the other settings, such as k-fold for ``folds``.
    ``stratum`` names a column, such as the class, whose values keep the shares; rows with the same
    ``group`` stay together; with ``time`` the parts follow each other in time, with a ``gap`` on
    request. ``item`` names the column of ids, else rows are numbered from 1. The other keywords are
    the fields of SplitSettings. The result does not depend on the order of rows that have ids.
    """
    used = read_settings(settings)
    method = find_method(method, settings)
    frame, source = to_frame(data, "items")
    columns = {"item": item, "stratum": stratum, "group": group, "time": time}
    items = _read_items(frame, source.name, columns)
    if time is not None:
        if group is not None or stratum is not None:
            raise UsageError("a split by time keeps no groups or strata: leave out the other two")
        items = items.sort("time", "item")
    elif used.gap is not None:
        raise UsageError("a gap needs the column of times: give `time`")
    refuse_many_rows(method, used, items.height)
    folds = list(METHODS[method](items, used, np.random.default_rng(used.seed)))
    _refuse_empty_parts(method, used, folds)
    rows = pl.concat(
        pl.DataFrame({"fold": [name] * len(ids), "item": ids, "split": splits})
        for name, ids, splits in folds
    )
    made = {
        "method": method,
        **{k: v for k, v in columns.items() if v},
        **describe_settings(method, used),
    }
    whole = {"data": source.name, "items": items.height}
    return Splits(rows.drop("fold") if method == "holdout" else rows, {**made, **whole})


def _refuse_empty_parts(method: str, used: SplitSettings, folds: Sequence[Fold]) -> None:
    """Refuse a part with a share above 0, and a fold's training or test part, without items."""
    shares = zip(used.part_names(), used.shares, strict=True) if method == "holdout" else ()
    wanted = {name for name, share in shares if share > 0}
    for fold, _, splits in folds:
        needed = wanted or {"train", "validation" if "." in fold else "test"}
        missing = needed - {*pl.Series(splits).unique()}
        if missing:
            where = f"fold {fold}: " if fold else ""
            raise UsageError(
                f"{where}no item is in {min(missing)}; use more items or groups, other shares,"
                " fewer folds or a shorter gap"
            )


def _read_items(frame: pl.DataFrame, where: str, columns: dict[str, str | None]) -> pl.DataFrame:
    """Return the columns item, group, stratum and time, each with a value in every row."""
    if not frame.height:
        raise no_rows(where)
    for purpose, name in columns.items():
        if name is not None and name not in frame.columns:
            raise missing_column(where, name, frame.columns, f"for `{purpose}`")
    item, group, stratum, time = (columns[name] for name in ("item", "group", "stratum", "time"))
    for name in filter(None, (item, group, stratum, time)):
        empty = frame[name].is_null().arg_true()
        if len(empty):
            raise DataError(f"{where}: row {empty[0] + 1} has no {name}; give a value in each row")
    ids = pl.int_range(1, frame.height + 1, eager=True) if item is None else frame[item]
    ids = ids.cast(pl.String)
    if ids.is_duplicated().any():
        again = ids.filter(ids.is_duplicated())[0]
        raise DataError(f"{where}: the item {again} occurs twice in the column {item}")
    return pl.DataFrame(
        {
            "item": ids,
            "group": ids if group is None else frame[group].cast(pl.String),
            "stratum": pl.repeat("", frame.height, eager=True)
            if stratum is None
            else frame[stratum].cast(pl.String),
            **({} if time is None else {"time": read_times(frame[time], where)}),
        }
    )


def split_at_random(items: pl.DataFrame, shares: Floats, draw: np.random.Generator) -> Parts:
    """Return the part of each item at random; items of one group are in the same part."""
    numbered = items.select(
        pl.col("group").rank("dense").alias("unit") - 1,
        pl.col("stratum").rank("dense") - 1,
    ).cast(pl.Int64)
    unit, stratum = numbered["unit"].to_numpy(), numbered["stratum"].to_numpy()
    counts = np.zeros((unit.max(initial=-1) + 1, stratum.max(initial=-1) + 1), dtype=np.int64)
    np.add.at(counts, (unit, stratum), 1)
    return assign_parts(counts, shares, draw)[unit]


def _split(
    items: pl.DataFrame, shares: Floats, gap: str | float | None, draw: np.random.Generator
) -> tuple[Parts, npt.NDArray[np.bool_]]:
    """Return the part of each item, and which items are too near in time to the next part."""
    if "time" not in items.columns:
        return split_at_random(items, shares, draw), np.zeros(items.height, dtype=np.bool_)
    return split_by_time(items["time"], shares, read_gap(gap, items["time"].dtype))


def _holdout(
    items: pl.DataFrame, settings: SplitSettings, draw: np.random.Generator
) -> Iterator[Fold]:
    names = settings.part_names()
    parts, near = _split(items, check_shares(settings.shares, names), settings.gap, draw)
    yield "", items["item"], pl.Series(np.where(near, GAP, np.asarray(names)[parts]))


def _k_fold(
    items: pl.DataFrame, settings: SplitSettings, draw: np.random.Generator
) -> Iterator[Fold]:
    for repeat in range(1, settings.repeats + 1):
        for fold, splits in enumerate(_folds(items, settings.folds, settings.gap, draw, "test"), 1):
            name = f"{repeat}-{fold}" if settings.repeats > 1 else str(fold)
            yield name, items["item"], splits


def _folds(
    items: pl.DataFrame,
    folds: int,
    gap: str | float | None,
    draw: np.random.Generator,
    tested: str,
) -> Iterator[pl.Series]:
    """Yield the splits of each fold; by time, each fold tests the block after its training items.

    A gap by time is taken from the training items of each fold.
    """
    timed = "time" in items.columns
    units = items["time" if timed else "group"].n_unique()
    blocks = folds + timed
    if units < blocks:
        what = "times" if timed else "items or groups"
        raise UsageError(f"{folds} folds need at least {blocks} {what}, found {units}")
    parts, _ = _split(items, np.full(blocks, 1 / blocks), None, draw)
    for fold in range(timed, blocks):
        splits = np.where(parts == fold, tested, "train").astype(object)
        if timed:
            limit = read_gap(gap, items["time"].dtype)
            if not (parts == fold).any():
                raise UsageError(
                    f"fold {fold} has no items, since too many have the same time: use fewer folds"
                )
            first = items["time"].filter(parts == fold).min()
            near = (items["time"] > first - limit).to_numpy() if limit is not None else False
            splits[(parts < fold) & near] = GAP
            splits[parts > fold] = LATER
        yield pl.Series(splits.tolist())


def _leave_out(
    items: pl.DataFrame, settings: SplitSettings, draw: np.random.Generator
) -> Iterator[Fold]:
    """Yield a fold for every choice of groups; an item without a group is a group of its own."""
    _refuse_time(items)
    groups = items["group"].unique().sort()
    left = settings.left_out
    rows = math.comb(len(groups), left) * items.height
    if left >= len(groups) or rows > MOST_ROWS:
        raise UsageError(
            f"leaving out {left} of {len(groups)} has {rows:,} rows; at most {MOST_ROWS:,} are"
            " written, and something must be left to train on: use k-fold"
        )
    for fold, chosen in enumerate(itertools.combinations(groups, left), 1):
        tested = items["group"].is_in(chosen).to_numpy()
        yield str(fold), items["item"], pl.Series(np.where(tested, "test", "train"))


def _leave_one_out(
    items: pl.DataFrame, settings: SplitSettings, draw: np.random.Generator
) -> Iterator[Fold]:
    return _leave_out(items, SplitSettings(left_out=1), draw)


def _refuse_time(items: pl.DataFrame) -> None:
    if "time" in items.columns:
        raise UsageError("leaving items out takes no account of time: use holdout or k-fold")


def _nested(
    items: pl.DataFrame, settings: SplitSettings, draw: np.random.Generator
) -> Iterator[Fold]:
    """Yield each outer fold, then its inner folds, which split its training items again."""
    for fold, splits in enumerate(_folds(items, settings.folds, settings.gap, draw, "test"), 1):
        yield str(fold), items["item"], splits
        training = items.filter(splits == "train")
        inner = _folds(training, settings.inner, settings.gap, draw, "validation")
        for number, own in enumerate(inner, 1):
            yield f"{fold}.{number}", training["item"], own


METHODS: dict[str, Method] = {
    "holdout": _holdout,
    "k-fold": _k_fold,
    "leave-one-out": _leave_one_out,
    "leave-p-out": _leave_out,
    "nested": _nested,
}
"""The methods by name."""
