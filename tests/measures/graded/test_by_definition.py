"""Vectorised formulas against plain walks down one list, as the papers define them."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.core.names import measure
from assay.testing import rankings

GRADE = {"?": 0, "~": 0, "-": 0, "+": 1, "2": 2, "3": 3}
word = st.builds(
    lambda found, rest: f"{found}|{rest}",
    st.text("?-+23~", max_size=10),
    st.text("+23", max_size=4),
)


def _grades(text: str) -> tuple[list[int], list[int]]:
    found, _, rest = text.partition("|")
    listed = [GRADE[mark] for mark in found]
    best = sorted((GRADE[mark] for mark in found + rest), reverse=True)
    return listed, best


def _err(listed: list[int]) -> float:
    value, goes_on = 0.0, 1.0
    for rank, grade in enumerate(listed, 1):
        satisfied = (2**grade - 1) / 2**3
        value += goes_on * satisfied / rank
        goes_on *= 1 - satisfied
    return value


def _rbp(listed: list[int], p: float) -> float:
    value, looks = 0.0, 1.0
    for grade in listed:
        value += (1 - p) * looks * grade / 3
        looks *= p
    return value


def _blended(listed: list[int], best: list[int]) -> list[tuple[int, float, float]]:
    """(grade, precision, blended ratio) at each document with a gain."""
    found, gained, ideal, rows = 0, 0, 0, []
    for rank, grade in enumerate(listed, 1):
        found += grade > 0
        gained += grade
        ideal += best[rank - 1] if rank <= len(best) else 0
        if grade:
            rows.append((grade, found / rank, (found + gained) / (rank + ideal)))
    return rows


def _family(listed: list[int], best: list[int]) -> dict[str, float]:
    rows = _blended(listed, best)
    top = max((grade for grade, _, _ in rows), default=0)
    preferred = next((n for n, (grade, _, _) in enumerate(rows) if grade == top), -1)
    down_to = [ratio for _, _, ratio in rows[: preferred + 1]]
    return {
        "Q": sum(ratio for _, _, ratio in rows) / sum(grade > 0 for grade in best),
        "O-measure": rows[0][2] if rows else 0.0,
        "P-measure": down_to[-1] if rows else 0.0,
        "P+": sum(down_to) / len(down_to) if rows else 0.0,
        "NCU": sum(grade * precision for grade, precision, _ in rows) / sum(best),
        "ERR(gmax=3)": _err(listed),
        "nERR(gmax=3)": _err(listed) / _err(best),
        "RBP(p=0.7,gmax=3)": _rbp(listed, 0.7),
    }


@given(st.lists(word, min_size=1, max_size=5))
def test_the_family(drawn: list[str]) -> None:
    view = rankings(*drawn)
    for unit, text in enumerate(drawn):
        listed, best = _grades(text)
        if not sum(best):
            continue
        for name, value in _family(listed, best).items():
            found = measure(name, "retrieval")(view)[unit]
            assert found == pytest.approx(value, abs=1e-12), (name, text)


@given(word)
def test_a_residual_is_the_distance_to_the_best_that_could_be(text: str) -> None:
    found, _, _ = text.partition("|")
    binary = found.replace("2", "+").replace("3", "+")
    filled = binary.replace("?", "+").replace("~", "+") + "+" * 400
    low, high = (measure("RBP(p=0.9)")(rankings(each))[0] for each in (binary, filled))
    residual = measure("RBP_residual(p=0.9)")(rankings(binary))[0]
    assert low + residual == pytest.approx(high)


def test_a_list_of_hundreds_has_the_same_ideal_as_by_sorting() -> None:
    rng = np.random.default_rng(2)
    grades = "".join(map(str, rng.integers(0, 4, 300)))
    by_hand = sum(
        int(grade) / math.log2(rank + 1)
        for rank, grade in enumerate(sorted(grades, reverse=True), 1)
    )
    assert measure("IDCG")(rankings(grades))[0] == pytest.approx(by_hand)
