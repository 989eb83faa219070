"""Preferences: trec_eval's ``prefs`` lines, pairs of documents, and those implied by grades."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import polars as pl

from assay.core.errors import FormatError
from assay.core.preference_tables import PreferencePairTable, Preferences
from assay.core.tables import NO_SUBTOPIC, Judgments, Source
from assay.formats.containers import read_table
from assay.formats.input_files import Input
from assay.formats.line_layout import LineLayout
from assay.formats.line_reader import read_all_lines

LEVELS = tuple(Preferences.columns)
PAIRS = tuple(PreferencePairTable.columns)
TIE = "tie"


def read_levels(path: str | Path) -> Preferences:
    """Return preferences from lines of: query, group, subgroup, document, level."""
    form = "a line of preferences is: query, group, subgroup, document, level"
    file = Input(path)
    hint = _format_hint([field.decode(errors="replace") for field in file.first_row])
    layout = LineLayout(LEVELS, form, len(LEVELS), hint, numbers=("level",))
    return levels_from_frame(*read_all_lines(file, layout))


def _format_hint(fields: Sequence[str]) -> str:
    """Return how to read a line that is a pair of documents, or a judgment."""
    if any("preferred" in field.split(",") for field in fields):
        return "; this seems to be a table of pairs and the preferred document: use `form=pairs`"
    if len(fields) != 4:
        return ""
    if fields[3] in (*fields[1:3], TIE) and fields[1] not in NO_SUBTOPIC:
        return "; this seems to be a pair of documents and the preferred one: use `form=pairs`"
    return "; if these are grades of documents, use `form=qrels`"


def levels_from_frame(frame: pl.DataFrame, source: Source) -> Preferences:
    """Return preferences from columns: query, group, subgroup, doc, level."""
    found = Preferences.of(frame, source)
    level = found.frame["level"]
    bad = (~level.is_finite() | (level < 0)).arg_true()
    if len(bad):
        row = int(bad[0])
        query, doc = found.frame.select("query", "doc").row(row)
        raise FormatError(
            f"the level is {level[row]}, but a level is a finite number from 0 (0: not relevant);"
            f" fix that of document {doc} for query {query}",
            source.place(row),
        )
    return found


def read_pairs(path: str | Path) -> Preferences:
    """Return preferences from lines of: query, document, document, the preferred one or tie.

    Or from a table with these columns and perhaps ``assessor``, as campaigns write it.
    """
    form = "a line of pairs is: query, document, document, the preferred one or tie"
    file = Input(path)
    if file.first_lines and PAIRS[-1].encode() in re.split(rb"[,;\t]", file.first_lines[0]):
        return pairs_from_frame(*read_table(path))
    is_levels = len(file.first_row) == len(LEVELS)
    hint = "; if these are levels, use `form=levels`" if is_levels else ""
    return pairs_from_frame(*read_all_lines(file, LineLayout(PAIRS, form, len(PAIRS), hint)))


def pairs_from_frame(frame: pl.DataFrame, source: Source) -> Preferences:
    """Return preferences from columns: query, first, second, preferred, perhaps assessor."""
    columns = PreferencePairTable.of(frame, source).frame
    _refuse_invalid_pairs(columns, source)
    _refuse_contradictions(columns, source)
    return _pair_levels(columns, source)


def _refuse_invalid_pairs(columns: pl.DataFrame, source: Source) -> None:
    """Refuse a document compared with itself, and a preferred one that is neither."""
    first, second, preferred = (pl.col(name) for name in PAIRS[1:])
    known = (preferred == first) | (preferred == second) | (preferred == TIE)
    bad = columns.with_row_index("row").filter(~known | (first == second))
    if bad.is_empty():
        return
    row, query, one, other, given = bad.row(0)[:5]
    if one == other:
        found = f"document {one} is compared with itself; a pair is of two documents"
    else:
        found = f"'{given}' is preferred, but the documents are {one} and {other}"
        found += f" (write one of them, or {TIE})"
    raise FormatError(f"query {query}: {found}", source.place(row))


def _refuse_contradictions(columns: pl.DataFrame, source: Source) -> None:
    """Refuse two documents that one assessor compares twice with different results."""
    same = [pl.col("query"), pl.min_horizontal(*PAIRS[1:3]), pl.max_horizontal(*PAIRS[1:3])]
    same += [pl.col(name) for name in PreferencePairTable.optional if name in columns.columns]
    earlier = pl.col("preferred").first().over(*same)
    before = pl.col("row").first().over(*same)
    other = (
        columns.with_row_index("row")
        .with_columns(earlier=earlier, before=before)
        .filter(pl.col("preferred") != pl.col("earlier"))
        .select("row", *PAIRS, "earlier", "before")
    )
    if other.height:
        row, query, one, another, given, earlier_given, at = other.row(0)
        raise FormatError(
            f"query {query}: of {one} and {another}, '{given}' is preferred here, but"
            f" '{earlier_given}' at {source.place(at)}; keep one of the two. Preferences of several"
            " assessors are a table with a column assessor",
            source.place(row),
        )


def _pair_levels(columns: pl.DataFrame, source: Source) -> Preferences:
    """Return each pair as a subgroup of two documents; the preferred one has level 2, others 1."""
    group = pl.col("assessor") if "assessor" in columns.columns else pl.lit("0")
    numbered = columns.with_row_index("pair").with_columns(
        group=group, subgroup=pl.col("pair").cast(pl.String)
    )
    sides = [
        numbered.with_columns(
            doc=pl.col(side),
            level=pl.when(pl.col("preferred") == pl.col(side)).then(2.0).otherwise(1.0),
        )
        for side in ("first", "second")
    ]
    rows = pl.concat(sides)
    return Preferences.of(rows.select(LEVELS), source.of(rows["pair"]))


def preferences_from_judgments(judgments: Judgments) -> Preferences:
    """Return the preferences that grades imply: higher grades are preferred.

    As in trec_eval (``qrels_prefs``), the second column of the qrels is the group.
    """
    group = pl.col("subtopic") if "subtopic" in judgments.frame.columns else pl.lit("0")
    frame = judgments.frame.select(
        "query", "doc", group=group, subgroup=pl.lit("0"), level=pl.col("grade")
    )
    return Preferences.of(frame.select(LEVELS), judgments.source)
