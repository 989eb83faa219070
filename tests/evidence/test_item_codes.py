"""Names of items as codes: bytewise, or in numeric order where there are many numbers."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assay
from assay.evidence.views import rating_table
from assay.evidence.views.weighted_items import item_codes


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["10", "9", "10", "-1", "12"], ["-1", "9", "10", "12"]),
        (["10", "9", "10", "09", "12"], ["09", "10", "12", "9"]),  # 09 is another name than 9
        (["10", "9", "10", "x", "12"], ["10", "12", "9", "x"]),
        (["10", "9", "10", "9999", "12"], ["10", "12", "9", "9999"]),  # spread too widely
        (["a", "b", "a", "b", "a"], ["a", "b"]),
        (["5", "7", "5", "7", "9"], ["5", "7", "9"]),
    ],
)
def test_only_plain_numbers_are_in_numeric_order(names: list[str], expected: list[str]) -> None:
    found, codes = item_codes(pl.Series(names), 2)
    assert list(found) == expected
    assert [found[code] for code in codes.tolist()] == names


def test_few_numbers_are_in_bytewise_order() -> None:
    assert list(item_codes(pl.Series(["10", "9", "10"]), 50)[0]) == ["10", "9"]


def test_numbered_items_agree_as_named_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rating_table, "MOST_SINGLE_ITEMS", 10)
    random = np.random.default_rng(1)
    item = np.repeat(random.permutation(300), 3)
    ratings = {
        "item": item,
        "assessor": np.tile(["a", "b", "c"], 300),
        "label": random.choice(["x", "y"], 900),
    }
    named = ratings | {"item": [f"item {each}" for each in item]}
    turned = {key: np.asarray(each)[::-1] for key, each in ratings.items()}
    found = [
        [(each.value, each.low, each.high) for each in assay.agreement(table).results]
        for table in (ratings, named, turned)
    ]
    assert found[0] == found[1] == found[2]
