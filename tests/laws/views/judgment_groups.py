"""The laws of judgment groups: one list of documents, a word for each assessor."""

from __future__ import annotations

from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number

from assay.core.names import Measure
from assay.engine.local import measured
from assay.evidence.drawing import judged_by
from assay.evidence.judgment_groups import JudgmentGroups

words = st.integers(1, 6).flatmap(
    lambda length: st.lists(
        st.text("?-+2", min_size=length, max_size=length), min_size=1, max_size=4
    )
)


def build(example: list[str]) -> JudgmentGroups:
    return judged_by(*example)


def _order_of_groups(measure: Measure, example: list[str]) -> bool:
    """It does not matter which assessor comes first."""
    one = measured(build(example), measure).values[0]
    other = measured(build(example[::-1]), measure).values[0]
    return same_number(round(one, 12), round(other, 12))


LAWS = ViewLaws(
    view=JudgmentGroups,
    examples=words,
    build=build,
    laws=[Law("order of groups", words, _order_of_groups)],
)
