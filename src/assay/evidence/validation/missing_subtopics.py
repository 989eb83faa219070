"""Judgments without a subtopic among others that have one: refused, or taken as TREC means them.

In TREC's files 0 (or Q0) in place of a subtopic says that there is none. A query with nothing else
is about one thing. Beside other subtopics of the same query it is a gap, unless all of them are
numbered from 0.
"""

from __future__ import annotations

from typing import Any

import polars as pl

from assay.core.errors import AlignmentError
from assay.core.phrases import have, quantity
from assay.core.tables import NO_SUBTOPIC, Judgments

_NONE = pl.col("subtopic").is_in(NO_SUBTOPIC)


def no_subtopics_note(judgments: Judgments) -> tuple[str, ...]:
    """A note on the queries without subtopics; a gap within a query is refused."""
    rows = judgments.frame.with_row_index("row").with_columns(
        divided=(~_NONE).any().over("query"), relevant=pl.col("grade") > 0
    )
    divided = rows.filter("divided")
    none = (_NONE & (pl.col("subtopic") != "0")) if _numbered_from_zero(divided) else _NONE
    gaps = divided.filter(none, "relevant")
    if gaps.height:
        _refuse_missing_subtopic(gaps.row(0, named=True), judgments)
    whole = rows.filter(~pl.col("divided"), "relevant")
    if whole.is_empty():
        return ()
    queries = whole["query"].n_unique()
    return (
        f"{judgments.source.name}: {quantity(queries, 'query')} {have(queries)} no subtopics (0 on"
        f" all lines); the first is {whole['query'][0]}, at"
        f" {judgments.source.place(int(whole['row'][0]))}. Each counts as about one thing",
    )


def _numbered_from_zero(divided: pl.DataFrame) -> bool:
    """Whether subtopics are numbered from 0: all are numbers, and each query has a 0."""
    names = divided.filter(~_NONE)["subtopic"]
    zero = divided.select((pl.col("subtopic") == "0").any().over("query")).to_series()
    return bool(names.str.contains(r"^\d+$").all() and zero.all())


def _refuse_missing_subtopic(found: dict[str, Any], judgments: Judgments) -> None:
    raise AlignmentError(
        f"{judgments.source.place(found['row'])}: document {found['doc']} of query"
        f" {found['query']} has no subtopic ('{found['subtopic']}'), but others of the query have"
        " one; say to which it is relevant. If 0 is a subtopic like the others, give it another"
        " name"
    )
