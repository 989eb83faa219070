"""Free-loaders are seen, with reasons."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from assay import AssayError
from assay.benchmark.unreliable_assessors import unreliable_assessors


def ratings(items: int = 60, seed: int = 0) -> Any:
    """Three that work, one that always says a, and one that draws lots in no time."""
    random = np.random.default_rng(seed)
    truth = random.choice(list("abc"), items)
    rows = []
    for name, chance in (("ann", 0.9), ("bob", 0.85), ("cy", 0.8), ("lots", 0.0)):
        for number, right in enumerate(truth):
            said = right if random.random() < chance else random.choice(list("abc"))
            rows.append((f"i{number}", name, said, 1.0 if name == "lots" else 20.0))
    rows += [(f"i{number}", "same", "a", 15.0) for number in range(items)]
    columns = zip(*rows, strict=True)
    return truth, dict(
        zip(("item", "assessor", "label", "seconds"), map(list, columns), strict=True)
    )


def test_both_kinds_are_found_and_nobody_else() -> None:
    truth, data = ratings()
    gold = {f"i{n}": truth[n] for n in range(15)}
    table = unreliable_assessors(data, seconds="seconds", gold=gold)
    verdicts = dict(table.select("assessor", "verdict").iter_rows())
    assert verdicts == {
        "ann": "green",
        "bob": "green",
        "cy": "green",
        "lots": "red",
        "same": "red",
    }
    reasons = dict(table.select("assessor", "reasons").iter_rows())
    assert "hasty" in reasons["lots"]
    assert "gold accuracy" in reasons["lots"]
    assert "60 equal labels in a row" in reasons["same"]
    assert "hardly beyond chance" in reasons["same"]
    assert table["assessor"][0] in ("lots", "same")


def test_without_gold_and_seconds_these_stay_open() -> None:
    table = unreliable_assessors(ratings()[1])
    assert np.isnan(table["gold accuracy"].to_numpy()).all()
    assert np.isnan(table["hasty"].to_numpy()).all()


def test_few_ratings_say_nothing() -> None:
    data = {"item": ["x", "x", "y", "y"], "assessor": ["a", "b"] * 2, "label": ["p", "q", "p", "p"]}
    assert unreliable_assessors(data)["verdict"].to_list() == ["green", "green"]


def test_the_effect_of_leaving_one_out() -> None:
    # Without b the majority of x falls back to p; y has nobody else.
    data = {
        "item": ["x", "x", "x", "y"],
        "assessor": ["a", "b", "c", "b"],
        "label": ["p", "q", "q", "q"],
    }
    changed = dict(
        unreliable_assessors(data).select("assessor", "labels changed without").iter_rows()
    )
    assert changed == {"a": 0, "b": 1, "c": 1}


def test_bad_seconds_are_refused_with_their_row() -> None:
    data = ratings()[1]
    data["seconds"][3] = -1.0
    with pytest.raises(AssayError, match="row 4: the seconds are -1"):
        unreliable_assessors(data, seconds="seconds")


def test_who_is_too_quick_is_found_where_nobody_else_rated_the_items() -> None:
    rows = [
        {"item": f"{who}{n}", "assessor": who, "label": str(n % 2), "seconds": seconds}
        for who, seconds in (("ann", 20.0), ("ben", 24.0), ("cid", 1.0))
        for n in range(20)
    ]
    table = unreliable_assessors(pl.DataFrame(rows), seconds="seconds").sort("assessor")
    assert table["hasty"].to_list() == [0.0, 0.0, 1.0]
    assert table["verdict"][2] != "green"
