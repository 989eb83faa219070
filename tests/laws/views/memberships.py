"""The laws of overlapping groupings: for each item the words for its clusters and its classes."""

from __future__ import annotations

import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.core.tables import Assignments
from assay.evidence.views.contingency import Memberships
from assay.evidence.views.contingency import build_memberships as memberships_of
from assay.testing import memberships

Members = list[tuple[list[str], list[str]]]
some = st.lists(st.sampled_from("xyz"), min_size=1, max_size=3, unique=True)
members = st.lists(st.tuples(some, some), min_size=1, max_size=5)


def build(example: Members) -> Memberships:
    named = {
        f"i{n}": (" ".join(clusters), " ".join(classes))
        for n, (clusters, classes) in enumerate(example)
    }
    return memberships(**named)


def rows(example: Members) -> list[tuple[str, str, str]]:
    return [
        (f"i{n}", cluster, true)
        for n, (clusters, classes) in enumerate(example)
        for cluster in clusters
        for true in classes
    ]


def of_rows(lines: list[tuple[str, str, str]]) -> Memberships:
    frame = pl.DataFrame(lines, schema=["item", "cluster", "class"], orient="row")
    return memberships_of(Assignments.of(frame))


def _shuffled(measure: Measure, listed: Members) -> bool:
    """The order in which the items are listed does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


LAWS = ViewLaws(
    view=Memberships,
    examples=members,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[Law("order of items", members, _shuffled)],
)
