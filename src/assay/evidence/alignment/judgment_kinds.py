"""Runs joined with judgments by subtopic, by assessor, and of a sample: one view for each kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from assay.core.conventions import Conventions
from assay.core.errors import AlignmentError
from assay.core.phrases import have, list_phrase, quantity
from assay.core.tables import NO_SUBTOPIC, Judgments, Run
from assay.evidence.alignment.align import Alignment, align, align_part
from assay.evidence.alignment.aligned_lists import (
    SECOND_COLUMN_HINT,
    align_lists,
    require_columns,
)
from assay.evidence.alignment.judged_documents import POLICY, drop_duplicate_judgments
from assay.evidence.views.judged_rankings import (
    JudgmentGroups,
    QuerySample,
    QuerySubtopics,
    SampledRankings,
    SubtopicRankings,
)
from assay.evidence.views.view import View

_NONE = pl.col("subtopic").is_in(NO_SUBTOPIC)
_OFTEN = 0.1
"""The share of documents with several subtopics from which numbers are certainly subtopics."""
_SIZE = "stratum_size"
_FORMS = (
    "sampled qrels are: query, 0, document, stratum, grade; prels: query, document, grade, method,"
    " probability"
)


def align_subtopics(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SubtopicRankings]:
    """Return the rankings of one run by subtopic, over the judged queries."""
    need = "diversity measures need a subtopic for each judgment"
    require_columns(judgments, "subtopic", need=need, fix=SECOND_COLUMN_HINT)
    found = align_lists(judgments, run, conventions)
    notes = (*no_subtopics_note(judgments), *numbered_subtopics_note(judgments))
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
    return found.to_view(view, *notes)


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
    """Return a note on queries without subtopics; raise an error for a gap within a query.

    In TREC's files 0 (or Q0) in place of a subtopic says that there is none. A query with nothing
    else is about one thing. Beside other subtopics of the same query it is a gap, unless all of
    them are numbered from 0.
    """
    rows = judgments.frame.with_row_index("row").with_columns(
        divided=(~_NONE).any().over("query"), relevant=pl.col("grade") > 0
    )
    divided = rows.filter("divided")
    none = (_NONE & (pl.col("subtopic") != "0")) if _numbered_from_zero(divided) else _NONE
    _refuse_first(
        judgments,
        divided.filter(none, "relevant"),
        lambda row: (
            f"document {row['doc']} of query {row['query']} has no subtopic ('{row['subtopic']}'),"
            " but others of the query have one; say to which it is relevant. If 0 is a subtopic"
            " like the others, give it another name"
        ),
    )
    whole = rows.filter(~pl.col("divided"), "relevant")
    if whole.is_empty():
        return ()
    queries = whole["query"].n_unique()
    return (
        f"{judgments.source.name}: {quantity(queries, 'query')} {have(queries)} no subtopics (0 on"
        f" all lines); the first is {whole['query'][0]}, at"
        f" {judgments.source.place(int(whole['row'][0]))}. Each counts as about one thing",
    )


def numbered_subtopics_note(judgments: Judgments) -> tuple[str, ...]:
    """Return a note on whole numbers that may be rounds of judging, which read like subtopics.

    A document is judged in one round, but often covers several subtopics of its query.
    """
    rows = judgments.frame.filter(~_NONE)
    if not rows["subtopic"].str.contains(r"^\d+$").all():
        return ()
    values = rows.group_by("query", "doc").agg(pl.col("subtopic").n_unique())["subtopic"]
    if len(values) < 2 or (values > 1).sum() >= _OFTEN * len(values):
        return ()
    names = sorted(rows["subtopic"].unique(), key=int)
    return (
        f"{judgments.source.name}: the second column ({list_phrase(names, 3)}) is read as"
        f" subtopics, but {(values == 1).sum():,} of {quantity(len(values), 'judged document')}"
        f" {have(len(values))} only one. If it numbers rounds of judging, write 0 there",
    )


def _numbered_from_zero(divided: pl.DataFrame) -> bool:
    """Return whether subtopics are numbered from 0: all are numbers, and each query has a 0."""
    names = divided.filter(~_NONE)["subtopic"]
    zero = divided.select((pl.col("subtopic") == "0").any().over("query")).to_series()
    return bool(names.str.contains(r"^\d+$").all() and zero.all())


def align_groups(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[JudgmentGroups]:
    """Return the rankings of one run for each group, which the second column of the qrels names."""
    need = "averages over assessors need a group for each judgment"
    require_columns(judgments, "subtopic", need=need, fix=f"the assessor, {SECOND_COLUMN_HINT}")
    whole = align(judgments, run, conventions)
    ordered = judgments.frame.sort("subtopic", maintain_order=True)
    parts = ordered.partition_by("subtopic", maintain_order=True, include_key=False)
    groups = tuple(
        align_part(Judgments(part, judgments.source), run, conventions) for part in parts
    )
    queries, missing = whole.rankings.queries, whole.rankings.missing
    view = JudgmentGroups(queries, groups, conventions.no_relevant, missing)
    return Alignment(view, whole.warnings, whole.counts)


def align_samples(
    judgments: Judgments, run: Run, conventions: Conventions
) -> Alignment[SampledRankings]:
    """Return the rankings of one run, beside judgments with strata or inclusion probabilities."""
    need = "estimates need a stratum or a probability for each judgment"
    require_columns(judgments, "stratum", "probability", need=need, fix=_FORMS)
    if conventions.duplicates == "error":
        refuse_invalid_sample(judgments)  # first: its message names two strata, not just two lines
    kept = _drop_duplicates(judgments, conventions)
    refuse_invalid_sample(kept)
    found = align_lists(judgments, run, conventions)
    rows = kept.frame.join(found.documents, on=["query", "doc"], how="left")
    parts = rows.sort("query", "doc").partition_by("query", as_dict=True, maintain_order=True)
    samples = tuple(_build_sample(parts[(query,)]) for query in found.queries)
    return found.to_view(SampledRankings(found.queries, samples, found.missing))


def _drop_duplicates(judgments: Judgments, conventions: Conventions) -> Judgments:
    """Return the judgments with each document once; they keep the lines that they had."""
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
    """Raise an error for the first judgment that cannot belong to a sample."""
    frame = judgments.frame.with_row_index("row")
    probability, stratum, size = (pl.col(name) for name in ("probability", "stratum", _SIZE))
    if "probability" in frame.columns:
        _refuse_first(
            judgments,
            frame.filter((probability <= 0) | (probability > 1) | probability.is_nan()),
            lambda row: (
                f"document {row['doc']} of query {row['query']}: the probability is"
                f" {row['probability']}, but an inclusion probability is above 0 and at most 1;"
                " leave out what could not be drawn"
            ),
        )
    elif "stratum" in frame.columns:
        first = [pl.col(name).first().over("query", "doc") for name in ("stratum", "row")]
        _refuse_first(
            judgments,
            frame.with_columns(first=first[0], before=first[1]).filter(stratum != pl.col("first")),
            lambda row: (
                f"document {row['doc']} of query {row['query']}: it is in stratum {row['stratum']},"
                f" but in stratum {row['first']} at {judgments.source.place(row['before'])};"
                f" a document is drawn from one stratum: keep one of the two{POLICY}"
            ),
        )
        _refuse_first(
            judgments,
            frame.filter(~(pl.col("grade") >= 0).any().over("query", "stratum")),
            lambda row: (
                f"no document of stratum {row['stratum']} of query {row['query']} was judged, so"
                " nothing can be estimated for it; judge some, or leave the stratum out of the pool"
            ),
        )
    if _SIZE in frame.columns:
        _refuse_sizes(judgments, frame, size)


def _refuse_sizes(judgments: Judgments, frame: pl.DataFrame, size: pl.Expr) -> None:
    """Raise an error unless the size of a stratum is one number, that of its lines."""
    if "stratum" not in frame.columns:
        raise AlignmentError(
            f"{judgments.source.place(0)}: there is a {_SIZE}, but no stratum; name the stratum of"
            " each judgment in a column 'stratum'"
        )
    strata = frame.with_columns(
        first=size.first().over("query", "stratum"), lines=pl.len().over("query", "stratum")
    )
    has_size = "stratum {stratum} of query {query} has the size {stratum_size:g}".format_map
    _refuse_first(
        judgments,
        strata.filter(size != pl.col("first")),
        lambda row: (
            f"{has_size(row)} here, but {row['first']:g} above; a stratum has one size, the same"
            " on all its lines"
        ),
    )
    _refuse_first(
        judgments,
        strata.filter(size != pl.col("lines")),
        lambda row: (
            f"{has_size(row)}, but {quantity(row['lines'], 'line')}; list every document of a"
            " stratum once, those that were not drawn with grade -1, or fix the size"
        ),
    )


def _refuse_first(
    judgments: Judgments, wrong: pl.DataFrame, text: Callable[[dict[str, Any]], str]
) -> None:
    """Raise an error with the place and the text of the first wrong row, if there is one."""
    if wrong.height:
        row = wrong.row(0, named=True)
        raise AlignmentError(f"{judgments.source.place(row['row'])}: {text(row)}")


ALIGN: Mapping[type[View], Callable[..., Alignment[Any]]] = {
    SubtopicRankings: align_subtopics,
    JudgmentGroups: align_groups,
    SampledRankings: align_samples,
}
"""How to build each view."""
