"""The reports on holes and ties, through the library and the command line."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from click.testing import CliRunner

import assay
from assay.cli.application import application
from assay.core.errors import NeedsInput
from assay.tasks.retrieval.holes import holes
from assay.tasks.retrieval.ties import ties

QRELS = {"1": {f"d{n}": n % 2 for n in range(12)}, "2": {f"d{n}": 1 for n in range(12)}}
JUDGED = {query: {f"d{n}": 20.0 - n for n in range(12)} for query in QRELS}
HALF = {query: {f"{'d' if n % 2 else 'x'}{n}": 20.0 - n for n in range(12)} for query in QRELS}


def test_values_and_bounds_side_by_side() -> None:
    report = holes(QRELS, {"half": HALF}, "P@10 AP")
    shares = report.judged.row(0, named=True)
    assert shares["judged@10"] == pytest.approx(0.5)
    precision = report.measures.row(0, named=True)
    assert precision["value"] == precision["low"] == pytest.approx(0.5)
    assert precision["high"] == pytest.approx(1.0)
    assert precision["bounds"] == "exact"
    assert precision["condensed"] == pytest.approx(0.6)
    assert report.per_query.height == 4


def test_negative_grades_are_no_holes() -> None:
    qrels, run = {"1": {"a": 1, "b": -2}}, {"1": {"b": 3.0, "a": 2.0, "x": 1.0}}
    report = holes(qrels, run, "P@2 bpref")
    assert report.judged.row(0, named=True)["judged@5"] == pytest.approx(2 / 3)
    precision = report.measures.row(0, named=True)
    assert (precision["low"], precision["value"], precision["high"]) == (0.5, 0.5, 0.5)
    pooled = holes(qrels, run, "P@2 bpref", policies={"negative_grades": "unjudged"})
    assert pooled.judged.row(0, named=True)["judged@5"] == pytest.approx(1 / 3)
    assert pooled.measures.row(0, named=True)["high"] == 1.0
    # bpref tells pooled from judged documents whatever the policy says.
    scores = assay.retrieval(qrels, run, "bpref", interval=None)
    for found in (report, pooled):
        assert found.measures.row(1, named=True)["value"] == scores.results[0].value


def test_runs_that_differ_in_judging_are_warned_of() -> None:
    report = holes(QRELS, {"full": JUDGED, "half": HALF}, "P@10")
    assert "100% are judged for full and 50% for half" in report.notes[0]
    assert not any("Judge the missing" in note for note in holes(QRELS, JUDGED, "P@10").notes)


def test_sparse_judgments_are_told() -> None:
    report = holes({"1": {"a": 1}}, {"1": {"b": 2.0, "a": 1.0}}, "RR@10")
    assert report.notes[-1].startswith("sparse judgments (1.0 a query)")


def test_ties_are_counted_and_weighed() -> None:
    run = {"1": {"a": 1.0, "b": 1.0, "c": 0.5}}
    report = ties({"1": {"a": 1}}, run, "RR P@1")
    assert report.ties.row(0, named=True)["tied"] == 2
    row = report.measures.row(0, named=True)
    assert (row["value"], row["expected"], row["lowest"], row["highest"]) == (0.5, 0.75, 0.5, 1.0)
    assert row["found"] == "exactly"


@pytest.mark.parametrize("command", ["holes", "ties"])
@pytest.mark.parametrize("form", ["table", "json", "csv", "markdown"])
def test_the_commands_show_tables(tmp_path: Path, command: str, form: str) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2 x\n1 Q0 c 2 2 x\n")
    arguments = [command, str(tmp_path / "qrels"), str(tmp_path / "run"), "-m", "P@2", "--format"]
    shown = CliRunner().invoke(application, [*arguments, form])
    assert shown.exit_code == 0, shown.output
    if form == "json":
        assert json.loads(shown.stdout)["measures"][0]["measure"] == "P@2"
    else:
        assert "P@2" in shown.stdout


@pytest.mark.parametrize("profile", ["assay", "trec_eval-10"])
def test_values_are_those_of_the_evaluation(profile: str) -> None:
    qrels = QRELS | {"3": {"d1": 0}}
    run = HALF | {"3": {"d1": 1.0, "x": 2.0}}
    names = ["AP", "nDCG@10", "P@5"]
    scores = assay.retrieval(qrels, run, names, profile=profile, interval=None)
    expected = [each.value for each in scores.results]
    report = holes(qrels, run, names, profile=profile)
    assert report.measures["value"].to_list() == pytest.approx(expected)
    assert ties(qrels, run, names, profile=profile).measures["value"].to_list() == pytest.approx(
        expected
    )
    assert (report.measures["low"] <= report.measures["value"] + 1e-12).all()


def test_measures_of_other_evidence_are_refused() -> None:
    with pytest.raises(NeedsInput, match="which are not supported here"):
        holes(QRELS, HALF, "alpha_nDCG@5")


def test_a_micro_average_has_bounds_and_ties() -> None:
    name = "R(average=micro)@5"
    value = assay.retrieval(QRELS, HALF, name, interval=None).results[0].value
    row = holes(QRELS, HALF, name).measures.row(0, named=True)
    assert row["low"] <= row["value"] == value <= row["high"]
    assert row["bounds"] == "outer"
    full = holes(QRELS, JUDGED, name).measures.row(0, named=True)
    assert full["low"] == full["value"] == full["high"]
    tied = {"1": {"d0": 1.0, "d1": 1.0}, "2": {"d0": 1.0}}
    row = ties(QRELS, tied, "R(average=micro)@1").measures.row(0, named=True)
    # Query 1 knows 6 relevant documents, of which d1 is one; query 2 knows 12.
    assert row["expected"] == pytest.approx(1.5 / 18)
    assert (row["lowest"], row["highest"]) == pytest.approx((1 / 18, 2 / 18))


def test_policies_reach_bounds_ties_and_queries_alike() -> None:
    grades = QRELS | {"3": {"d0": 0}}
    run = JUDGED | {"3": {"d0": 1.0, "x": 1.0}}
    for conventions, value, low in (("assay", None, 1.0), ("trec_eval-10", 0.0, 0.0)):
        report = holes(grades, run, "AP", profile=conventions)
        own = report.per_query.fill_nan(None).filter(query="3").row(0, named=True)
        # The only unjudged document stands first: with it the query is perfect.
        assert (own["value"], own["low"], own["high"]) == (value, low, 1.0)
        row = report.measures.row(0, named=True)
        assert row["low"] == pytest.approx(row["value"])
        expected = ties(grades, run, "AP", profile=conventions).measures.row(0, named=True)
        assert expected["expected"] == pytest.approx(row["value"])


OPEN_QRELS = {"1": {"a": 1}, "2": {"n": 0}, "3": {"n": 0}}
OPEN_RUN = {
    "1": {"a": 2.0, "u": 1.0},
    "2": {"n": 3.0, "x": 2.0, "y": 1.0},
    "3": {"v": 2.0, "n": 1.0},
}
UNJUDGED = [("1", "u"), ("2", "x"), ("2", "y"), ("3", "v")]


@pytest.mark.parametrize("profile", ["assay", "trec_eval-9"])
@pytest.mark.parametrize("name", ["AP", "RR", "R@2", "Rprec", "bpref", "infAP", "F@3", "GMAP"])
def test_queries_without_a_known_relevant_document_are_bounded(name: str, profile: str) -> None:
    values = []
    for chosen in product((0, 1), repeat=len(UNJUDGED)):
        truth = {query: dict(known) for query, known in OPEN_QRELS.items()}
        for (query, document), grade in zip(UNJUDGED, chosen, strict=True):
            truth[query][document] = grade
        scores = assay.retrieval(truth, OPEN_RUN, name, profile=profile, interval=None)
        values.append(scores.results[0].value)
    report = holes(OPEN_QRELS, OPEN_RUN, name, profile=profile)
    row = report.measures.row(0, named=True)
    # infAP smooths unjudged documents, so that its value now is none of the judged ones.
    extremes = min(*values, row["value"]), max(*values, row["value"])
    assert (row["low"], row["high"]) == pytest.approx(extremes)
    assert any("no relevant document is known" in note and "(2)" in note for note in report.notes)


def test_the_bounds_of_an_undefined_query_count_where_they_matter() -> None:
    grades, run = {"1": {"a": 1}, "2": {"n": 0}}, {"1": {"a": 1.0}, "2": {"x": 2.0, "y": 1.0}}
    row = holes(grades, run, "AP").measures.row(0, named=True)
    # y alone relevant gives query 2 an AP of 1/2, and the mean 3/4.
    assert (row["value"], row["low"], row["high"]) == pytest.approx((1.0, 0.75, 1.0))
    assert row["bounds"] == "exact"
    row = holes(grades, run, "AP", profile="trec_eval-9").measures.row(0, named=True)
    assert (row["value"], row["low"], row["high"]) == pytest.approx((0.5, 0.5, 1.0))


def test_ties_of_condensed_lists_are_gone_through() -> None:
    grades, run = {"1": {"a": 1, "b": 0}}, {"1": {"a": 1.0, "b": 1.0, "x": 1.0}}
    row = ties(grades, run, "AP(judged_only=true)").measures.row(0, named=True)
    assert (row["expected"], row["lowest"], row["highest"]) == pytest.approx((0.75, 0.5, 1.0))
    assert row["found"] == "exactly"


LOST_QRELS = {
    "1": {"b": 2, "d": 0, "u": 2, "v": 0},
    "2": {"b": 1, "c": 1, "u": 2, "v": 0},
    "3": {"x": 2, "y": 1, "w": 0},
    "4": {"u": 0, "v": 0},
}
LOST_RUN = {
    "1": {"a": 9.0, "b": 8.0, "c": 7.0, "d": 6.0},
    "2": {"a": 9.0, "b": 8.0, "c": 7.0},
    "3": {"y": 1.0, "w": 0.5},
    "4": {"a": 1.0},
}
LOST = [("1", "a"), ("1", "c"), ("2", "a"), ("4", "a")]


@pytest.mark.parametrize("policies", [{}, {"no_relevant": "zero"}])
@pytest.mark.parametrize(
    "name",
    [
        *("PairAccuracy", "PairAccuracy@2", "AP", "nDCG", "RR"),
        *("PairAccuracy(undefined=0.25)", "PairAccuracy(undefined=1)"),
    ],
)
def test_the_bounds_of_a_summary_contain_that_of_every_assignment(
    name: str, policies: dict[str, str]
) -> None:
    values = []
    for chosen in product((0, 1, 2), repeat=len(LOST)):
        truth = {query: dict(known) for query, known in LOST_QRELS.items()}
        for (query, document), grade in zip(LOST, chosen, strict=True):
            truth[query][document] = grade
        scores = assay.retrieval(truth, LOST_RUN, name, policies=policies, interval=None)
        values.append(scores.results[0].value)
    row = holes(LOST_QRELS, LOST_RUN, name, policies=policies).measures.row(0, named=True)
    assert row["low"] <= min(values) + 1e-12
    assert row["high"] >= max(values) - 1e-12
    assert row["bounds"] == "exact" or policies
    if row["bounds"] == "exact":
        assert (row["low"], row["high"]) == pytest.approx((min(values), max(values)))
