"""The laws of overlapping groupings: for each item the words for its clusters and its classes."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number, summary

from assay.core.names import Measure
from assay.evidence.drawing import memberships
from assay.evidence.memberships import Memberships

Members = list[tuple[list[str], list[str]]]
some = st.lists(st.sampled_from("xyz"), min_size=1, max_size=3, unique=True)
members = st.lists(st.tuples(some, some), min_size=1, max_size=5)


def build(example: Members) -> Memberships:
    named = {
        f"i{n}": (" ".join(clusters), " ".join(classes))
        for n, (clusters, classes) in enumerate(example)
    }
    return memberships(**named)


def _shuffled(measure: Measure, listed: Members) -> bool:
    """The order in which the items are listed does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


def _ideal(measure: Measure, listed: Members) -> bool:
    """Nothing beats a cluster for each class."""
    view = build(listed)
    return not_worse(measure, summary(measure, view), summary(measure, view.ideal()))


LAWS = ViewLaws(
    view=Memberships,
    examples=members,
    build=build,
    laws=[Law("order of items", members, _shuffled), Law("ideal", members, _ideal)],
)
