"""Everything wrong or suspicious in a click log, and what it contains."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import polars as pl

from assay.behavior.logs.click_log import ClickLog, open_log
from assay.behavior.logs.log_findings import BOT
from assay.behavior.logs.log_format import LogSettings
from assay.core.printable import Printable

BOT_LISTS = 50
BOT_SECONDS = 20.0
"""At least so many lists, with less than so many seconds for each, are implausible."""
BOT_FULL_LISTS = 5
"""So are so many lists of which every result was clicked, and no other lists."""


@dataclass(frozen=True, eq=False, repr=False)
class LogCheck(Printable):
    """What a log contains, and the problems in it."""

    contents: pl.DataFrame
    """lists, impressions, clicks, sessions, queries, users, depth, first, last."""
    findings: pl.DataFrame
    """severity, problem, count, first (its place), example, handling."""
    has_errors: bool
    """Whether something must be fixed before the log can be used."""
    notes: tuple[str, ...] = ()


def check_log(
    log: Any,
    *,
    format: str | None = None,
    base: int | None = None,
    columns: dict[str, str] | None = None,
) -> LogCheck:
    """Read a log to its end, and return what it contains and what is wrong with it.

    The arguments are those of ``read_clicks``. Nothing is left out silently: each problem is
    counted, with the file and line of the first case and how it is handled.
    """
    return check_opened(open_log(log, LogSettings(format, base, columns or {})))


def check_opened(log: ClickLog) -> LogCheck:
    """Return what an opened log contains and what is wrong with it."""
    counts = dict.fromkeys(("lists", "impressions", "clicks", "sessions", "depth"), 0)
    queries, users = [], []
    times: list[Any] = []
    for piece in log.pieces(strict=False):
        counts["lists"] += piece["list"].n_unique()
        counts["impressions"] += piece.height
        counts["clicks"] += int(piece["click"].sum())
        counts["sessions"] += piece["session"].n_unique()
        counts["depth"] = max(counts["depth"], _highest(piece["rank"]))
        queries.append(piece["query"].unique())
        users.append(_user_lists(piece))
        times += [time for time in (piece["time"].min(), piece["time"].max()) if time is not None]
    active = _merge_users(users)
    _report_bots(active, log)
    known_users = active.filter(pl.col("known")).height if active.height else 0
    contents = {
        "format": log.format,
        **counts,
        "queries": pl.concat(queries).n_unique() if queries else 0,
        "users": known_users or None,
        "first": _moment(min(times, default=None)),
        "last": _moment(max(times, default=None)),
    }
    schema = {"users": pl.Int64, "first": pl.String, "last": pl.String}
    frame = pl.DataFrame([contents], schema_overrides=schema)
    findings = log.findings
    if counts["lists"]:
        return LogCheck(frame, findings.frame(), findings.has_errors)
    return LogCheck(frame, findings.frame(), True, (f"{log.name}: there is no result list",))


def _highest(ranks: pl.Series) -> int:
    return int(ranks.max() or 0)  # type: ignore[arg-type]


def _user_lists(piece: pl.DataFrame) -> pl.DataFrame:
    """Return for each user (or session) the lists, those clicked throughout, and the times."""
    lists = piece.group_by("list").agg(
        pl.col("user", "session", "time").first(),
        full=(pl.col("click") > 0).all() & (pl.len() >= BOT_FULL_LISTS),
    )
    named = lists.with_columns(
        name=pl.coalesce("user", "session"), known=pl.col("user").is_not_null()
    )
    return named.group_by("name", "known").agg(
        pl.len().cast(pl.Int64).alias("lists"),
        pl.col("full").sum().cast(pl.Int64),
        first=pl.col("time").min(),
        last=pl.col("time").max(),
    )


def _merge_users(parts: list[pl.DataFrame]) -> pl.DataFrame:
    if not parts:
        return pl.DataFrame()
    return (
        pl.concat(parts)
        .group_by("name", "known")
        .agg(pl.col("lists", "full").sum(), pl.col("first").min(), pl.col("last").max())
        .sort("name")
    )


def _report_bots(users: pl.DataFrame, log: ClickLog) -> None:
    if not users.height:
        return
    fast = (pl.col("lists") >= BOT_LISTS) & (
        (pl.col("last") - pl.col("first")) < BOT_SECONDS * pl.col("lists")
    )
    everything = (pl.col("full") >= BOT_FULL_LISTS) & (pl.col("full") == pl.col("lists"))
    found = users.filter(fast.fill_null(False) | everything)
    if found.height:
        top = found.sort("lists", "name", descending=[True, False]).row(0, named=True)
        example = f"{top['name']}: {top['lists']} lists"
        log.findings.add(BOT, log.name, example, found.height)


def _moment(seconds: float | None) -> str | None:
    """Return a time since 1970 as text; a time since the start of a session as it is."""
    if seconds is None:
        return None
    if seconds < 1e8:
        return f"{seconds:g}"
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
