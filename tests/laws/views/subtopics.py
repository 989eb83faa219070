"""The laws of rankings by subtopic: a document is a word of its subtopics."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws

from assay.core.names import Measure
from assay.engine.local import measured
from assay.evidence.drawing import aspects
from assay.evidence.subtopics import SubtopicRankings

document = st.sampled_from(["a", "b", "ab", "abc", "c", "?"])
query = st.lists(document, min_size=1, max_size=6).filter(lambda docs: set(docs) != {"?"})
queries = st.lists(query, min_size=1, max_size=3)


def build(example: list[list[str]]) -> SubtopicRankings:
    several = [aspects(docs, known=[*(d for d in docs if d != "?"), "ab"]) for docs in example]
    parts = [replace(one, queries=(f"q{n}",)) for n, one in enumerate(several)]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return whole


def _query_alone(measure: Measure, example: list[list[str]]) -> bool:
    """The value of a query does not depend on the queries beside it."""
    together = measured(build(example), measure).values
    alone = [measured(build([docs]), measure).values[0] for docs in example]
    return np.array_equal(together, alone, equal_nan=True)


LAWS = ViewLaws(
    view=SubtopicRankings,
    examples=queries,
    build=build,
    laws=[Law("query alone", queries, _query_alone)],
)
