"""Samples that do not add up: probabilities, strata and their sizes that cannot be true."""

from __future__ import annotations

import polars as pl

from assay.core.errors import AlignmentError
from assay.core.phrases import quantity
from assay.core.tables import Judgments
from assay.evidence.alignment.judged_documents import POLICY

_SIZE = "stratum_size"


def refuse_invalid_sample(judgments: Judgments) -> None:
    """Complain about the first judgment that cannot belong to such a sample."""
    columns = judgments.frame.columns
    if "probability" in columns:
        _refuse_probabilities(judgments)
    elif "stratum" in columns:
        _refuse_two_strata(judgments)
        _refuse_empty(judgments)
    if _SIZE in columns:
        _refuse_sizes(judgments)


def _refuse_probabilities(judgments: Judgments) -> None:
    given = judgments.frame["probability"]
    bad = ((given <= 0) | (given > 1) | given.is_nan()).arg_true()
    if len(bad):
        row = int(bad[0])
        raise AlignmentError(
            f"{_document_text(judgments, row)}: the probability is {given[row]}, but the chance of"
            " being drawn is above 0 and at most 1; leave out what could not be drawn"
        )


def _refuse_two_strata(judgments: Judgments) -> None:
    """A document of one query stands in one stratum; in the same twice it is a repetition."""
    places = judgments.frame.select("query", "doc", "stratum").with_row_index("row")
    first = pl.col("stratum").first().over("query", "doc")
    other = places.with_columns(
        first=first, before=pl.col("row").first().over("query", "doc")
    ).filter(pl.col("stratum") != pl.col("first"))
    if other.height:
        row, *_, stratum, earlier, before = other.row(0)
        raise AlignmentError(
            f"{_document_text(judgments, row)}: it is in stratum {stratum}, but in stratum"
            f" {earlier} at"
            f" {judgments.source.place(before)}; a document is drawn from one stratum: keep one"
            f" of the two{POLICY}"
        )


def _refuse_sizes(judgments: Judgments) -> None:
    """The stated size of a stratum is one number, and that of its lines, drawn or not."""
    frame = judgments.frame.with_row_index("row")
    if "stratum" not in frame.columns:
        raise AlignmentError(
            f"{judgments.source.place(0)}: there is a {_SIZE}, but no stratum; name the stratum of"
            " each judgment in a column 'stratum'"
        )
    size = pl.col(_SIZE)
    strata = frame.with_columns(
        first=size.first().over("query", "stratum"), lines=pl.len().over("query", "stratum")
    )
    other = strata.filter(size != pl.col("first"))
    if other.height:
        found = other.row(0, named=True)
        raise AlignmentError(
            f"{_stratum_text(judgments, found)} has the size {found[_SIZE]:g} here, but"
            f" {found['first']:g} above; a stratum has one size, the same on all its lines"
        )
    short = strata.filter(size != pl.col("lines"))
    if short.height:
        found = short.row(0, named=True)
        raise AlignmentError(
            f"{_stratum_text(judgments, found)} has the size {found[_SIZE]:g}, but"
            f" {quantity(found['lines'], 'line')}; list every document of a stratum once, those"
            " that"
            " were not drawn with grade -1, or mend the size"
        )


def _refuse_empty(judgments: Judgments) -> None:
    strata = (
        judgments.frame.with_row_index("row")
        .group_by("query", "stratum", maintain_order=True)
        .agg(pl.col("row").first(), drawn=(pl.col("grade") >= 0).any())
    )
    empty = strata.filter(~pl.col("drawn"))
    if empty.height:
        query, stratum, row, _ = empty.row(0)
        raise AlignmentError(
            f"{judgments.source.place(row)}: no document of stratum {stratum} of query {query} was"
            " judged, so nothing can be estimated for it; judge some, or leave the stratum out of"
            " the pool"
        )


def _document_text(judgments: Judgments, row: int) -> str:
    doc, query = judgments.frame.select("doc", "query").row(row)
    return f"{judgments.source.place(row)}: document {doc} of query {query}"


def _stratum_text(judgments: Judgments, found: dict[str, object]) -> str:
    place = judgments.source.place(int(found["row"]))  # type: ignore[call-overload]
    return f"{place}: stratum {found['stratum']} of query {found['query']}"
