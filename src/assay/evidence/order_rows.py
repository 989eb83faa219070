"""Rows of two orders of the same things: from one table, two runs or two leaderboards."""

from __future__ import annotations

import polars as pl

from assay.core.errors import AlignmentError
from assay.core.tables import Run, Table, ids_as_text
from assay.evidence.column_values import (
    MOST_SORTED_AT_ONCE,
    finite_numbers,
    refuse_duplicate_keys,
    refuse_empty,
)


class Orders(Table):
    """Two rankings of the same items: item, first and second, each a number to sort by.

    Items keep their type until they are shown, as in ``Assignments``.
    """

    columns = {"item": pl.Unknown(), "first": pl.Float64(), "second": pl.Float64()}  # noqa: RUF012
    optional = {"group": pl.String()}  # noqa: RUF012 (as in core.tables)


def order_rows(orders: Orders) -> pl.DataFrame:
    """Return group, item, first, second of a table: an item occurs once, with finite numbers.

    Many items of one group have no column for it, and are named only where they are shown.
    """
    refuse_empty(orders)
    finite_numbers(orders, "first")
    finite_numbers(orders, "second")
    named = "group" in orders.frame.columns
    refuse_duplicate_keys(orders, "item", *(["group"] if named else []))
    if not named and len(orders) > MOST_SORTED_AT_ONCE:
        return orders.frame
    text = orders.frame.with_columns(item=ids_as_text(orders.frame["item"]))
    return text if named else text.with_columns(group=pl.lit("all"))


def join_runs(one: Run, two: Run) -> pl.DataFrame:
    """Return all documents of the queries that both runs answer: group, item, first, second."""
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


class Leaderboard(Table):
    """Systems and one number for each: item, value."""

    columns = {"item": pl.String(), "value": pl.Float64()}  # noqa: RUF012 (as in core.tables)


def join_leaderboards(one: Leaderboard, two: Leaderboard) -> pl.DataFrame:
    """Return all systems of both leaderboards: group, item, first, second."""
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
