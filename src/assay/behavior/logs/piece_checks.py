"""Checks of the rows of a log: ranks, duplicates, repeated clicks and the order of times."""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from assay.behavior.logs.click_table import LINE
from assay.behavior.logs.log_findings import (
    BASE,
    CLOCK_BACK,
    EARLY_CLICK,
    GAP,
    LONG_PAUSE,
    NEGATIVE_RANK,
    REPEATED_CLICK,
    REPEATED_DOC,
    REPEATED_RANK,
    SPLIT_SESSION,
    FindingKind,
    Findings,
)
from assay.behavior.logs.log_format import RawPiece
from assay.core.errors import UsageError

DAY = 86_400.0


def shift_base(raw: RawPiece, declared: int | None, findings: Findings) -> RawPiece:
    """Return the piece with ranks that count from 1, as declared or as its ranks show."""
    base = raw.base if declared is None else declared
    if base not in (None, 0, 1):
        raise UsageError(f"the base of the ranks is 0 or 1, not {base}")
    found = raw.frame.filter(pl.col("rank") == 0)
    if base == 1 and found.height:
        _report(found, raw, NEGATIVE_RANK, findings)
        return replace(raw, frame=raw.frame.filter(pl.col("rank") != 0))
    if base == 1 or (base is None and not found.height):
        return raw
    rows = raw.frame
    place = raw.place(int((found if found.height else rows)[LINE][0]))
    findings.add(BASE, place, "", rows.height)
    raised = pl.when(pl.col("rank") >= 0).then(pl.col("rank") + 1).otherwise(pl.col("rank"))
    return replace(raw, frame=rows.with_columns(rank=raised))


def check_piece(raw: RawPiece, findings: Findings) -> pl.DataFrame:
    """Report what is wrong with the rows, and return those whose ranks can be used."""
    rows = raw.frame
    negative = rows.filter(pl.col("rank") < 1)
    if negative.height:
        _report(negative, raw, NEGATIVE_RANK, findings)
        rows = rows.filter(pl.col("rank") >= 1)
    same = (rows["list"].diff() == 0).fill_null(False)
    repeated = rows.filter(same & (rows["rank"].diff() == 0))
    if repeated.height:
        _report(repeated, raw, REPEATED_RANK, findings, "session", "query", "rank")
        rows = rows.filter(~(same & (rows["rank"].diff() == 0)))
    _check_order(rows, raw, findings)
    _check_times(rows, raw, findings)
    return rows


def _check_order(rows: pl.DataFrame, raw: RawPiece, findings: Findings) -> None:
    clicked = rows.filter(pl.col("click") > 1)
    _report(clicked, raw, REPEATED_CLICK, findings, "query", "doc")
    twice = rows.select("list", "doc").is_duplicated()
    if twice.any():
        again = rows.filter(twice).filter(~pl.struct("list", "doc").is_first_distinct())
        _report(again, raw, REPEATED_DOC, findings, "query", "doc")
    lists = rows.group_by("list", maintain_order=True).agg(
        pl.col(LINE, "session", "query").first(),
        last=pl.col("rank").last(),
        size=pl.len(),
        users=pl.col("user").n_unique(),
    )
    _report(lists.filter(pl.col("last") > pl.col("size")), raw, GAP, findings, "query")
    known = rows.filter(pl.col("user").is_not_null())
    others = known.filter(pl.col("user") != pl.col("user").first().over("session"))
    second = others.unique("session", keep="first", maintain_order=True)
    _report(second, raw, SPLIT_SESSION, findings, "session")


def _check_times(rows: pl.DataFrame, raw: RawPiece, findings: Findings) -> None:
    if rows["time"].null_count() == rows.height:
        return
    early = rows.filter(pl.col("click_time") < pl.col("time"))
    _report(early, raw, EARLY_CLICK, findings, "query", "doc")
    lists = rows.unique("list", keep="first", maintain_order=True).filter(
        pl.col("time").is_not_null()
    )
    step = lists.select(LINE, "session", "query", step=pl.col("time").diff().over("session"))
    _report(step.filter(pl.col("step") < 0), raw, CLOCK_BACK, findings, "session")
    _report(step.filter(pl.col("step") > DAY), raw, LONG_PAUSE, findings, "session")


def _report(
    rows: pl.DataFrame, raw: RawPiece, kind: FindingKind, findings: Findings, *shown: str
) -> None:
    """Count rows as cases of a kind; the first one is located."""
    if not rows.height:
        return
    first = rows.row(0, named=True)
    example = ", ".join(f"{name} {first[name]}" for name in shown or ("query", "rank"))
    findings.add(kind, raw.place(int(first[LINE])), example, rows.height)
