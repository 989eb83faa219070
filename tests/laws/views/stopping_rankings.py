"""The laws of rankings with stopping probabilities: a word, a mark for each probability."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st
from tests.laws.by_query import joined, listed, query_laws, tables
from tests.laws.law import ViewLaws

from assay.core.conventions import Conventions
from assay.evidence.alignment.align_stopping import align_stopping
from assay.evidence.views.stopping_rankings import StoppingRankings
from assay.testing import STOPPING, stopping

word = st.text("?-+2", min_size=1, max_size=7).filter(lambda text: set(text) & set("-+2"))
queries = st.lists(word, min_size=1, max_size=3)


def build(example: list[str]) -> StoppingRankings:
    return joined([stopping(text) for text in example])


def rows(example: list[str]) -> list[tuple[Any, ...]]:
    lines: list[tuple[Any, ...]] = []
    for number, text in enumerate(example):
        docs = [f"d{n}" for n in range(len(text))]
        lines += listed(f"q{number}", docs)
        lines += [
            ("qrels", f"q{number}", doc, STOPPING[mark])
            for doc, mark in zip(docs, text, strict=True)
            if mark != "?"
        ]
    return lines


def of_rows(lines: list[tuple[Any, ...]]) -> StoppingRankings:
    known, run = tables(lines)
    return align_stopping(known, known, run, Conventions()).rankings


LAWS = ViewLaws(
    view=StoppingRankings,
    examples=queries,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=query_laws(queries, build),
)
