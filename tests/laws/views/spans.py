"""The laws of spans: true and predicted ones, a list for each document."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.evidence.views.spans import Span, Spans

Documents = list[tuple[list[Span], list[Span]]]
span = st.tuples(st.integers(0, 6), st.integers(1, 3), st.sampled_from("ab")).map(
    lambda parts: (parts[0], parts[0] + parts[1], parts[2])
)
spans = st.lists(span, max_size=4, unique=True)
documents = st.lists(st.tuples(spans, spans), min_size=1, max_size=4)


def build(example: Documents) -> Spans:
    return Spans.of([truth for truth, _ in example], [said for _, said in example])


def _shuffled(measure: Measure, listed: Documents) -> bool:
    """The order of documents, and of spans within them, does not matter."""
    turned = [(truth[::-1], said[::-1]) for truth, said in listed[::-1]]
    return same_number(summary(measure, build(listed)), summary(measure, build(turned)))


def _merged(measure: Measure, listed: Documents) -> bool:
    """Parts, added, give the number of the whole."""
    both = build(listed) + build(listed[::-1])
    return same_number(summary(measure, build(listed + listed[::-1])), summary(measure, both))


LAWS = ViewLaws(
    view=Spans,
    examples=documents,
    build=build,
    rows=lambda listed: listed,
    of_rows=build,
    laws=[
        Law("order of items", documents, _shuffled),
        Law("parts", documents, _merged),
    ],
)
