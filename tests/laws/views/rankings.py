"""The laws of rankings: drawn as words."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number

from assay.core.names import Measure
from assay.engine.local import measured
from assay.evidence.drawing import rankings
from assay.evidence.rankings import Rankings

MARKS = "?--++23~"
WORTH = {"?": 0, "~": 0, "-": 0, "+": 1, "2": 2, "3": 3}

word = st.builds(
    lambda found, rest: f"{found}|{rest}",
    st.text(MARKS, max_size=9),
    st.text("-+23", max_size=5),
)
words = st.lists(word, min_size=1, max_size=4)


def build(example: list[str]) -> Rankings:
    return rankings(*example)


def _values(measure: Measure, view: Rankings) -> np.ndarray:
    return measured(view, measure).values


def _query_alone(measure: Measure, example: list[str]) -> bool:
    """The value of a query does not depend on the queries beside it."""
    view = build(example)
    together = _values(measure, view)
    return all(
        same_number(together[n], _values(measure, view.take([n]))[0]) for n in range(len(example))
    )


def _merged(measure: Measure, example: list[str]) -> bool:
    """Parts with some of the queries each, added, give the same bits as the whole."""
    view = build(example)
    if len(example) < 2:
        return True
    odd, even = view.take(range(1, len(example), 2)), view.take(range(0, len(example), 2))
    return np.array_equal(_values(measure, view), _values(measure, odd + even), equal_nan=True)


def _promoted(measure: Measure, example: tuple[str, int]) -> bool:
    """Moving a better document one rank up never hurts."""
    text, place = example
    found, _, rest = text.partition("|")
    if place + 1 >= len(found) or WORTH[found[place]] >= WORTH[found[place + 1]]:
        return True
    swapped = found[:place] + found[place + 1] + found[place] + found[place + 2 :]
    before, after = rankings(f"{found}|{rest}"), rankings(f"{swapped}|{rest}")
    return not_worse(measure, _values(measure, before)[0], _values(measure, after)[0])


def _recounted(measure: Measure, example: tuple[list[str], list[int]]) -> bool:
    """Counting queries again repeats their values."""
    drawn, times = example
    counts = np.resize(np.asarray(times, dtype=np.float64), len(drawn))
    view = build(drawn)
    repeated = np.repeat(_values(measure, view), counts.astype(int))
    return np.array_equal(repeated, _values(measure, view.reweight(counts)), equal_nan=True)


LAWS = ViewLaws(
    view=Rankings,
    examples=words,
    build=build,
    laws=[
        Law("query alone", words, _query_alone),
        Law("parts", words, _merged),
        Law("promotion", st.tuples(word, st.integers(0, 8)), _promoted),
        Law(
            "counted again",
            st.tuples(words, st.lists(st.integers(0, 3), min_size=1, max_size=4)),
            _recounted,
        ),
    ],
)
