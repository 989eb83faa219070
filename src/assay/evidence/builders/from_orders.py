"""Orders, runs and leaderboards to pairs of orders."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.core.arrays import unit_offsets
from assay.core.errors import AlignmentError
from assay.core.tables import Orders, Run, Table
from assay.evidence.column_values import finite_numbers, refuse_duplicate_keys, refuse_empty
from assay.evidence.views.order_pairs import OrderPairs
from assay.evidence.views.ranked_lists import RankedLists, Ranking


def build_order_pairs(orders: Orders) -> OrderPairs:
    """The two orders, group after group, items in bytewise order."""
    return _group_pairs(_check_rows(orders))


def _check_rows(orders: Orders) -> pl.DataFrame:
    """The rows by group, of which each names an item once, with two finite numbers."""
    refuse_empty(orders)
    finite_numbers(orders, "first")
    finite_numbers(orders, "second")
    named = "group" in orders.frame.columns
    refuse_duplicate_keys(orders, "item", *(["group"] if named else []))
    return orders.frame if named else orders.frame.with_columns(group=pl.lit("all"))


def _group_pairs(frame: pl.DataFrame, groups: pl.Series | None = None) -> OrderPairs:
    """One group after the other; those that are named but have no items are empty."""
    ordered = frame.sort("group", "item")
    named = ordered["group"].unique().sort() if groups is None else groups
    sizes = ordered.group_by("group").len()
    counted = named.to_frame("group").join(sizes, on="group", how="left", maintain_order="left")
    return OrderPairs(
        groups=tuple(named.to_list()),
        offsets=unit_offsets(counted["len"].fill_null(0).cast(pl.Int64).to_numpy()),
        first=ordered["first"].to_numpy(),
        second=ordered["second"].to_numpy(),
        items=tuple(ordered["item"].to_list()),
    )


def build_ranked_lists(orders: Orders) -> RankedLists:
    """The same two orders as rankings, from the highest number."""
    return full_ranked_lists(_check_rows(orders).select("group", "item", "first", "second"))


def join_runs(one: Run, two: Run) -> pl.DataFrame:
    """All documents of both runs for the queries that both answer: group, item, first, second."""
    for run in (one, two):
        finite_numbers(run, "score")
        refuse_duplicate_keys(run, "doc", "query")
    common = one.frame.select("query").unique().join(two.frame.select("query").unique(), on="query")
    if common.is_empty():
        raise AlignmentError(
            f"{one.source.name} and {two.source.name} answer no query in common; are these runs"
            " for the same topics?"
        )
    first, second = (
        run.frame.join(common, on="query", how="semi").select(
            "query", "doc", pl.col("score").alias(name)
        )
        for run, name in ((one, "first"), (two, "second"))
    )
    joined = first.join(second, on=["query", "doc"], how="full", coalesce=True)
    return joined.rename({"query": "group", "doc": "item"}).sort("group", "item")


def common_item_pairs(joined: pl.DataFrame) -> OrderPairs:
    """For each group the items that both orders have."""
    both = joined.filter(pl.col("first").is_not_null() & pl.col("second").is_not_null())
    return _group_pairs(both, joined["group"].unique().sort())


def full_ranked_lists(frame: pl.DataFrame) -> RankedLists:
    """For each group the two rankings, whole; items with equal numbers are tied."""
    ranks = [
        pl.col(name)
        .rank(method, descending=True)
        .over("group")
        .fill_null(0)
        .cast(pl.Int64)
        .alias(f"{name} {method}")
        for name in ("first", "second")
        for method in ("min", "max")
    ]
    ranked = frame.sort("group", "item").with_columns(ranks)
    sizes = ranked.group_by("group", maintain_order=True).len()
    ends = np.cumsum(sizes["len"].to_numpy())[:-1]
    columns = [np.split(ranked[each.meta.output_name()].to_numpy(), ends) for each in ranks]
    pairs = tuple((Ranking(a, b), Ranking(c, d)) for a, b, c, d in zip(*columns, strict=True))
    return RankedLists(tuple(sizes["group"].to_list()), pairs)


class Leaderboard(Table):
    """Systems and one number for each: item, value."""

    columns = {"item": pl.String(), "value": pl.Float64()}  # noqa: RUF012 (as in core.tables)


def join_leaderboards(one: Leaderboard, two: Leaderboard) -> pl.DataFrame:
    """All systems of both leaderboards: group, item, first, second."""
    for board in (one, two):
        refuse_empty(board)
        finite_numbers(board, "value")
        refuse_duplicate_keys(board, "item")
    first = one.frame.rename({"value": "first"})
    second = two.frame.rename({"value": "second"})
    joined = first.join(second, on="item", how="full", coalesce=True)
    if first.join(second, on="item").is_empty():
        raise AlignmentError(
            f"{one.source.name} and {two.source.name} name no item in common"
            f" ({one.frame['item'][0]} … and {two.frame['item'][0]} …)"
        )
    return joined.with_columns(group=pl.lit("all")).sort("item")
