"""The laws of sampled rankings: a word, and a letter for each document's stratum."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tests.laws.by_query import joined, listed, query_laws, tables
from tests.laws.law import ViewLaws
from tests.laws.views.rankings import GRADES

from assay.core.conventions import Conventions
from assay.evidence.alignment.judgment_kinds import align_samples
from assay.evidence.views.judged_rankings import SampledRankings
from assay.testing import sampled

word = st.text("?-+2~", min_size=1, max_size=7).filter(lambda text: set(text) & set("-+2"))
queries = st.lists(word, min_size=1, max_size=3)


def build(example: list[str]) -> SampledRankings:
    return joined([sampled(text) for text in example])


def rows(example: list[str]) -> list[tuple[Any, ...]]:
    lines: list[tuple[Any, ...]] = []
    for number, text in enumerate(example):
        docs = [f"d{n}" for n in range(len(text))]
        lines += listed(f"q{number}", docs)
        lines += [
            ("qrels", f"q{number}", doc, GRADES[mark], "s")
            for doc, mark in zip(docs, text, strict=True)
            if mark != "?"
        ]
    return lines


def of_rows(lines: list[tuple[Any, ...]]) -> SampledRankings:
    return align_samples(*tables(lines, "stratum"), Conventions()).rankings


LAWS = ViewLaws(
    view=SampledRankings,
    examples=queries,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=query_laws(queries, build),
)
