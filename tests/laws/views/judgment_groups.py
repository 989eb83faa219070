"""The laws of judgment groups: one list of documents, a word for each assessor."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from tests.laws.by_query import listed, tables
from tests.laws.law import Law, ViewLaws, same_number, same_numbers
from tests.laws.views.rankings import GRADES

from assay.core.conventions import Conventions
from assay.core.names import Measure
from assay.engine.local import measure_view
from assay.evidence.alignment.judgment_kinds import align_groups
from assay.evidence.views.judged_rankings import JudgmentGroups
from assay.testing import judged_by

words = st.integers(1, 6).flatmap(
    lambda length: st.lists(
        st.text("?-+2", min_size=length, max_size=length), min_size=1, max_size=4
    )
)


def build(example: list[str]) -> JudgmentGroups:
    return judged_by(*example)


def rows(example: list[str]) -> list[tuple[Any, ...]]:
    docs = [f"d{n}" for n in range(len(example[0]))]
    # Two queries, so that there is something to draw from.
    lines = [*listed("q1", docs), *listed("q2", docs[::-1])]
    lines += [("qrels", query, "other", 0.0, "a0") for query in ("q1", "q2")]
    return lines + [
        ("qrels", query, doc, GRADES[mark], f"a{number}")
        for query in ("q1", "q2")
        for number, word in enumerate(example)
        for doc, mark in zip(docs, word, strict=True)
        if mark != "?"
    ]


def of_rows(lines: list[tuple[Any, ...]]) -> JudgmentGroups:
    return align_groups(*tables(lines, "subtopic"), Conventions()).rankings


def _parts(measure: Measure, example: list[str]) -> bool:
    """Queries of which each part knows some, added, keep their values."""
    one = build(example)
    groups = tuple(replace(group, queries=("q2",)) for group in build(example[::-1]).groups)
    two = replace(one, queries=("q2",), groups=groups)
    alone = np.concatenate([measure_view(each, measure).values for each in (one, two)])
    return same_numbers(measure_view(two + one, measure).values, alone)


def _order_of_groups(measure: Measure, example: list[str]) -> bool:
    """It does not matter which assessor comes first."""
    one = measure_view(build(example), measure).values[0]
    other = measure_view(build(example[::-1]), measure).values[0]
    return same_number(round(one, 12), round(other, 12))


LAWS = ViewLaws(
    view=JudgmentGroups,
    examples=words,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[Law("order of groups", words, _order_of_groups), Law("parts", words, _parts)],
)
