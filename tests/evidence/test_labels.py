"""The order of labels: by value, bytewise, as declared; and of two tables together."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay.core.errors import AlignmentError, UsageError
from assay.core.tables import Decisions
from assay.evidence.column_values import label_codes
from assay.evidence.labels import (
    NOTHING,
    column_order,
    label_order,
    listed_labels,
    merge_orders,
)
from assay.evidence.views.confusion import ConfusionCells
from assay.testing import confusion


@pytest.mark.parametrize(
    ("labels", "order"),
    [
        (["10", "2", "1"], ["1", "2", "10"]),
        (["1.5", "-1", "10", "2"], ["-1", "1.5", "2", "10"]),
        (["1", "01", "1.0", "0"], ["0", "01", "1", "1.0"]),
        (["10", "2", "x"], ["10", "2", "x"]),
        (["10", "2", "nan"], ["10", "2", "nan"]),
        (["inf", "2", "10"], ["10", "2", "inf"]),
        (["b", "B", "ä", "a"], ["B", "a", "b", "ä"]),
        (["10", NOTHING, "9"], ["9", "10", NOTHING]),
        (["0", "-0.0", "-1e3", "1e-3"], ["-1e3", "-0.0", "0", "1e-3"]),
        (["\U0001f600", "\ue000", "z"], ["z", "\ue000", "\U0001f600"]),
        ([], []),
    ],
)
def test_numbers_by_value_and_words_bytewise(labels: list[str], order: list[str]) -> None:
    assert list(label_order(labels)) == order
    assert list(label_order(reversed(labels))) == order


def test_declared_labels_come_first_in_their_order() -> None:
    assert label_order(["L", "F", "x"], ["VF", "F", "M", "L"]) == ("VF", "F", "M", "L", "x")


def test_labels_are_listed_as_text_once_each() -> None:
    assert listed_labels("VF, F,M") == ("VF", "F", "M")
    assert listed_labels([3, 1]) == ("3", "1")
    assert listed_labels(None) == ()
    for wrong in ("a,b,a", "a,,b", ""):
        with pytest.raises(UsageError, match="`labels` names every label once"):
            listed_labels(wrong)


def test_an_enum_sets_the_order_of_what_occurs() -> None:
    sizes = pl.Enum(["S", "M", "L", "XL"])
    truth, said = pl.Series(["L", "S"], dtype=sizes), pl.Series(["M", "M"], dtype=sizes)
    assert column_order(truth, said) == ("S", "M", "L")
    assert column_order(truth.cast(pl.String)) == ()
    turned = pl.Series(["M"], dtype=pl.Enum(["M", "S"]))
    with pytest.raises(AlignmentError, match="two orders of the labels"):
        column_order(truth, turned)


def test_orders_are_merged() -> None:
    assert merge_orders(("1", "2", "10"), ("10", "2", "x")) == ("1", "10", "2", "x")
    assert merge_orders(("low", "mid"), ("mid", "high")) == ("low", "mid", "high")
    with pytest.raises(AlignmentError, match="set one for both with `labels`"):
        merge_orders(("low", "high"), ("high", "mid", "low"))


def test_matrices_of_numbers_add_in_numeric_order() -> None:
    both = confusion([[1, 2], [0, 3]], labels=["2", "10"]) + confusion([[4]], labels=["9"])
    assert both.labels == ("2", "9", "10")
    assert both.matrix[0].tolist() == [[1, 0, 2], [0, 4, 0], [0, 0, 3]]


def test_places_among_names_in_any_order() -> None:
    column = pl.Series(["10", "2", "1", "2"])
    assert label_codes(column, ("1", "2", "10")).tolist() == [2, 1, 0, 1]
    assert label_codes(column, ("1", "10", "2")).tolist() == [1, 2, 0, 2]


def test_cells_of_labels_beyond_the_listed_ones() -> None:
    table = Decisions.of(pl.DataFrame({"truth": ["b", "a", "c"], "predicted": ["b", "c", "a"]}))
    cells = ConfusionCells.of(table, ("b", "a"))
    assert cells.labels == ("b", "a", "c")
    whole = cells.count("a")
    assert whole.matrix[0].tolist() == [[1, 0, 0], [0, 0, 1], [0, 1, 0]]
    some = cells.count("a", np.array([True, False, True]))
    assert some.matrix[0].tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]
    assert (some.labels, some.positive) == (cells.labels, "a")


@pytest.mark.parametrize("listed", [("b", "a", "c"), ("b", "a")])
def test_cells_among_names_in_any_order(listed: tuple[str, ...]) -> None:
    table = Decisions.of(pl.DataFrame({"truth": ["a", "b", "a"], "predicted": ["c", "b", "a"]}))
    cells = ConfusionCells.of(table, listed)
    assert cells.labels == ("b", "a", "c")
    assert cells.cell.tolist() == [1 * 3 + 2, 0, 1 * 3 + 1]
