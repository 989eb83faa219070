"""The laws of preferences: a list of letters, and pairs of letters that users state."""

from __future__ import annotations

from typing import Any

import polars as pl
from hypothesis import strategies as st
from tests.laws.by_query import joined, listed, query_laws, tables
from tests.laws.law import ViewLaws

from assay.core.conventions import Conventions
from assay.core.preference_tables import Preferences
from assay.evidence.alignment.align_preferences import align_preferences
from assay.evidence.views.preference_pairs import PreferencePairs
from assay.testing import preferred

Queries = list[tuple[str, list[str]]]
# Preferences go down the alphabet, so that they never go round in a circle.
pair = st.sampled_from(["a>b", "a>c", "b>c", "b>d", "c>d", "a>d"])
query = st.tuples(
    st.permutations("abcdx").map(lambda docs: "".join(docs)[:4]),
    st.lists(pair, min_size=1, max_size=4, unique=True),
)
queries = st.lists(query, min_size=1, max_size=3)


def build(example: Queries) -> PreferencePairs:
    return joined([preferred(listed, *stated) for listed, stated in example])


def rows(example: Queries) -> list[tuple[Any, ...]]:
    lines: list[tuple[Any, ...]] = []
    for number, (docs, stated) in enumerate(example):
        query = f"q{number}"
        lines += listed(query, docs)
        for place, pair in enumerate(stated):
            for doc, level in zip(pair.split(">"), (2.0, 1.0), strict=True):
                lines.append(("preference", query, "user", f"s{place}", doc, level))
    return lines


def of_rows(lines: list[tuple[Any, ...]]) -> PreferencePairs:
    stated = [line[1:] for line in lines if line[0] == "preference"]
    frame = pl.DataFrame(stated, schema=list(Preferences.columns), orient="row")
    return align_preferences(Preferences.of(frame), tables(lines)[1], Conventions()).rankings


LAWS = ViewLaws(
    view=PreferencePairs,
    examples=queries,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=query_laws(queries, build),
)
