"""Gates: what holds, what fails, and by how much."""

from __future__ import annotations

import json
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
import scipy.stats
from tests.statistics.table_of_scores import drawn

import assay
from assay.core.errors import DataError, UsageError
from assay.reports.text.result_text import Layout, write
from assay.tasks.gates.gate import parse_limits

RANDOM = np.random.default_rng(5)
MAIN = RANDOM.beta(2, 2, 50)
NEW = np.clip(MAIN + RANDOM.normal(0.0, 0.05, 50), 0, 1)


def test_a_margin_is_kept_with_confidence_or_not() -> None:
    scores = drawn({"main": MAIN, "new": NEW})
    test = scipy.stats.ttest_rel(NEW, MAIN, alternative="greater")
    bound = test.confidence_interval(0.95).low
    found = assay.gate(scores, baseline="main", margin=-bound + 1e-6)
    assert found.holds
    assert found.checks[0].found == pytest.approx(bound, rel=1e-9)
    assert not assay.gate(scores, baseline="main", margin=-bound - 1e-6).holds


def test_the_burden_of_proof_can_be_turned_round() -> None:
    worse = drawn({"main": MAIN, "new": MAIN - 0.1 + RANDOM.normal(0, 0.01, 50)})
    unsure = drawn({"main": MAIN, "new": MAIN - 0.01 + RANDOM.normal(0, 0.2, 50)})
    assert not assay.gate(worse, baseline="main", margin=0.05, prove="worse").holds
    assert assay.gate(unsure, baseline="main", margin=0.02, prove="worse").holds
    assert not assay.gate(unsure, baseline="main", margin=0.02).holds


def test_an_identical_system_passes_any_margin() -> None:
    scores = drawn({"main": MAIN, "new": MAIN})
    assert assay.gate(scores, baseline="main", margin=0.0).holds


def test_lower_is_better() -> None:
    scores = drawn({"main": MAIN, "new": MAIN + 0.1}, "MSE", "lower")
    assert not assay.gate(scores, baseline="main", margin=0.05).holds
    assert assay.gate(scores, floor=1.0).holds
    assert not assay.gate(scores, floor=0.1).holds


def test_floors_and_worst_units() -> None:
    scores = drawn({"new": [0.5, 0.9, 0.1]})
    assert assay.gate(scores, floor={"map": 0.5}).holds
    failed = assay.gate(scores, floor=0.6, worst=0.2).failed
    assert [check.rule for check in failed] == ["floor", "worst unit"]
    assert "query q003 has 0.1000" in failed[1].said
    pair = drawn({"main": [0.5, 0.9, 0.4], "new": [0.6, 0.9, 0.1]})
    found = assay.gate(pair, baseline="main", worst_loss=0.2)
    assert "q003 changes by -0.3000" in found.failed[0].said
    assert assay.gate(pair, baseline="main", worst_loss=0.3).holds


def test_a_gate_that_is_required_raises_what_failed() -> None:
    scores = drawn({"new": [0.5, 0.9, 0.1]})
    found = assay.gate(scores, floor=0.4)
    assert found.require() is found
    found = assay.gate(scores, floor={"map": 0.4}, worst=0.2)
    with pytest.raises(assay.GateFailed) as failure:
        found.require()
    first, *others = str(failure.value).split("\n")
    assert first == "The gate does not hold: 1 of 2 checks failed."
    assert others == [f"worst unit, AP of new: {found.failed[0].said}"]
    sliced = assay.gate(scores, floor=0.6, by={"q001": "odd", "q002": "even", "q003": "odd"})
    with pytest.raises(assay.GateFailed, match=r"floor, AP of new on odd: mean 0\.3000"):
        sliced.require()


def test_a_floor_needs_no_units() -> None:
    scores = assay.classification(
        {"truth": list("aabb"), "predicted": list("abbb")}, "ACC MCC", predicted="predicted"
    )
    found = assay.gate(scores, floor={"ACC": 0.8})
    assert (found.holds, found.checks[0].found) == (False, 0.75)
    with pytest.raises(DataError, match="one number for a whole set"):
        assay.gate(scores, "MCC", worst=0.1)


def test_weights_and_floors() -> None:
    scores = drawn({"new": [0.5, 1.0]})
    weights = {"q001": 3.0, "q002": 1.0}
    assert assay.gate(scores, floor=0.7).holds
    assert assay.gate(scores, floor=0.7, weights=weights).failed[0].found == 0.625


