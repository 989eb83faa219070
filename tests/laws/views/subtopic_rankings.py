"""The laws of rankings by subtopic: a document is a word of its subtopics."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tests.laws.by_query import joined, listed, query_laws, tables
from tests.laws.law import ViewLaws

from assay.core.conventions import Conventions
from assay.evidence.alignment.judgment_kinds import align_subtopics
from assay.evidence.views.judged_rankings import SubtopicRankings
from assay.testing import aspects

document = st.sampled_from(["a", "b", "ab", "abc", "c", "?"])
query = st.lists(document, min_size=1, max_size=6).filter(lambda docs: set(docs) != {"?"})
queries = st.lists(query, min_size=1, max_size=3)


def build(example: list[list[str]]) -> SubtopicRankings:
    return joined([aspects(docs, known=_known(docs)) for docs in example])


def _known(docs: list[str]) -> list[str]:
    return [*(topics for topics in docs if topics != "?"), "ab"]


def rows(example: list[list[str]]) -> list[tuple[Any, ...]]:
    lines: list[tuple[Any, ...]] = []
    for number, docs in enumerate(example):
        query, names = f"q{number}", [f"d{n}" for n in range(len(docs))]
        lines += listed(query, names)
        known = [*zip(names, docs, strict=True), ("other", "ab")]
        lines += [
            ("qrels", query, doc, 1.0, t) for doc, topics in known for t in topics if t != "?"
        ]
    return lines


def of_rows(lines: list[tuple[Any, ...]]) -> SubtopicRankings:
    return align_subtopics(*tables(lines, "subtopic"), Conventions()).rankings


LAWS = ViewLaws(
    view=SubtopicRankings,
    examples=queries,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=query_laws(queries, build),
)
