"""Several assessors into one label."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from assay import AssayError
from assay.benchmark.aggregation import aggregate, aggregate_ratings
from assay.testing import rated


def right(data: Any, method: str, truth: Any, **more: Any) -> Any:
    found = aggregate(data, method, item="question", assessor="worker", label="answer", **more)
    both = found.labels.join(truth, left_on="item", right_on="question")
    return (both["label"] == both["truth"]).mean()


@pytest.fixture(params=["duck", "dog"])
def crowd(request: pytest.FixtureRequest, shared_data: Path) -> Any:
    folder = shared_data / "crowd" / request.param
    truth = pl.read_csv(folder / "truth.csv").select(pl.all().cast(pl.String))
    return request.param, folder / "answer.csv", truth


@pytest.mark.shared
def test_dawid_and_skene_beat_the_majority(crowd: Any) -> None:
    name, answers, truth = crowd
    majority = right(answers, "majority", truth)
    skene = right(answers, "dawid-skene", truth)
    assert skene > majority if name == "duck" else skene >= majority


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin", "mace"])
@pytest.mark.shared
def test_the_objective_never_falls(crowd: Any, method: str) -> None:
    _, answers, _ = crowd
    found = aggregate(answers, method, item="question", assessor="worker", label="answer")
    steps = np.diff(found.objective)
    assert (steps >= -1e-9 * np.abs(found.objective[:-1])).all()
    assert found.converged


def test_majority_takes_the_lowest_of_a_tie() -> None:
    assert aggregate_ratings(rated("ab", "bb"), "majority").labels["label"].to_list() == ["a", "b"]


def test_median_mean_and_minimum() -> None:
    view = rated("013", "023", "331")
    assert aggregate_ratings(view, "median").labels["label"].to_list() == ["0", "2", "3"]
    assert aggregate_ratings(view, "minimum").labels["label"].to_list() == ["0", "1", "1"]
    assert aggregate_ratings(view, "mean").labels["label"].to_list() == pytest.approx([1, 2, 7 / 3])


def test_posterior_and_entropy_of_votes() -> None:
    labels = aggregate_ratings(rated("a", "a", "b", "b"), "majority").labels
    assert labels["posterior"].to_list() == [0.5]
    assert labels["entropy"].to_list() == [1]


def simulated(seed: int = 0, items: int = 200) -> Any:
    """Three good assessors and one that always says 0."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, 3, items)
    words = []
    for chance in (0.85, 0.8, 0.75):
        said = np.where(random.random(items) < chance, truth, random.integers(0, 3, items))
        words.append("".join(map(str, said)))
    return truth, rated(*words, "0" * items)


@pytest.mark.parametrize("method", ["dawid-skene", "one-coin", "mace"])
def test_the_free_loader_is_the_least_reliable(method: str) -> None:
    truth, view = simulated()
    found = aggregate_ratings(view, method)
    assert found.assessors["reliability"].arg_min() == 3
    majority = aggregate_ratings(view, "majority").labels["label"].cast(int).to_numpy()
    accuracy = (found.labels["label"].cast(int).to_numpy() == truth).mean()
    assert accuracy >= (majority == truth).mean()


@pytest.mark.parametrize("method", ["majority", "dawid-skene", "one-coin", "mace"])
def test_gold_items_are_fixed(method: str) -> None:
    truth, view = simulated()
    gold = np.where(np.arange(len(truth)) < 40, truth, -1)
    labels = aggregate_ratings(view, method, gold).labels["label"].cast(int).to_numpy()
    assert (labels[:40] == truth[:40]).all()


def test_the_order_of_lines_changes_nothing() -> None:
    rows = [(f"i{n % 9}", f"a{n // 9}", str((n * 7) % 3)) for n in range(36)]
    frame = pl.DataFrame(rows, schema=["item", "assessor", "label"], orient="row")
    one = aggregate(frame, "dawid-skene").labels
    two = aggregate(frame.reverse(), "dawid-skene").labels
    assert one.equals(two)


def test_an_unknown_method_and_gold_label_are_refused() -> None:
    data = {"item": ["x", "x"], "assessor": ["a", "b"], "label": ["p", "q"]}
    with pytest.raises(AssayError, match="Did you mean majority"):
        aggregate(data, "majorty")
    with pytest.raises(AssayError, match="the gold label 'z' is not among"):
        aggregate(data, "majority", gold={"x": "z"})
    with pytest.raises(AssayError, match="labels that are numbers"):
        aggregate(data, "mean")


@pytest.mark.parametrize("method", ["majority", "median", "minimum", "mean"])
def test_one_assessor_is_believed(method: str) -> None:
    labels = aggregate_ratings(rated("0120"), method).labels["label"].cast(pl.Float64).to_list()
    assert labels == [0, 1, 2, 0]


@pytest.mark.parametrize(
    "gold",
    [
        {"question": ["x"], "answer": ["b"]},
        {"item": ["x"], "label": ["b"]},
        {"question": ["x"], "truth": ["b"]},
        {"known": ["b"], "question": ["x"]},
        {"question": ["x"], "grade": ["b"], "who": ["expert"]},
    ],
)
def test_gold_columns_are_called_as_in_the_ratings_or_as_usual(gold: Any) -> None:
    rows = {"question": list("xxyy"), "worker": list("1212"), "answer": list("aabb")}
    found = aggregate(pl.DataFrame(rows), item="question", label="answer", gold=pl.DataFrame(gold))
    assert found.labels["label"].to_list() == ["b", "b"]


def test_gold_columns_that_cannot_be_told_are_asked_for() -> None:
    rows = {"question": list("xxyy"), "worker": list("1212"), "answer": list("aabb")}
    gold = pl.DataFrame({"one": ["x"], "two": ["b"], "three": ["c"]})
    with pytest.raises(
        AssayError, match="There are one, two, three; call them question and answer"
    ):
        aggregate(pl.DataFrame(rows), item="question", label="answer", gold=gold)


@pytest.mark.shared
def test_mace_is_not_below_the_majority_by_more_than_a_standard_error(crowd: Any) -> None:
    _, answers, truth = crowd
    majority = right(answers, "majority", truth)
    error = np.sqrt(majority * (1 - majority) / len(truth))
    assert right(answers, "mace", truth) >= majority - error
