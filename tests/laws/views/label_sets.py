"""The laws of sets of labels: a true and a predicted set of letters for each item."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.evidence.views.label_sets import LabelSets

Items = list[tuple[str, str]]
letters = st.sets(st.sampled_from("abc")).map(lambda chosen: "".join(sorted(chosen)))
items = st.lists(st.tuples(letters, letters), min_size=1, max_size=8)


def build(example: Items) -> LabelSets:
    return LabelSets.of([truth for truth, _ in example], [said for _, said in example])


def _shuffled(measure: Measure, listed: Items) -> bool:
    """The order of the items does not matter."""
    return same_number(summary(measure, build(listed)), summary(measure, build(listed[::-1])))


def _merged(measure: Measure, listed: Items) -> bool:
    """Parts, added, give the number of the whole."""
    both = build(listed) + build(listed[::-1])
    return same_number(summary(measure, build(listed + listed[::-1])), summary(measure, both))


LAWS = ViewLaws(
    view=LabelSets,
    examples=items,
    build=build,
    rows=lambda listed: listed,
    of_rows=build,
    laws=[
        Law("order of items", items, _shuffled),
        Law("parts", items, _merged),
    ],
)
