"""The laws of rankings: drawn as words."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import strategies as st
from tests.laws.by_query import listed, query_laws, tables
from tests.laws.law import Law, ViewLaws, not_worse, same_numbers

from assay.core.conventions import Conventions
from assay.core.names import Measure
from assay.engine.local import measure_view
from assay.evidence.alignment.align import align
from assay.evidence.views.rankings import Rankings
from assay.testing import rankings

MARKS = "?--++23~"
WORTH = {"?": 0, "~": 0, "-": 0, "+": 1, "2": 2, "3": 3}
GRADES = {"~": -1.0, "-": 0.0, "+": 1.0, "2": 2.0, "3": 3.0}
Row = tuple[Any, ...]

word = st.builds(
    lambda found, rest: f"{found}|{rest}",
    st.text(MARKS, max_size=9),
    st.text("-+23", max_size=5),
)
words = st.lists(word, min_size=1, max_size=4)


def build(example: list[str]) -> Rankings:
    return rankings(*example)


def _values(measure: Measure, view: Rankings) -> np.ndarray:
    return measure_view(view, measure).values


def rows(example: list[str]) -> list[Row]:
    lines: list[Row] = [("qrels", f"q{n}", "other", 1.0) for n in range(len(example))]
    lines.append(("run", "q0", "other", 0.0))
    for number, text in enumerate(example):
        found, _, rest = text.partition("|")
        docs = [f"d{n}" for n in range(len(found + rest))]
        lines += listed(f"q{number}", docs[: len(found)])
        lines += [
            ("qrels", f"q{number}", doc, GRADES[mark])
            for doc, mark in zip(docs, found + rest, strict=True)
            if mark != "?"
        ]
    return lines


def of_rows(lines: list[Row]) -> Rankings:
    return align(*tables(lines), Conventions()).rankings


def _promoted(measure: Measure, example: tuple[str, int]) -> bool:
    """Moving a better document one rank up never hurts."""
    text, place = example
    found, _, rest = text.partition("|")
    if place + 1 >= len(found) or WORTH[found[place]] >= WORTH[found[place + 1]]:
        return True
    swapped = found[:place] + found[place + 1] + found[place] + found[place + 2 :]
    before, after = rankings(f"{found}|{rest}"), rankings(f"{swapped}|{rest}")
    return not_worse(measure, _values(measure, before)[0], _values(measure, after)[0])


def _ideal(measure: Measure, text: str) -> bool:
    """Nothing beats the ideal list, which holds all judged documents, at the same length."""
    found, _, rest = text.partition("|")
    view = rankings(f"{found}{'?' * len(rest)}|{rest}")
    return not_worse(measure, _values(measure, view)[0], _values(measure, view.ideal())[0])


def _nothing_below_the_cutoff(measure: Measure, text: str) -> bool:
    """What stands below the cutoff might as well not be retrieved."""
    at = measure.definition.at
    if at is None or at.kind.after_at != "depth" or measure.selections:
        return True
    depth = dict(measure.settings).get(at.name, at.default)
    if depth is None:
        return True
    found, _, rest = text.partition("|")
    cut = f"{found[:depth]}|{found[depth:].replace('?', '')}{rest}"
    return same_numbers(_values(measure, rankings(text)), _values(measure, rankings(cut)))


LAWS = ViewLaws(
    view=Rankings,
    examples=words,
    build=build,
    rows=rows,
    of_rows=of_rows,
    laws=[
        *query_laws(words, build),
        Law("promotion", st.tuples(word, st.integers(0, 8)), _promoted),
        Law("ideal", word, _ideal),
        Law("cutoff", word, _nothing_below_the_cutoff),
    ],
)
