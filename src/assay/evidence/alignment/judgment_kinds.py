"""Runs joined with judgments by subtopic, by assessor, and of a sample: one view for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import have, quantity
from assay.core.tables import NO_SUBTOPIC, Judgments, Run
from assay.evidence.alignment.align import (
    SECOND_COLUMN_HINT,
    Alignment,
    align,
    align_lists,
    align_part,
    require_columns,
)
from assay.evidence.alignment.judged_documents import POLICY, drop_duplicate_judgments
from assay.evidence.views.judgment_groups import JudgmentGroups
from assay.evidence.views.sampled_rankings import QuerySample, SampledRankings
from assay.evidence.views.subtopic_rankings import QuerySubtopics, SubtopicRankings
from assay.evidence.views.view import View

_NONE = pl.col("subtopic").is_in(NO_SUBTOPIC)
_SIZE = "stratum_size"
_FORMS = (
    "sampled qrels are: query, 0, document, stratum, grade; prels: query, document, grade, method,"
    " probability"
)


def align_subtopics(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SubtopicRankings]:
    """The rankings of one run by subtopic, over the judged queries."""
    need = "diversity measures need a subtopic for each judgment"
    require_columns(judgments, "subtopic", need=need, fix=SECOND_COLUMN_HINT)
    found = align_lists(judgments, run, conventions)
    notes = no_subtopics_note(judgments)
    keys = ["query", "doc", "subtopic"]
    frame, _ = drop_duplicate_judgments(judgments, keys, conventions.duplicates)
    judged = frame.sort(keys, descending=[False, True, False])
    seen = judged.filter(pl.col("grade") >= 0).select("query", "doc").unique()
    listed = found.documents.join(seen, on=["query", "doc"], how="semi").sort("query", "place")
    tops = listed.partition_by("query", as_dict=True)
    topics = judged.partition_by("query", as_dict=True, maintain_order=True)
    lengths = found.lengths
    aspects = tuple(
        _aspects(topics[(query,)], tops.get((query,)), lengths.get(query, 0))
        for query in found.queries
    )
    view = SubtopicRankings(found.queries, aspects, found.missing, conventions.first_rank)
    return Alignment(view, (*notes, *found.warnings), found.counts)


def _aspects(judged: pl.DataFrame, listed: pl.DataFrame | None, retrieved: int) -> QuerySubtopics:
    docs = judged["doc"].unique(maintain_order=True)
    topics = judged["subtopic"].unique().sort()
    known = np.zeros((len(docs), len(topics)))
    row_of = {doc: row for row, doc in enumerate(docs)}
    rows = [row_of[doc] for doc in judged["doc"]]
    known[rows, topics.search_sorted(judged["subtopic"]).to_numpy()] = judged["grade"].to_numpy()
    kept = known[:, (known > 0).any(axis=0)]
    if listed is None:
        return QuerySubtopics(np.empty(0, np.int64), kept[:0], kept, retrieved)
    return QuerySubtopics(
        listed["place"].to_numpy(), kept[[row_of[doc] for doc in listed["doc"]]], kept, retrieved
    )


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


def align_groups(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[JudgmentGroups]:
    """The rankings of one run for each group, which the second column of the qrels names."""
    need = "averages over assessors need a group for each judgment"
    require_columns(judgments, "subtopic", need=need, fix=f"the assessor, {SECOND_COLUMN_HINT}")
    whole = align(judgments, run, conventions)
    parts = judgments.frame.sort("subtopic", maintain_order=True).partition_by(
        "subtopic", maintain_order=True
    )
    groups = tuple(
        align_part(Judgments(part.drop("subtopic"), judgments.source), run, conventions)
        for part in parts
    )
    seen = JudgmentGroups(
        whole.rankings.queries, groups, conventions.no_relevant, whole.rankings.missing
    )
    return Alignment(seen, whole.warnings, whole.counts)


def align_samples(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SampledRankings]:
    """The rankings of one run, beside judgments with strata or inclusion probabilities."""
    need = "estimates need a stratum or a probability for each judgment"
    require_columns(judgments, "stratum", "probability", need=need, fix=_FORMS)
    if conventions.duplicates == "error":
        refuse_invalid_sample(judgments)  # first: it tells of two strata, not just of two lines
    kept = _drop_duplicates(judgments, conventions)
    refuse_invalid_sample(kept)
    found = align_lists(judgments, run, conventions)
    rows = kept.frame.join(found.documents, on=["query", "doc"], how="left")
    parts = rows.sort("query", "doc").partition_by("query", as_dict=True, maintain_order=True)
    samples = tuple(_build_sample(parts[(query,)]) for query in found.queries)
    return found.to_view(SampledRankings(found.queries, samples, found.missing))


def _drop_duplicates(judgments: Judgments, conventions: Conventions) -> Judgments:
    """The judgments with each document once, which still know the lines that they had."""
    numbered = replace(judgments, frame=judgments.frame.with_row_index("row"))
    frame, _ = drop_duplicate_judgments(numbered, ["query", "doc"], conventions.duplicates)
    return replace(judgments, frame=frame.drop("row"), source=judgments.source.of(frame["row"]))


def _build_sample(part: pl.DataFrame) -> QuerySample:
    stratum = np.zeros(part.height, dtype=np.int64)
    if "stratum" in part.columns:
        names = part["stratum"].unique().sort()
        stratum = names.search_sorted(part["stratum"]).to_numpy().astype(np.int64)
    grade = part["grade"].to_numpy()
    share = (np.bincount(stratum, grade >= 0) / np.bincount(stratum))[stratum]
    listed = part.with_row_index("number").drop_nulls("place").sort("place")
    return QuerySample(
        rank=listed["place"].cast(pl.Int64).to_numpy(),
        listed=listed["number"].cast(pl.Int64).to_numpy(),
        grade=grade,
        stratum=stratum,
        probability=part["probability"].to_numpy() if "probability" in part.columns else share,
    )


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


ALIGN: Mapping[type[View], Callable[..., Alignment[Any]]] = {
    SubtopicRankings: align_subtopics,
    JudgmentGroups: align_groups,
    SampledRankings: align_samples,
}
"""How to build each view."""
