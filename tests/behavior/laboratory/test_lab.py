"""Designs are balanced, SUS is scored, and bad trials are refused with their line."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.behavior.laboratory.simulated_trials import simulate_trials
from tests.cli.terminal import call

import assay
from assay.behavior.laboratory.squares import latin_square, williams_design
from assay.core.errors import UsageError


@given(st.integers(2, 12))
def test_latin_squares_have_each_system_once_in_each_place(size: int) -> None:
    for places in (*latin_square(size), *zip(*latin_square(size), strict=True)):
        assert sorted(places) == list(range(size))


@given(st.integers(2, 12))
def test_williams_designs_balance_places_and_successors(size: int) -> None:
    rows = williams_design(size)
    times = len(rows) // size
    assert times == (1 if size % 2 == 0 else 2)
    for place in zip(*rows, strict=True):
        assert Counter(place) == dict.fromkeys(range(size), times)
    after = Counter(pair for row in rows for pair in pairwise(row))
    assert set(after.values()) == {times}
    assert len(after) == size * (size - 1)


@given(st.integers(2, 6), st.integers(1, 3), st.integers(1, 3), st.integers(0, 99))
def test_plans_are_balanced(systems: int, per_system: int, cycles: int, seed: int) -> None:
    people = cycles * len(williams_design(systems))
    plan = assay.lab.design(systems, systems * per_system, people, seed=seed)
    assert plan.balance["balanced"].all(), plan.balance
    for _, own in plan.plan.group_by("participant"):
        assert own["task"].n_unique() == own.height == systems * per_system
        assert own["order"].sort().to_list() == list(range(1, own.height + 1))
        assert set(Counter(own["system"]).values()) == {per_system}
    assert plan.notes == ()


def test_an_unbalanced_number_of_participants_is_noted() -> None:
    plan = assay.lab.design(4, 8, 10)
    assert not plan.balance["balanced"].all()
    assert "use 12" in plan.notes[0]
    with pytest.raises(UsageError, match="multiple of the number of systems"):
        assay.lab.design(3, 8, 6)
    with pytest.raises(UsageError, match="an empty name"):
        assay.lab.design(["a", ""], 2, 2)
    with pytest.raises(UsageError, match="'a' twice"):
        assay.lab.design(["a", "a"], 2, 2)


BEST = [5, 1] * 5


def answers(*rows: list[int]) -> dict:
    data = {
        "participant": [n // 2 for n in range(len(rows))],
        "system": ["a", "b"] * (len(rows) // 2),
    }
    return data | {f"q{item + 1}": [row[item] for row in rows] for item in range(10)}


def test_sus_by_hand() -> None:
    known = [4, 2, 5, 1, 4, 2, 4, 2, 5, 3]  # (3+4+3+3+4) + (3+4+3+3+2) = 32, times 2.5
    found = assay.lab.analyze(
        answers(BEST, BEST[::-1], known, [3] * 10, known, BEST), sus="q*", method="paired"
    )
    means = dict(found.systems.select("system", "mean").iter_rows())
    assert means["a"] == pytest.approx((100 + 80 + 80) / 3)
    assert means["b"] == pytest.approx((0 + 50 + 100) / 3)


HEAD = "participant,system,task,order,seconds\n"
PAIRS = (("a", "x"), ("b", "y"))
ROWS = [f"{p},{s},{t},{n},{10 + p}\n" for p in (1, 2, 3) for n, (s, t) in enumerate(PAIRS, 1)]
BAD = {
    "1,a,,3,12\n": "trials.csv:8: there is no task of participant '1'",
    ",a,x,3,12\n": "trials.csv:8: there is no participant",
    "4,,x,3,12\n": "trials.csv:8: there is no system of participant '4'",
    "4,a,x,3,soon\n": "trials.csv:8: the seconds 'soon' is not a number",
    "4,a,x,3,inf\n": "trials.csv:8: the seconds is infinite; write a finite number",
    "4,a,x,3,\n": "trials.csv:8: there is no seconds",
    "4,a,x,-1,12\n": "trials.csv:8: the order -1 is not a place; trials are counted 1, 2, 3",
    "4,a,x,1.5,12\n": "trials.csv:8: the order 1.5 is not a place",
    "1,b,x,1,12\n": "trials.csv:8: participant '1' has 'b' and 'a' in place 1; number the trials",
    "1,a,x,3,12\n": "trials.csv:8: the trial of participant '1', system 'a', task 'x' occurs twice",
}


@pytest.mark.parametrize("line", BAD)
def test_bad_trials_are_refused(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("trials.csv").write_text(HEAD + "".join(ROWS) + line)
    done = call("lab", "analyze", "trials.csv", "-m", "seconds")
    assert done.code == 1
    assert BAD[line] in done.err


def test_bad_answers_and_logs_are_refused() -> None:
    from assay.core.errors import DataError

    with pytest.raises(DataError, match="row 2: the answer q3 is 7"):
        assay.lab.analyze(answers(BEST, [1, 1, 7] + [1] * 7, BEST, BEST), sus="q*")
    with pytest.raises(UsageError, match="SUS has 10 items"):
        assay.lab.analyze(answers(BEST, BEST, BEST, BEST), sus="q1,q2")
    data = {"participant": [1, 1, 2, 2], "system": list("abab"), "s": [1, 0, 2, 3]}
    with pytest.raises(DataError, match="a log scale needs numbers above 0"):
        assay.lab.analyze(data, log="s")


def test_from_a_plan_to_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    options = ("--systems", "old,new", "--tasks", "4", "--participants", "8")
    done = call("lab", "design", *options, "-o", "plan.csv", "--page", "plan.html")
    assert done.code == 0, done.err
    assert Path("plan.html").read_text().count("Participant P") >= 8
    shown = call("lab", "design", *options).out
    assert "system after system" in shown
    plan = pl.read_csv("plan.csv")
    trials = simulate_trials(np.random.default_rng(3), plan, {"new": 2.0})
    trials = trials.with_columns(seconds=pl.col("y").exp())
    trials.write_csv("trials.csv")
    analyze = ("lab", "analyze", "trials.csv", "-m", "y", "--log", "seconds", "--plan", "plan.csv")
    done = call(*analyze, "--page", "lab.html")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "y: old is below new" in said
    assert "outcome ~ system + order + (1|participant) + (1|task)" in said
    assert "Where the variance comes from" in Path("lab.html").read_text()
    trials.head(-1).write_csv("trials.csv")
    done = call(*analyze)
    assert "1 planned trial without a result, such as participant" in done.err
    assert "1 participant with fewer than 4 trials" in done.err


def test_negative_times_and_odd_orders_are_noted() -> None:
    data = {
        "participant": [1, 1, 2, 2],
        "system": list("abab"),
        "task": list("xyxy"),
        "order": [1, 1, 1, 2],
        "seconds": [10, -3, 12, 9],
    }
    said = assay.lab.analyze(data, "seconds").warnings
    assert "the trials, row 2: 1 value of seconds below 0, the first -3, used as given" in said[0]
    assert "row 2: participant '1' has 'b' and 'a' in place 1, in different tasks" in said[1]
    data |= {"seconds": [10, 3, 12, 9], "order": [2, 1, 1, 2]}
    plan = {name: data[name] for name in ("participant", "system", "task")}
    plan["order"] = [1, 2, 1, 2]
    moved = assay.lab.analyze(data, "seconds", plan=plan).warnings
    assert moved == (
        "2 trials in another place than planned, such as participant '1', system 'b', task 'y':"
        " place 1, planned 2",
    )
