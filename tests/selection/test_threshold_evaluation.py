"""Thresholds chosen on one table and reported on another."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest
from sklearn import metrics
from tests.cli.terminal import call

import assay
from assay.core.errors import UsageError


def items(seed: int, count: int = 120) -> dict[str, list]:
    random = np.random.default_rng(seed)
    sick = random.random(count) < 0.4
    score = random.normal(sick * 1.2, 1).round(3)
    return {"sick": np.where(sick, "yes", "no").tolist(), "p": score.tolist()}


@pytest.mark.parametrize("rule", ["at or above", "above"])
def test_rates_on_the_other_items_are_those_of_the_chosen_threshold(rule: str) -> None:
    validation, test = items(1), items(2)
    found = assay.threshold(
        validation,
        "youden",
        truth="sick",
        score="p",
        evaluate=test,
        rule=rule,
    )
    chosen = found["youden"].threshold
    score = np.asarray(test["p"])
    guess = np.where(score >= chosen if rule == "at or above" else score > chosen, "yes", "no")
    assert found.evaluated is not None
    rows = {row["measure"]: row for row in found.evaluated.to_dicts()}
    truth = test["sick"]
    expected = {
        "TPR": metrics.recall_score(truth, guess, pos_label="yes"),
        "TNR": metrics.recall_score(truth, guess, pos_label="no"),
        "PPV": metrics.precision_score(truth, guess, pos_label="yes"),
        "ACC": metrics.accuracy_score(truth, guess),
        "F": metrics.f1_score(truth, guess, pos_label="yes"),
    }
    assert {name: rows[name]["value"] for name in expected} == pytest.approx(expected)
    assert all(row["low"] < row["value"] < row["high"] for row in rows.values())
    assert rows["TPR"]["chosen_on"] == found["youden"].rates["TPR"]
    assert "measure  chosen_on" in str(found)
    assert "[low, high] of a threshold: where it lies in resamples" in str(found)


def test_the_command_gives_the_same_numbers(tmp_path: Path) -> None:
    paths = {}
    for name, seed in (("validation", 1), ("test", 2)):
        data = items(seed)
        paths[name] = tmp_path / f"{name}.csv"
        lines = [f"{a},{b}" for a, b in zip(data["sick"], data["p"], strict=True)]
        paths[name].write_text("\n".join(["sick,p", *lines]) + "\n")
    words = ["threshold", str(paths["validation"]), "--truth", "sick", "--score", "p"]
    done = call(*words, "--goal", "youden", "--evaluate", str(paths["test"]), "--format", "json")
    assert done.code == 0, done.err
    found = assay.threshold(items(1), "youden", truth="sick", score="p", evaluate=items(2))
    assert found.evaluated is not None
    expected = found.evaluated["value"].to_list()
    assert [row["value"] for row in json.loads(done.out)["evaluated"]] == pytest.approx(expected)


def test_the_same_items_are_pointed_out_and_a_missing_file_is_named(tmp_path: Path) -> None:
    data = items(3, 30)
    found = assay.threshold(data, "youden", truth="sick", score="p", evaluate=data, interval=None)
    assert "evaluated on the items they were chosen on" in found.warnings[-1]
    path = tmp_path / "v.csv"
    path.write_text("sick,p\nyes,2\nno,1\n")
    words = ["threshold", str(path), "--truth", "sick", "--score", "p"]
    done = call(*words, "--evaluate", str(tmp_path / "none.csv"))
    assert done.code != 0
    assert "none.csv" in done.err


def test_tables_with_decimal_commas_choose_the_same_threshold(tmp_path: Path) -> None:
    for name, seed in (("validation.csv", 1), ("test.csv", 2)):
        rows = zip(*items(seed).values(), strict=True)
        lines = [f"{sick};{p}".replace(".", ",") for sick, p in rows]
        (tmp_path / name).write_text("\n".join(["sick;p", *lines]))
    columns = {"truth": "sick", "score": "p"}
    paths = tmp_path / "validation.csv", tmp_path / "test.csv"
    found = assay.threshold(
        paths[0], "youden", **columns, evaluate=paths[1], decimal_comma=True, interval=None
    )
    expected = assay.threshold(items(1), "youden", **columns, evaluate=items(2), interval=None)
    assert found.threshold == expected.threshold
    assert found.evaluated is not None
    assert found.evaluated.equals(expected.evaluated)
    words = "--truth sick --score p --goal youden --decimal-comma --resamples 0 --format json"
    done = call("threshold", str(paths[0]), *words.split())
    assert done.code == 0, done.err
    assert f"{expected.threshold}"[:8] in done.out


GOALS = ["youden", "cost:fp=1,fn=20", "sensitivity:0.9", "MCC"]


def _evaluate_goals() -> assay.Thresholds:
    test = items(2)
    given = (test["sick"], test["p"])
    train = items(1)
    return assay.threshold(train["sick"], train["p"], GOALS, positive="yes", evaluate=given)


def test_what_each_goal_seeks_is_evaluated_with_an_interval() -> None:
    found, test = _evaluate_goals(), items(2)
    assert found.evaluated is not None
    sick = np.asarray(test["sick"]) == "yes"
    rows = found.evaluated.filter(measure="value")
    values = dict(rows.select("goal", "value").iter_rows())

    def said(goal: str) -> np.ndarray:
        return np.asarray(test["p"]) >= found[goal].threshold

    cost = said("cost:fp=1,fn=20")
    guess = said("sensitivity:0.9")
    assert values == pytest.approx(
        {
            "youden": (said("youden")[sick]).mean() - (said("youden")[~sick]).mean(),
            "cost:fp=1,fn=20": (cost & ~sick).sum() + 20 * (~cost & sick).sum(),
            "sensitivity:0.9": (~guess[~sick]).mean(),
            "MCC": metrics.matthews_corrcoef(sick, said("MCC")),
        }
    )
    assert rows["chosen_on"].to_list() == [each.value for each in found.chosen]
    assert (rows["low"] < rows["value"]).all()
    assert (rows["value"] < rows["high"]).all()


def test_loggers_get_the_numbers_on_the_other_items() -> None:
    found = _evaluate_goals()
    logged = found.to_dict()
    assert [*found.frames()] == ["thresholds", "evaluated"]
    assert found.evaluated is not None
    for row in found.evaluated.to_dicts():
        name = re.sub(r"[:=,]", "_", f"{row['goal']}/evaluated/{row['measure']}")
        ends = (logged[name], logged[f"{name}_low"], logged[f"{name}_high"])
        assert ends == (row["value"], row["low"], row["high"])
    exact = found.to_dict(exact=True)
    assert exact["cost:fp=1,fn=20/evaluated/value"] != exact["cost:fp=1,fn=20/value"]
    train = items(1)
    alone = assay.threshold(train["sick"], train["p"], GOALS, positive="yes").to_dict()
    assert not any("evaluated" in name for name in alone)
    assert alone == {name: each for name, each in logged.items() if "evaluated" not in name}


@pytest.mark.parametrize(
    ("goal", "rate"),
    [
        ("recall>=.95", "TNR"),
        ("FPR<=.05", "TPR"),
        ("accuracy", "ACC"),
        ("f", "F"),
        ("youden", "Youden"),
    ],
)
def test_a_goal_that_seeks_a_rate_has_the_interval_of_the_rate(goal: str, rate: str) -> None:
    found = assay.threshold(items(1), goal, truth="sick", score="p", evaluate=items(2))
    assert found.evaluated is not None
    rows = {row["measure"]: row for row in found.evaluated.to_dicts()}
    for column in ("chosen_on", "value", "low", "high"):
        assert rows["value"][column] == rows[rate][column]


def test_costs_as_a_dict() -> None:
    truth, scores = [0, 1, 1, 0, 1], [0.1, 0.2, 0.7, 0.4, 0.9]
    by_dict = assay.threshold(truth, scores, {"fp": 5, "fn": 1})
    assert by_dict.to_dict() == assay.threshold(truth, scores, "cost:fp=5,fn=1").to_dict()
    both = assay.threshold(truth, scores, [{"fp": 5, "fn": 1}, "youden"])
    assert [each.goal for each in both.chosen] == ["cost:fp=5,fn=1", "youden"]
    with pytest.raises(UsageError, match="goals='cost:fp=5,fn=1'"):
        assay.threshold(truth, scores, cost={"fp": 5, "fn": 1})  # type: ignore[call-arg]
