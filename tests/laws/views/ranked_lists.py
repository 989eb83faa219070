"""The laws of two rankings that need not hold the same things: words, with ties in brackets."""

from __future__ import annotations

import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, not_worse, same_number, summary

from assay.core.names import Measure
from assay.evidence.views.order_pairs import RankedLists, build_ranked_lists
from assay.testing import listed

Pair = tuple[list[list[str]], list[list[str]]]


@st.composite
def ranking(draw: st.DrawFn) -> list[list[str]]:
    words = draw(st.permutations("abcdef"))[: draw(st.integers(1, 6))]
    cuts = draw(st.lists(st.booleans(), min_size=len(words), max_size=len(words)))
    groups: list[list[str]] = []
    for word, cut in zip(words, cuts, strict=True):
        if cut or not groups:
            groups.append([word])
        else:
            groups[-1].append(word)
    return groups


pairs = st.tuples(ranking(), ranking())


def _text(groups: list[list[str]]) -> str:
    return " ".join(f"({' '.join(each)})" if len(each) > 1 else each[0] for each in groups)


def build(example: Pair) -> RankedLists:
    return listed(_text(example[0]), _text(example[1]))


def rows(example: Pair) -> list[tuple[str, str, float | None, float | None]]:
    places = [
        {word: -float(place) for place, tie in enumerate(each) for word in tie} for each in example
    ]
    words = sorted({*places[0], *places[1]})
    return [("all", word, places[0].get(word), places[1].get(word)) for word in words]


def of_rows(lines: list[tuple[str, str, float | None, float | None]]) -> RankedLists:
    schema = {"group": str, "item": str, "first": pl.Float64, "second": pl.Float64}
    return build_ranked_lists(pl.DataFrame(lines, schema=schema, orient="row"))


def _renamed(measure: Measure, example: Pair) -> bool:
    """Calling the things otherwise changes nothing."""
    swap = str.maketrans("abcdef", "fedcba")
    renamed = tuple([[word.translate(swap) for word in tie] for tie in each] for each in example)
    return same_number(summary(measure, build(example)), summary(measure, build(renamed)))


def _ideal(measure: Measure, example: Pair) -> bool:
    """Nothing agrees better with an untied ranking than itself."""
    view = build(([[word] for tie in example[0] for word in tie], example[1]))
    return not_worse(measure, summary(measure, view), summary(measure, view.ideal()))


LAWS = ViewLaws(
    view=RankedLists,
    examples=pairs,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[Law("renaming", pairs, _renamed), Law("ideal", pairs, _ideal)],
)
