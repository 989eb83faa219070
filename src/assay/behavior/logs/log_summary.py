"""What users did: click-through rates, abandonment, first clicks, reformulations, queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from assay.behavior.logs.click_log import ClickLog, open_log
from assay.behavior.logs.log_format import LogSettings
from assay.core.printable import Printable

REFORMULATION_SECONDS = 60.0
"""A different query of the same session within this time is a reformulation."""


@dataclass(frozen=True, eq=False, repr=False)
class LogSummary(Printable):
    """The numbers of a click log."""

    behavior: pl.DataFrame
    """name, value, lists (of how many), about."""
    ranks: pl.DataFrame
    """rank, impressions, clicks, rate, low, high (95 % Wilson interval)."""
    queries: pl.DataFrame
    """query, lists, share, abandoned: how often each query occurs, the most frequent first."""
    notes: tuple[str, ...] = ()


def summarize_log(
    log: Any,
    *,
    format: str | None = None,
    base: int | None = None,
    columns: dict[str, str] | None = None,
) -> LogSummary:
    """Summarize what users did; the arguments are those of ``read_clicks``.

    A list without clicks is abandoned. The reciprocal rank of the first click is 0 for it. A list
    is reformulated if the next one of its session has another query, within 60 seconds if times
    are known.
    """
    return summarize_opened(open_log(log, LogSettings(format, base, columns or {})))


def summarize_opened(log: ClickLog) -> LogSummary:
    """Summarize an opened log."""
    ranks, lists, queries = [], [], []
    for piece in log.pieces():
        clicked = pl.col("click") > 0
        ranks.append(
            piece.group_by("rank").agg(impressions=pl.len(), clicks=clicked.sum().cast(pl.Int64))
        )
        each = _list_facts(piece)
        lists.append(_sums(each))
        queries.append(
            each.group_by("query").agg(
                lists=pl.len(), abandoned=(pl.col("clicked") == 0).sum().cast(pl.Int64)
            )
        )
    by_rank = pl.concat(ranks).group_by("rank").agg(pl.col("impressions", "clicks").sum())
    frequent = pl.concat(queries).group_by("query").agg(pl.col("lists", "abandoned").sum())
    frequent = frequent.sort("lists", "query", descending=[True, False])
    total = int(frequent["lists"].sum())
    shares = frequent.select(
        "query",
        "lists",
        share=pl.col("lists") / total,
        abandoned=pl.col("abandoned") / pl.col("lists"),
    )
    notes = tuple(log.findings.notes())
    return LogSummary(_behavior(lists), _rates(by_rank.sort("rank")), shares, notes)


def _list_facts(piece: pl.DataFrame) -> pl.DataFrame:
    """Return a row for each list: clicks, rank and time of the first one, and the next query."""
    clicked = pl.col("click") > 0
    each = piece.group_by("list", maintain_order=True).agg(
        pl.col("session", "query", "time").first(),
        clicked=clicked.sum().cast(pl.Int64),
        first=pl.col("rank").filter(clicked).min(),
        wait=(pl.col("click_time").min() - pl.col("time").first()),
    )
    ordered = each.sort("session", "time", "list", nulls_last=True)
    following = ordered.with_columns(
        next_query=pl.col("query").shift(-1).over("session"),
        gap=(pl.col("time").shift(-1) - pl.col("time")).over("session"),
    )
    soon = pl.col("gap").is_null() | (pl.col("gap") <= REFORMULATION_SECONDS)
    return following.with_columns(
        reformulated=((pl.col("next_query") != pl.col("query")) & soon).fill_null(False)
    )


def _sums(each: pl.DataFrame) -> dict[str, Any]:
    waits = each["wait"].drop_nulls()
    return {
        "lists": each.height,
        "sessions": each["session"].n_unique(),
        "abandoned": int((each["clicked"] == 0).sum()),
        "clicks": int(each["clicked"].sum()),
        "top": int((each["first"] == 1).sum()),
        "reciprocal": math.fsum((1 / each["first"].drop_nulls()).to_list()),
        "reformulated": int(each["reformulated"].sum()),
        "waits": waits.filter(waits >= 0).to_numpy(),
    }


def _behavior(parts: list[dict[str, Any]]) -> pl.DataFrame:
    total = {name: math.fsum(part[name] for part in parts) for name in parts[0] if name != "waits"}
    waits = np.concatenate([part["waits"] for part in parts])
    lists = total["lists"]
    median = float(np.median(waits)) if len(waits) else math.nan
    rows = [
        ("lists per session", lists / total["sessions"], "result lists of a session"),
        ("any click", 1 - total["abandoned"] / lists, "share of lists with a click"),
        ("abandonment", total["abandoned"] / lists, "share of lists without a click"),
        ("clicks per list", total["clicks"] / lists, "results clicked in a list"),
        ("CTR@1", total["top"] / lists, "share of lists whose highest click is at rank 1"),
        ("first click RR", total["reciprocal"] / lists, "reciprocal rank of the highest click"),
        (
            "time to first click",
            median,
            "median in units of the log, of lists with a time and a click",
        ),
        (
            "reformulation",
            total["reformulated"] / lists,
            "share followed by another query within 60 s",
        ),
    ]
    counts = [len(waits) if row[0] == "time to first click" else int(lists) for row in rows]
    names, values, about = zip(*rows, strict=True)
    return pl.DataFrame({"name": names, "value": values, "lists": counts, "about": about})


def _rates(by_rank: pl.DataFrame) -> pl.DataFrame:
    """Return the click-through rate of each rank with its 95 % Wilson interval."""
    n = by_rank["impressions"].to_numpy().astype(np.float64)
    rate = by_rank["clicks"].to_numpy() / n
    z = 1.959963984540054
    center = (rate + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return by_rank.with_columns(
        rate=pl.Series(rate), low=pl.Series(center - half), high=pl.Series(center + half)
    )