def test_slices_are_gates_of_their_own() -> None:
    slices = {f"q{n:03}": "head" if n <= 25 else "tail" for n in range(1, 51)}
    new = np.where(np.arange(50) < 25, MAIN + 0.3, MAIN - 0.1)
    scores = drawn({"main": MAIN, "new": new})
    found = assay.gate(scores, baseline="main", margin=0.01, by=slices)
    assert [(check.slice, check.holds) for check in found.checks] == [
        ("all", True),
        ("head", True),
        ("tail", False),
    ]


@pytest.mark.parametrize("measured", [False, True])
def test_a_gate_says_that_every_slice_is_left_out(measured: bool) -> None:
    kinds = {"q1": "head", "q2": "tail", "q3": "tail"}
    judged, runs = {each: {"d": 1} for each in kinds}, {"new": {each: ["d"] for each in kinds}}
    if measured:
        scores, by = assay.retrieval(judged, runs, "RR", by=kinds), None
    else:
        scores, by = assay.retrieval(judged, runs, "RR"), kinds
    found = assay.gate(scores, floor=0.5, by=by, min_size=4)
    head, tail = ("slice=head", "slice=tail") if measured else ("head", "tail")
    note = f"every slice is left out, with fewer than 4 units: {head} (1), {tail} (2)"
    assert found.verdict == "The gate holds: 1 check, none of a slice."
    for form in ("table", "markdown", "latex", "html", "junit", "json"):
        assert note in write(found, form, Layout()), form
    suite = ElementTree.fromstring(found.to_junit())[0]
    assert (suite.get("tests"), suite.get("skipped")) == ("2", "1")
    assert suite[-1][0].tag == "skipped"
    some = assay.gate(scores, floor=0.5, by=by, min_size=2)
    assert f"slices left out, with fewer than 2 units: {head} (1)" in repr(some)
    assert some.verdict == "The gate holds: 2 checks."


def test_too_little_to_show_anything_fails_in_words() -> None:
    found = assay.gate(drawn({"main": [0.5], "new": [0.6]}), baseline="main", margin=0.1)
    assert not found.holds
    assert "too few" in found.checks[0].said


def test_gates_without_a_condition_are_refused() -> None:
    scores = drawn({"main": MAIN, "new": NEW})
    with pytest.raises(UsageError, match="needs a margin"):
        assay.gate(scores, baseline="main")
    with pytest.raises(UsageError, match="needs a condition"):
        assay.gate(scores)
    with pytest.raises(UsageError, match="name one"):
        assay.gate(scores, margin=0.1)
    with pytest.raises(UsageError, match="are the same, main"):
        assay.gate(drawn({"main": MAIN}), baseline="main", margin=0.1)
    with pytest.raises(UsageError, match="kept or worse"):
        assay.gate(scores, floor=0.1, prove="both")


@pytest.mark.parametrize("rule", ["floor", "margin", "worst", "worst_loss"])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_a_limit_is_a_finite_number(rule: str, value: float) -> None:
    scores = drawn({"main": MAIN, "new": NEW})
    options = {"baseline": "main", "margin": 0.1} | {rule: value}
    with pytest.raises(UsageError, match=f"`{rule}` is {value}, but a finite number is expected"):
        assay.gate(scores, **options)


def test_floors_as_they_are_written() -> None:
    assert parse_limits(["0.3"], "floor") == 0.3
    assert parse_limits(["nDCG@10=0.3", "AP(rel=2)=0.2"], "floor") == {
        "nDCG@10": 0.3,
        "AP(rel=2)": 0.2,
    }
    assert parse_limits([], "floor") is None
    with pytest.raises(UsageError, match=r"not 'AP>0\.3'"):
        parse_limits(["AP>0.3"], "floor")
    with pytest.raises(UsageError, match="not both"):
        parse_limits(["0.3", "AP=0.2"], "floor")


def test_reports_say_the_same() -> None:
    found = assay.gate(drawn({"main": MAIN, "new <1>": NEW}), floor=0.9)
    root = ElementTree.fromstring(write(found, "junit", Layout()))
    suite = root.find("testsuite")
    assert suite is not None
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    assert [case.get("classname") for case in suite] == ["assay.main", "assay.new <1>"]
    assert suite[0][0].tag == "failure"
    content = json.loads(found.to_json())
    assert content["holds"] is False
    assert content["checks"][0]["limit"] == 0.9
    assert write(found, "markdown", Layout()).startswith(
        "### The gate does not hold: 2 of 2 checks failed."
    )


def test_a_gate_says_what_it_pairs() -> None:
    scores = drawn({"main": [0.5, 0.9, 0.4], "new": [0.6, 0.9, 0.5]}, "GMAP")
    summed = replace(
        scores, results=tuple(replace(r, aggregate="geometric") for r in scores.results)
    )
    found = assay.gate(summed, baseline="main", margin=0.1)
    assert "GMAP is summarized by geometric; compared is the mean of its units" in found.warnings
