"""The table of Dawid and Skene (1979): 45 patients, five anesthetists, one of whom rated thrice."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from assay import AssayError
from assay.benchmark.aggregation import aggregate
from assay.tasks.agreement import agreement

TABLE = """
111 1 1 1 1,333 4 3 3 4,112 2 1 2 2,222 3 1 2 1,222 3 2 2 2,222 3 3 2 2,122 2 1 1 1,333 3 4 3 3,
222 2 2 2 3,232 2 2 2 3,444 4 4 4 4,222 3 3 4 3,111 1 1 1 1,222 3 2 1 2,121 1 1 1 1,111 2 1 1 1,
111 1 1 1 1,111 1 1 1 1,222 2 2 2 1,222 1 3 2 2,222 2 2 2 2,222 2 2 2 1,222 3 2 2 2,221 2 2 2 2,
111 1 1 1 1,111 1 1 1 1,232 2 2 2 2,111 1 1 1 1,111 1 1 1 1,112 1 1 2 1,111 1 1 1 1,333 3 2 3 3,
111 1 1 1 1,222 2 2 2 2,222 3 2 3 2,433 4 3 4 3,221 2 2 3 2,232 3 2 3 3,333 3 4 3 2,111 1 1 1 1,
111 1 1 1 1,121 2 1 1 1,232 2 2 2 2,121 1 1 1 1,222 2 2 2 2
"""
"""A patient: the three ratings by the first, then those by the others."""


def ratings() -> pl.DataFrame:
    rows = [
        (f"{patient:02}", f"{number}", label)
        for patient, line in enumerate(TABLE.replace("\n", "").split(","), 1)
        for number, given in enumerate(line.split(), 1)
        for label in given
    ]
    return pl.DataFrame(rows, schema=["item", "assessor", "label"], orient="row")


def plain_estimates(steps: int = 2000, smoothing: float = 0.01) -> tuple[np.ndarray, ...]:
    """Expectation maximization, written out item by item; shares and matrices."""
    frame = ratings()
    n = np.zeros((45, 5, 4))
    for item, assessor, label in frame.iter_rows():
        n[int(item) - 1, int(assessor) - 1, int(label) - 1] += 1
    t = n.sum(axis=1) / n.sum(axis=(1, 2))[:, None]
    for _ in range(steps):
        shares = t.mean(axis=0)
        matrices = np.einsum("ij,ikl->kjl", t, n) + smoothing
        matrices /= matrices.sum(axis=2, keepdims=True)
        for i in range(45):
            t[i] = [
                shares[j] * np.prod([matrices[k, j] ** n[i, k] for k in range(5)]) for j in range(4)
            ]
            t[i] /= t[i].sum()
    return t, shares, matrices


def test_the_table_is_whole() -> None:
    assert len(ratings()) == 45 * 7
    assert ratings()["label"].value_counts().sort("label")["count"].to_list() == [127, 125, 48, 15]


def test_shares_of_the_classes_are_those_of_the_paper() -> None:
    found = aggregate(ratings(), "dawid-skene")
    assert found.converged
    assert found.classes["share"].to_list() == pytest.approx([0.40, 0.42, 0.11, 0.07], abs=0.005)
    assert found.classes["label"].to_list() == ["1", "2", "3", "4"]
    assert found.classes["items"].sum() == pytest.approx(45)


def test_posteriors_and_matrices_are_those_of_a_plain_computation() -> None:
    found = aggregate(ratings(), "ds")
    posterior, shares, matrices = plain_estimates()
    assert found.posteriors.drop("item").to_numpy() == pytest.approx(posterior, abs=1e-5)
    assert found.classes["share"].to_numpy() == pytest.approx(shares, abs=1e-5)
    assert found.confusions["probability"].to_numpy() == pytest.approx(matrices.ravel(), abs=1e-4)
    assert found.confusions.columns == ["assessor", "class", "label", "probability"]


def test_repeated_ratings_are_noted_and_count_each() -> None:
    found = aggregate(ratings(), "majority")
    assert found.notes == (
        "items that an assessor rated more than once: 45 (the first is 01, by 1); each rating"
        " counts",
    )
    assert found.labels["ratings"].unique().to_list() == [7]
    assert found.labels.filter(item="36")["label"].to_list() == ["3"]  # 4 3 3, 4 3 4 3
    with pytest.raises(AssayError, match="the item 01 of assessor 1 occurs twice"):
        agreement(ratings())


def test_matrices_of_votes_are_shares_of_what_was_said() -> None:
    rows = {"item": list("xxxyyy"), "assessor": list("123123"), "label": list("aabbbb")}
    found = aggregate(pl.DataFrame(rows), "majority")
    third = found.confusions.filter(assessor="3")
    assert third.rows() == [
        ("3", "a", "a", 0),
        ("3", "a", "b", 1),
        ("3", "b", "a", 0),
        ("3", "b", "b", 1),
    ]
    assert found.posteriors.rows() == [("x", 2 / 3, 1 / 3), ("y", 0, 1)]
