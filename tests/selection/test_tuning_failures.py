"""Tuning: failures between budgets, swapped inputs, and settings refused before the search."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.selection.test_tuning import write_spec

import assay
from assay.core.errors import AssayError, DataError, OutputError
from assay.selection.tuning.proposals import propose
from assay.selection.tuning.run_cache import RunCache
from assay.selection.tuning.space import COLUMNS, read_space
from assay.selection.tuning.trials import Trial

QRELS = {f"q{q}": {"good": 1} for q in range(10)}


def run_with(rank: int) -> dict[str, dict[str, float]]:
    """A run with the relevant document at this rank."""
    return {q: {"good": 1.5 - rank, **{f"d{n}": -n for n in range(20)}} for q in QRELS}


def ranker_spec(function: Callable[..., Any], **changes: Any) -> dict[str, Any]:
    evaluation = {"qrels": QRELS, "measure": "RR"}
    own = {"parameters": {"x": list(range(1, 10))}, "method": "grid", "batch": 9, "nested": 0}
    return {"callable": function, "evaluation": evaluation, **own, **changes}


def estimator_spec(**changes: Any) -> dict[str, Any]:
    linear = pytest.importorskip("sklearn.linear_model")
    draw = np.random.default_rng(0)
    X = draw.normal(size=(60, 3))
    y = (X[:, 0] + draw.normal(size=60) > 0).astype(int)
    own = {"X": X, "y": y, "parameters": {"C": [0.1, 1.0]}, "method": "grid", "cv": 3}
    return {"estimator": linear.LogisticRegression(), "evaluation": {"measure": "ACC"}, **own} | (
        changes
    )


def test_a_failure_with_a_higher_budget_lets_no_other_trial_go_on() -> None:
    calls = []

    def rank(x: int, n: int) -> Any:
        calls.append((x, n))
        if (x, n) == (9, 20):
            raise DataError("out of memory")
        return run_with(10 - x if n == 10 else 3)

    found = assay.tune(ranker_spec(rank, budget={"n": [10, 20, 30]}))
    rows = {row["x"]: row for row in found.trials.iter_rows(named=True)}
    assert [x for x, n in calls if n == 20] == [7, 8, 9]  # the best third with 10
    assert {x for x, n in calls if n == 30} == {7}
    assert found.chosen == {"x": 7}
    assert [x for x, row in rows.items() if row["pruned"]] == [1, 2, 3, 4, 5, 6, 8]
    assert (rows[9]["budget"], rows[9]["failure"]) == (20, "out of memory")
    assert np.isnan(rows[9]["value"])


def test_the_nested_value_has_the_highest_budget() -> None:
    tree = pytest.importorskip("sklearn.tree")
    depths = []

    class Tree(tree.DecisionTreeClassifier):  # type: ignore[misc, name-defined]
        def fit(self, X: Any, y: Any) -> Any:
            depths.append((len(X), self.max_depth))
            return super().fit(X, y)

    leaves = {"min_samples_leaf": [1, 3, 5]}
    own = {"estimator": Tree(), "parameters": leaves, "budget": {"max_depth": [1, 2]}}
    found = assay.tune(estimator_spec(**own, nested=2))
    assert [depth for size, depth in depths if size == 30] == [2, 2]  # all items of a fold
    assert found.nested is not None
    assert 0 <= found.nested.low < found.nested.value < found.nested.high <= 1


def test_intervals_of_folds_are_within_the_bounds() -> None:
    pytest.importorskip("sklearn")
    from sklearn.tree import DecisionTreeClassifier

    X = np.random.default_rng(0).normal(size=(60, 3))
    y = (X[:, 0] > 0).astype(int)
    y[0] = 1 - y[0]
    found = assay.cross_validate(DecisionTreeClassifier(max_depth=1), X, y, "ACC", cv=5)
    assert {each.slice: each.high for each in found.results} == {"all": 1, "folds": 1}


def test_swapped_inputs_have_runs_of_their_own(tmp_path: Path) -> None:
    paths = []
    for content in ("one", "two"):
        paths.append(tmp_path / content / "data.txt")
        paths[-1].parent.mkdir()
        paths[-1].write_text(content)
    cache = tmp_path / "runs"

    def run(first: Path, second: Path) -> str:
        def make() -> Path:
            (tmp_path / "made.run").write_text(f"{first} {second}")
            return tmp_path / "made.run"

        words = ["rank", "--train", str(first), "--dev", str(second)]
        return RunCache(cache, (first, second)).run(words, make).read_text()

    assert run(*paths) == f"{paths[0]} {paths[1]}"
    assert run(*paths[::-1]) == f"{paths[1]} {paths[0]}"
    assert len([*cache.iterdir()]) == 2
    moved = [path.rename(path.parent / "moved.txt").rename(path) for path in paths]
    assert run(*moved) == f"{paths[0]} {paths[1]}"


def test_queries_without_a_value_are_in_no_nested_fold() -> None:
    qrels = {**QRELS, "q0": {"good": 0}}
    spec = ranker_spec(lambda x: run_with(x), evaluation={"qrels": qrels, "measure": "RR"})
    del spec["nested"]
    found = assay.tune(spec)
    assert found.nested is None
    assert any("`nested = 4` gives" in note for note in found.notes)
    assert assay.tune({**spec, "nested": 4}).nested is not None
    short = assay.tune({**spec, "nested": 5})
    assert any("no nested value: nested is 5, but there are 9" in note for note in short.notes)


@pytest.mark.parametrize("nested", [1, True, -2, 2.5, 400, "many"])
@pytest.mark.parametrize("kind", ["estimator", "callable"])
def test_nested_is_checked_before_the_search(nested: Any, kind: str) -> None:
    def never(x: int) -> Any:
        raise AssertionError("the search has begun")

    spec = estimator_spec() if kind == "estimator" else ranker_spec(never)
    with pytest.raises(AssayError, match=r"nested|many: there is no such file"):
        assay.tune({**spec, "nested": nested})


def test_rows_of_all_items_are_no_folds_of_a_nested_search() -> None:
    pairs = [(np.arange(10), np.arange(10, 20))]
    assert assay.tune(estimator_spec(cv=iter(pairs))).nested is None
    with pytest.raises(AssayError, match="cv names rows of all items"):
        assay.tune(estimator_spec(cv=pairs, nested=2))


@pytest.mark.parametrize(
    "budget",
    [
        {"max_iter": [1.0, float("nan")]},
        {"max_iter": [1, float("inf")]},
        {"max_iter": [1, 10**400]},
        {"folds": [1, 2.5]},
        {"folds": [1, 9]},
        {"folds": [0, 2]},
    ],
    ids=str,
)
def test_budgets_are_numbers_that_can_be_spent(budget: dict[str, Any]) -> None:
    with pytest.raises(AssayError, match=r"two or more rising|whole numbers up to .* \(3\)"):
        assay.tune(estimator_spec(budget=budget))


@pytest.mark.parametrize("name", COLUMNS)
def test_parameters_are_no_columns_of_the_tables(name: str) -> None:
    with pytest.raises(AssayError, match=f"parameter {name}: .* column of this name"):
        read_space({name: [1, 2]})


def test_optuna_does_not_take_a_low_budget_for_a_result() -> None:
    pytest.importorskip("optuna")
    space = read_space({"x": {"low": 0.0, "high": 1.0}})
    draws = np.random.default_rng(0).uniform(size=40)
    pruned = [Trial(n, {"x": x}, ({"q": x},), pruned=True) for n, x in enumerate(draws)]
    whole = [
        Trial(40 + n, {"x": x / 10}, ({"q": x / 10}, {"q": 0.05 - x / 100}))
        for n, x in enumerate(draws)
    ]  # with a low budget high values look best; with all of it, low ones are
    asked = propose("optuna", space, range(80, 96), [*pruned, *whole], 1, True)
    assert np.median([values["x"] for values in asked]) < 0.2


@pytest.mark.parametrize("content", ["", "\n", "[1]\n", '{"digest": "x"}\n{"units": {}}\n'])
def test_other_files_of_trials_ask_for_a_new_folder(content: str, tmp_path: Path) -> None:
    (tmp_path / "trials.jsonl").write_text(content)
    with pytest.raises(AssayError, match=r"trials\.jsonl: .*; name a new folder"):
        assay.tune(write_spec(tmp_path), tmp_path)


def test_a_cache_that_is_a_file_is_named(tmp_path: Path) -> None:
    spec = write_spec(tmp_path)
    with pytest.raises(OutputError, match=r"rank\.py: the folder cannot be made"):
        assay.tune(spec, cache=tmp_path / "rank.py")


def test_names_of_a_command_differ(tmp_path: Path) -> None:
    spec = write_spec(tmp_path)
    spec.write_text(spec.read_text().replace("[inputs]", '[inputs]\nk = "rank.py"'))
    with pytest.raises(AssayError, match=r"\{k\} is ambiguous"):
        assay.tune(spec)


def test_losses_have_their_row_and_their_iteration() -> None:
    table = {"iteration": [0.0, 0.5, 1.0], "train": [3.0, 2.0, 1.0], "validation": [3.0, 1.0, 2.0]}
    assert assay.learn.loss(table).best == 0.5
    with pytest.raises(AssayError, match=r"3: the iteration 0.5 occurs twice"):
        assay.learn.loss({**table, "iteration": [0.0, 0.5, 0.5]})


def test_errors_of_an_estimator_in_a_loss_curve() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    X = np.random.default_rng(0).normal(size=(30, 2))
    bad = ensemble.GradientBoostingRegressor(n_estimators=-1)
    with pytest.raises(AssayError, match=r"the learner cannot be trained: .*n_estimators"):
        assay.learn.loss(X, bad, X[:, 0])


def test_a_file_of_splits_is_recorded(tmp_path: Path) -> None:
    linear = pytest.importorskip("sklearn.linear_model")
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = (X[:, 0] > 0).astype(int)
    splits = assay.split_items({"y": y}, "k-fold", folds=4)
    splits.write(tmp_path / "splits.csv")
    place = str(tmp_path / "splits.csv")
    found = assay.cross_validate(linear.LogisticRegression(), X, y, "ACC", cv=place)
    assert found.conventions["folds"]["digest"] == splits.digest


def test_a_position_with_400_digits_has_its_line(tmp_path: Path) -> None:
    event = {"action_name": "click", "query_id": "i", "event_attributes": {"position": 10**400}}
    (tmp_path / "log").write_text(json.dumps(event) + "\n")
    with pytest.raises(AssayError, match=r"log:1: the position '.*' is not a whole number"):
        assay.read_clicks(tmp_path / "log")
