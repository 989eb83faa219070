"""Preferences: trec_eval's ``prefs`` lines, pairs of documents, and what graded qrels imply."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assay.core.errors import FormatError
from assay.core.tables import Judgments, Preferences
from assay.formats.fields import columns_of_lines, numbers

LEVELS = ("query", "group", "subgroup", "doc", "level")
PAIRS = ("query", "first", "second", "preferred")
TIE = "tie"


def read_levels(path: str | Path) -> Preferences:
    """Preferences from lines of: query, group, subgroup, document, level (trec_eval's prefs)."""
    form = "a line of preferences is: query, group, subgroup, document, level"
    columns, source = columns_of_lines(path, LEVELS, form)
    level = numbers(columns, "level", source)
    if (level < 0).any():
        row = int((level < 0).arg_true()[0])
        raise FormatError(
            f"the level is {level[row]}, but a level is at least 0 (0: not relevant)",
            source.place(row),
        )
    return Preferences.of(columns.with_columns(level), source)


def read_pairs(path: str | Path) -> Preferences:
    """Preferences from lines of: query, one document, another, the preferred one (or ``tie``)."""
    form = "a line of pairs is: query, document, document, the preferred one or tie"
    columns, source = columns_of_lines(path, PAIRS, form)
    known = (
        (columns["preferred"] == columns["first"])
        | (columns["preferred"] == columns["second"])
        | (columns["preferred"] == TIE)
    )
    if not known.all():
        row = int((~known).arg_true()[0])
        first, second, given = (columns[name][row] for name in PAIRS[1:])
        raise FormatError(
            f"'{given}' is preferred, but {first} or {second} was to choose from"
            f" (write one of them, or {TIE})",
            source.place(row),
        )
    return Preferences.of(_both(columns), source)


def _both(columns: pl.DataFrame) -> pl.DataFrame:
    """Each pair as a subgroup of two documents, the preferred one at level 2, others at 1."""
    numbered = columns.with_row_index("subgroup").with_columns(
        group=pl.lit("0"), subgroup=pl.col("subgroup").cast(pl.String)
    )
    sides = [
        numbered.with_columns(
            doc=pl.col(side),
            level=pl.when(pl.col("preferred") == pl.col(side)).then(2.0).otherwise(1.0),
        ).select(LEVELS)
        for side in ("first", "second")
    ]
    return pl.concat(sides)


def from_judgments(judgments: Judgments) -> Preferences:
    """What grades imply: a document is preferred to those of a lower grade.

    As trec_eval does it (``qrels_prefs``), the second column of the qrels is the group.
    """
    group = pl.col("subtopic") if "subtopic" in judgments.frame.columns else pl.lit("0")
    frame = judgments.frame.select(
        "query", "doc", group=group, subgroup=pl.lit("0"), level=pl.col("grade")
    )
    return Preferences.of(frame.select(LEVELS), judgments.source)


def write_levels(preferences: Preferences, path: str | Path) -> None:
    """Lines of: query, group, subgroup, document, level."""
    lines = preferences.frame.select(LEVELS).sort(
        ["query", "group", "subgroup", "level", "doc"],
        descending=[False, False, False, True, False],
    )
    lines.write_csv(path, separator="\t", include_header=False)


def write_pairs(preferences: Preferences, path: str | Path) -> None:
    """Lines of: query, preferred document, other document, preferred document; ties left out."""
    keys = ["query", "group", "subgroup"]
    pairs = preferences.frame.join(preferences.frame, on=keys, suffix="_other")
    stated = pairs.filter(pl.col("level") > pl.col("level_other")).sort("query", "doc", "doc_other")
    lines = stated.select("query", "doc", "doc_other", preferred="doc")
    lines.write_csv(path, separator="\t", include_header=False)
