"""The laws of preferences: a list of letters, and pairs of letters that users state."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number

from assay.core.names import Measure
from assay.engine.local import measured
from assay.evidence.drawing import preferred
from assay.evidence.preferences import PreferencePairs

# Preferences go down the alphabet, so that they never go round in a circle.
pair = st.sampled_from(["a>b", "a>c", "b>c", "b>d", "c>d", "a>d"])
query = st.tuples(
    st.permutations("abcdx").map(lambda docs: "".join(docs)[:4]),
    st.lists(pair, min_size=1, max_size=4, unique=True),
)
queries = st.lists(query, min_size=1, max_size=3)


def build(example: list[tuple[str, list[str]]]) -> PreferencePairs:
    parts = [
        replace(preferred(listed, *stated), queries=(f"q{n}",))
        for n, (listed, stated) in enumerate(example)
    ]
    whole = parts[0]
    for part in parts[1:]:
        whole = whole + part
    return whole


def _query_alone(measure: Measure, example: list[tuple[str, list[str]]]) -> bool:
    """The value of a query does not depend on the queries beside it."""
    together = measured(build(example), measure).values
    alone = [measured(build([one]), measure).values[0] for one in example]
    return all(same_number(*both) for both in zip(together, alone, strict=True))


def _ideal_is_best(measure: Measure, example: list[tuple[str, list[str]]]) -> bool:
    """One user's preferences can all be fulfilled, and no ranking does better."""
    view = build(example)
    best, own = measured(view.ideal(), measure).values, measured(view, measure).values
    return all(not_worse(measure, *both) for both in zip(own, best, strict=True))


LAWS = ViewLaws(
    view=PreferencePairs,
    examples=queries,
    build=build,
    split=lambda example: [[one] for one in example] if len(example) == 1 else [example],
    laws=[
        Law("query alone", queries, _query_alone),
        Law("ideal is best", queries, _ideal_is_best),
    ],
)
