"""The laws of agreement: assessors as words of labels."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import strategies as st
from tests.laws.law import Law, ViewLaws, same_number, summary

from assay.core.names import Measure
from assay.core.tables import Ratings
from assay.evidence.builders.from_ratings import build_rating_table
from assay.evidence.views.rating_table import RatingTable
from assay.testing import rated


def said(items: int) -> st.SearchStrategy[list[str]]:
    word = st.text("abc.", min_size=items, max_size=items)
    return st.lists(word, min_size=2, max_size=3).filter(lambda words: set("".join(words)) != {"."})


words = st.integers(2, 7).flatmap(said)


NUMBERS = {"a": "2", "b": "10", "c": "30"}
"""Labels whose order as numbers is not that of their text."""


def build(example: list[str]) -> RatingTable:
    drawn = rated(*example)
    labels = tuple(NUMBERS[label] for label in drawn.labels)
    return replace(drawn, labels=labels, values=np.asarray([float(label) for label in labels]))


def rows(example: list[str]) -> list[tuple[str, str, str]]:
    return [
        (f"i{place}", f"a{number}", NUMBERS[letter])
        for number, word in enumerate(example)
        for place, letter in enumerate(word)
        if letter != "."
    ]


def of_rows(lines: list[tuple[str, str, str]]) -> RatingTable:
    frame = pl.DataFrame(lines, schema=["item", "assessor", "label"], orient="row")
    return build_rating_table(Ratings.of(frame))


def split(example: list[str]) -> list[list[str]]:
    half = len(example[0]) // 2
    return [[word[:half] for word in example], [word[half:] for word in example]]


def _shuffled(measure: Measure, example: list[str]) -> bool:
    """The order of the items does not matter."""
    reversed_items = [word[::-1] for word in example]
    return same_number(summary(measure, build(example)), summary(measure, build(reversed_items)))


def _renamed(measure: Measure, example: list[str]) -> bool:
    """Who is called first among the assessors does not matter."""
    return same_number(summary(measure, build(example)), summary(measure, build(example[::-1])))


LAWS = ViewLaws(
    view=RatingTable,
    examples=words,
    build=build,
    rows=rows,
    of_rows=of_rows,
    split=split,
    laws=[
        Law("order of items", words, _shuffled),
        Law("order of assessors", words, _renamed),
    ],
)
