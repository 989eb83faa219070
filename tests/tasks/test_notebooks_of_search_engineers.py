"""What search engineers write in notebooks, and what results give them back."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import UsageError

QUERIES = [f"q{n}" for n in range(1, 13)]
QRELS = {query: {"a": 1, "b": 0} for query in QUERIES}
RUNS = {
    "good": {q: {"a": 2.0, "b": 1.0} for q in QUERIES},
    "bad": {q: {"a": 0.5 if n > 8 else 2.0, "b": 1.0} for n, q in enumerate(QUERIES, 1)},
}
KIND = {q: "tail" if n > 7 else "head" for n, q in enumerate(QUERIES, 1)}


@pytest.fixture(scope="module")
def scores() -> assay.Scores:
    """Return the scores of both runs."""
    return assay.retrieval(QRELS, RUNS, "RR P@1")


def test_a_baseline_may_be_a_place(scores: assay.Scores) -> None:
    """PyTerrier counts systems from 0; 0 was taken for no baseline."""
    assert assay.compare(scores, baseline=0).baselines == ("good",)
    assert assay.compare(scores, baseline=[1]).baselines == ("bad",)
    assert assay.gate(scores, "RR", baseline=1, margin=0.1)
    assert not assay.gate(scores, "RR", baseline=0, margin=0.1)
    for wrong in (2, -1):
        with pytest.raises(UsageError, match=f"baseline '{wrong}' is not among the systems"):
            assay.compare(scores, baseline=wrong)


def test_a_baseline_that_is_a_number_is_a_name_first() -> None:
    """Systems may be called by a number, such as that of their clusters."""
    numbered = assay.retrieval(QRELS, {"1": RUNS["good"], "2": RUNS["bad"]}, "RR")
    assert assay.compare(numbered, baseline=1).baselines == ("1",)
    assert assay.compare(numbered, baseline=0).baselines == ("1",)


@pytest.mark.parametrize("nothing", [None, np.nan, pd.NA])
def test_a_missing_slice_has_no_name_in_every_container(scores: assay.Scores, nothing: Any) -> None:
    kinds = [nothing if n > 7 else "head" for n in range(1, len(QUERIES) + 1)]
    series = pd.Series(kinds, index=QUERIES, name="kind", dtype=object)
    found = assay.compare(scores, by=series, min_size=1).pairs["slice"].unique().to_list()
    assert sorted(found) == ["(no slice)", "all", "kind=head"]
    assert assay.retrieval(QRELS, RUNS, "RR", by=series).slices == ("kind=(none)", "kind=head")


def test_numbers_of_numpy_are_cut_at_quartiles_too() -> None:
    qrels = {f"q{n}": {"a": 1} for n in range(40)}
    plain = {"age": {f"q{n}": n for n in range(40)}}
    numpy = {"age": {f"q{n}": np.int64(n) for n in range(40)}}
    slices = [assay.retrieval(qrels, qrels, "RR", by=by).slices for by in (plain, numpy)]
    assert slices[0] == slices[1]
    assert len(slices[0]) == 4


def test_progress_is_a_choice(capsys: pytest.CaptureFixture[str]) -> None:
    seen: list[str] = []
    found = assay.retrieval(QRELS, RUNS, "RR", progress=seen.append)
    assert seen == ["good", "bad"]
    for quiet in (False, None):
        assert assay.retrieval(QRELS, RUNS, "RR", progress=quiet) == found
    assert assay.compare(found, progress=True).pairs.height == 1
    assert capsys.readouterr() == ("", "")  # work below 1.5 seconds shows no line
    with pytest.raises(UsageError, match="`progress` is 'yes': give False"):
        assay.retrieval(QRELS, RUNS, "RR", progress="yes")


def test_duplicate_documents_of_lists_follow_the_policy() -> None:
    qrels, chunks = {"q1": {"d1"}, "q2": {"d2"}}, {"q1": ["d3", "d1", "d3", "d1"], "q2": []}
    with pytest.raises(assay.AssayError, match=r"d3 for query q1 occurs twice.*duplicates=first"):
        assay.retrieval(qrels, chunks, "RR")
    first = assay.retrieval(qrels, chunks, "RR", duplicates="first")
    assert first.per_query("RR")["value"].to_list() == [0.5, 0.0]
    assert "1 judged query is answered with an empty list" in str(first)
    pairs = {"q1": [("d3", 3.0), ("d1", 2.0), ("d3", 1.0)]}
    last = assay.retrieval({"q1": {"d1"}}, pairs, "RR", duplicates="last")
    assert last["RR"] == {"run": 1.0}
    graded = {"q1": [("d1", 1), ("d1", 1)]}
    with pytest.raises(assay.AssayError, match="judgment of document d1 for query q1 occurs twice"):
        assay.retrieval(graded, {"q1": ["d1"]}, "RR")


def test_missing_scores_of_pandas_follow_their_policy() -> None:
    frame = pd.DataFrame({"qid": ["1", "1", "1"], "docno": list("abc"), "score": [3, math.nan, 1]})
    qrels = {"1": {"b": 1, "c": 1}}
    with pytest.raises(assay.AssayError, match=r"row 2: the score is not.*nan_scores=drop"):
        assay.retrieval(qrels, frame, "RR")
    assert assay.retrieval(qrels, frame, "RR", nan_scores="drop")["RR"] == {"run": 0.5}
    named = pd.concat([frame.assign(run="one"), frame.assign(run="two")])
    both = assay.retrieval(qrels, named, "RR", nan_scores="drop")
    assert both["RR"] == {"one": 0.5, "two": 0.5}


def test_all_systems_are_explained_side_by_side(scores: assay.Scores, tmp_path: Path) -> None:
    """As on the command line."""
    found = assay.explain(scores, "RR", "q9")
    assert [each.value for each in found.systems.values()] == [1.0, 0.5]
    assert math.isnan(found.value)
    assert found.to_polars().rows() == [("good", 1.0, None), ("bad", 0.5, -0.5)]
    assert [*found.frames()] == ["RR", "good", "bad"]
    assert assay.explain(scores, "RR", "q9", system=["bad"]).value == 0.5
    for name, rows in {"qrels": QRELS, **RUNS}.items():
        assay.convert(rows, tmp_path / f"{name}.jsonl", "qrels" if name == "qrels" else "run")
    files = [str(tmp_path / f"{name}.jsonl") for name in ("qrels", *RUNS)]
    shown = call("explain", "retrieval", *files, "-m", "RR", "--query", "q9").out
    assert shown.splitlines()[:6] == str(found).splitlines()[:6]
    assert "bad: RR = 0.5000" in found._repr_html_()
    assert "| good | 1.0000 |  |" in found.to_markdown()
    found.save(tmp_path / "why.json")
    assert assay.load(tmp_path / "why.json") == found


def test_an_explanation_in_a_notebook_begins_with_its_number(scores: assay.Scores) -> None:
    shown = assay.explain(scores, "RR", "q9", system="bad")._repr_html_()
    assert shown.index("bad, query q9: RR = 0.5000") < shown.index("<td>")


def test_gains_and_losses_from_scores(scores: assay.Scores) -> None:
    direct = assay.gain_tables(scores, "P@1", baseline="good")
    assert direct.equals(assay.gain_tables(assay.compare(scores, baseline="good"), "P@1"))
    with pytest.raises(UsageError, match="a comparison has no items: give the scores"):
        assay.explain(assay.compare(scores), "RR", "q9")


def test_tables_of_slices_in_python() -> None:
    sliced = assay.retrieval(QRELS, RUNS, "RR", by={"kind": KIND}, interval=None)
    assert [*sliced.frames()] == ["scores", "per_unit", "largest gaps", "worst slices"]
    sliced = assay.retrieval(QRELS, RUNS, "RR", by={"kind": KIND})
    gaps, worst = (sliced.frames()[name] for name in ("largest gaps", "worst slices"))
    assert gaps.select("system", "lowest", "gap").rows()[0] == (
        "bad",
        "kind=tail",
        pytest.approx(0.4),
    )
    assert gaps.equals(assay.slice_gaps(sliced), null_equal=True)
    assert worst.equals(assay.worst_slices(sliced), null_equal=True)


def test_weights_of_fusion_by_name() -> None:
    one, two = {"q": {"a": 2.0, "b": 1.0}}, {"q": {"b": 4.0, "a": 1.0}}
    runs = {"one": one, "two": two}
    listed = assay.fuse(runs, "CombSUM", normalize="minmax", weights=[3, 1])
    named = assay.fuse(runs, "sum", normalize="min-max", weights={"two": 1, "one": 3})
    assert named.frame.equals(listed.frame)
    assert named.frame["doc"].to_list() == ["a", "b"]
    with pytest.raises(UsageError, match=r"there is no weight of two; 0 leaves a run out"):
        assay.fuse(runs, weights={"one": 1})
    with pytest.raises(UsageError, match=r"there is no run 'tow'.*Did you mean two"):
        assay.fuse(runs, weights={"one": 1, "tow": 1})


def test_texts_on_a_page(scores: assay.Scores, tmp_path: Path) -> None:
    topics = pd.DataFrame({"qid": QUERIES, "query": [f"words of {q}" for q in QUERIES]})
    for number, texts in enumerate((topics, dict(topics.values), topics.set_index("qid")["query"])):
        path = scores.report(tmp_path / f"{number}.html", topics=texts, documents={"a": "apples"})
        page = path.read_text()
        assert "words of q3" in page
        assert "apples" in page
        assert page == (tmp_path / "0.html").read_text()
    with pytest.raises(UsageError, match="texts for a page of rankings"):
        assay.report(assay.regression([1, 2], [1, 2]), tmp_path / "no.html", topics=topics)
    with pytest.raises(assay.AssayError, match="no id or no text among qid, n"):
        scores.report(tmp_path / "no.html", topics=pl.DataFrame({"qid": ["q1"], "n": [1]}))


def test_scores_are_like_a_dict_of_measures(scores: assay.Scores) -> None:
    assert [*scores] == ["RR", "P@1"]
    assert "RR" in scores
    assert pd.DataFrame(dict(scores)).loc["bad", "P@1"] == scores["P@1"]["bad"]


def test_arguments_in_the_wrong_place(scores: assay.Scores) -> None:
    with pytest.raises(UsageError, match=r"digits is 'table.tex': a whole number"):
        scores.to_latex("table.tex")
    assert scores.to_latex(np.int64(3)) == scores.to_latex(3)
    for result in (scores, assay.compare(scores)):
        with pytest.raises(UsageError, match="there is no table 'RR'"):
            result.to_pandas("RR")


def test_frames_of_queries_with_lists() -> None:
    """A row for each query, as retrieval-augmented generation has them."""
    relevant = pd.DataFrame({"qid": [1, 2], "relevant": [["a"], ["b"]]})
    found = pd.DataFrame({"qid": [1, 2], "text": ["x", "y"], "docs": [["a", "c"], ["c", "b"]]})
    expected = assay.retrieval({"1": ["a"], "2": ["b"]}, {"1": ["a", "c"], "2": ["c", "b"]}, "RR")
    arrays = found.assign(docs=found["docs"].map(np.asarray))
    for run in (found, arrays, pl.DataFrame(found)):
        assert assay.retrieval(relevant, run, "RR")["RR"] == expected["RR"] == {"run": 0.75}
    both = assay.retrieval(pl.DataFrame(relevant), {"one": found, "two": arrays}, "RR")
    assert both["RR"] == {"one": 0.75, "two": 0.75}


def test_runs_are_saved_and_converted(tmp_path: Path) -> None:
    fused = assay.fuse(list(RUNS.values()))
    for name in ("fused.run", "fused.jsonl", "fused.parquet"):
        fused.save(tmp_path / name)
        again = assay.retrieval(QRELS, tmp_path / name, "RR nDCG")
        assert [*again["nDCG"].values()] == [
            *assay.retrieval(QRELS, fused, "nDCG")["nDCG"].values()
        ]
    frame = pd.DataFrame({"qid": ["1"], "docno": ["a"], "label": [2]})
    assay.convert(frame, tmp_path / "qrels.txt")
    assert (tmp_path / "qrels.txt").read_text() == "1 0 a 2\n"
    with pytest.raises(UsageError, match="kind='run' or kind='qrels'"):
        assay.convert(QRELS, tmp_path / "what.run")


def test_names_of_other_libraries_for_arguments() -> None:
    """Also of functions that take policies beside their arguments."""
    expected = assay.retrieval(QRELS, RUNS, "RR")
    evaluate: Any = assay.retrieval
    assert evaluate(QRELS, run=RUNS, metrics="RR") == expected
    assert evaluate(qrels=QRELS, runs=RUNS, metric="RR") == expected
    topics = pd.DataFrame({"qid": QUERIES, "kind": [*KIND.values()]})
    assert evaluate(QRELS, RUNS, "RR", by="kind", topics=topics).slices
    users = topics.rename(columns={"qid": "user"})
    assert assay.retrieval(QRELS, RUNS, "RR", by=users).slices == ("kind=head", "kind=tail")
    with pytest.raises(UsageError, match="is another name of `measures`, which is given too"):
        evaluate(QRELS, RUNS, "RR", metrics="AP")
    frame = pd.concat(
        pd.DataFrame([(q, d, s) for q, docs in run.items() for d, s in docs.items()])
        .set_axis(["qid", "docno", "score"], axis=1)
        .assign(model=name)
        for name, run in RUNS.items()
    )
    assert assay.retrieval(QRELS, frame, "RR")["RR"] == expected["RR"]
    with pytest.raises(UsageError, match="runs by name; the judgments come first"):
        assay.retrieval({"good": frame}, QRELS, "RR")


def test_slices_have_the_same_names_everywhere(tmp_path: Path) -> None:
    """They were kind=tail in scores, and tail in comparisons and gates; numbers are quarters."""
    many = [f"q{n}" for n in range(1, 41)]
    qrels = {query: {"a": 1} for query in many}
    runs = {"one": {q: ["b", "a"] for q in many}, "two": {q: ["a"] for q in many}}
    scores = assay.retrieval(qrels, runs, "RR")
    kinds = ["tail" if n > 30 else "head" for n in range(40)]
    topics = pd.DataFrame({"qid": many, "age": range(20, 60), "kind": kinds})
    quarters = ("age=20 to 29", "age=30 to 39", "age=40 to 49", "age=50 to 59")
    for by, expected in (("age", quarters), ("kind", ("kind=head", "kind=tail"))):
        assert assay.retrieval(qrels, runs, "RR", by=by, units=topics).slices == expected
        compared = assay.compare(scores, baseline="one", by=by, units=topics).pairs["slice"]
        assert tuple(compared.unique(maintain_order=True))[1:] == expected
        checked = assay.gate(scores, baseline="one", margin=0.1, by=by, units=topics).checks
        assert {each.slice for each in checked} == {"all", *expected}
    named = assay.compare(scores, by={"kind": dict(zip(many, kinds, strict=True))})
    assert named.pairs["slice"].to_list() == ["all", "kind=head", "kind=tail"]
    plain = assay.compare(scores, by=dict(zip(many, kinds, strict=True)))
    assert plain.pairs["slice"].to_list() == ["all", "head", "tail"]
    topics.to_csv(tmp_path / "topics.csv", index=False)
    scores.save(tmp_path / "scores.parquet")
    files = [str(tmp_path / "scores.parquet"), "--units", str(tmp_path / "topics.csv")]
    assert "age=20 to 29" in call("compare", *files, "--by", "age").out
    with pytest.raises(UsageError, match=r"judged are q1, q2, q3.*slices are given of 0, 1"):
        assay.retrieval(qrels, runs, "RR", by=topics["kind"])


def test_one_system_is_checked_against_its_own_earlier_scores(
    scores: assay.Scores, tmp_path: Path
) -> None:
    """The saved baseline has more systems than the new run."""
    scores.save(tmp_path / "main.parquet")
    same = assay.retrieval(QRELS, {"bad": RUNS["bad"]}, "RR")
    found = assay.gate(same, baseline=tmp_path / "main.parquet", margin=0.01)
    assert found
    assert found.conventions["baseline"] == "bad (baseline)"
    better = assay.retrieval(QRELS, {"bad": RUNS["good"]}, "RR")
    assert assay.gate(better, baseline=tmp_path / "main.parquet", margin=0.0)
    worse = assay.retrieval(QRELS, {"good": RUNS["bad"]}, "RR")
    assert not assay.gate(worse, baseline=tmp_path / "main.parquet", margin=0.01)
    both = assay.gate(scores, baseline=tmp_path / "main.parquet", margin=0.01)
    assert both.conventions["baseline"] == {"good": "good (baseline)", "bad": "bad (baseline)"}
    assert both
    swapped = assay.retrieval(QRELS, {"bad": RUNS["good"], "good": RUNS["bad"]}, "RR")
    found = assay.gate(swapped, baseline=tmp_path / "main.parquet", margin=0.01)
    assert {each.system: each.holds for each in found.checks} == {"bad": True, "good": False}
    new = assay.retrieval(QRELS, {"new": RUNS["good"]}, "RR")
    for wrong in (new, assay.retrieval(QRELS, {"new": RUNS["good"], "bad": RUNS["bad"]}, "RR")):
        with pytest.raises(UsageError, match=r"the scores of 2 systems \(good, bad\)"):
            assay.gate(wrong, baseline=tmp_path / "main.parquet", margin=0.01)


def test_scores_say_what_unjudged_documents_and_ties_do(scores: assay.Scores) -> None:
    assert assay.holes(scores) == assay.holes(QRELS, RUNS, "RR P@1")
    assert assay.ties(scores, measures="RR") == assay.ties(QRELS, RUNS, "RR")
    with pytest.raises(UsageError, match=r"have their own depth"):
        assay.holes(scores, depth=5)
    with pytest.raises(UsageError, match="give judgments and runs"):
        assay.holes(QRELS)


def test_pairs_of_preferences_are_known_by_their_columns() -> None:
    pairs = {"qid": ["1", "1"], "first": list("ab"), "second": list("bc"), "preferred": list("ac")}
    run = {"1": ["a", "b", "c"]}
    frame = pd.DataFrame(pairs)
    expected = assay.preferences(frame.rename(columns={"qid": "query"}), run, form="pairs")
    assert assay.preferences(frame, run)["prefs_simp"] == expected["prefs_simp"] == {"run": 0.5}


def test_few_digits_of_intervals(scores: assay.Scores) -> None:
    for low, high in ((each.low, each.high) for each in scores.of("RR") if each.system == "bad"):
        assert f"[{low:.2f}, {high:.2f}]".replace("0.", ".") in scores.to_markdown(digits=2)


def test_arguments_of_other_libraries_are_explained(scores: assay.Scores) -> None:
    """PyTerrier has names, ranx max_p, and both compare judgments and runs directly."""
    evaluate: Any = assay.retrieval
    compare: Any = assay.compare
    with pytest.raises(UsageError, match=r"argument \'names\'.*Runs are named by a dict, such as"):
        evaluate(QRELS, list(RUNS.values()), "RR", names=["good", "bad"])
    for name in ("alpha", "max_p"):
        with pytest.raises(UsageError, match=r"The level is that of `interval`: interval=0\.99"):
            compare(scores, **{name: 0.01})
    with pytest.raises(UsageError, match=r"what assay\.retrieval\(qrels, runs, measures\) returns"):
        compare(QRELS, RUNS, ["RR"])


def test_a_pattern_names_several_files(tmp_path: Path) -> None:
    for name, rows in RUNS.items():
        assay.convert(rows, tmp_path / f"{name}.jsonl", "run")
    found = assay.retrieval(QRELS, str(tmp_path / "*.jsonl"), "RR")
    assert found["RR"] == assay.retrieval(QRELS, dict(sorted(RUNS.items())), "RR")["RR"]
    with pytest.raises(assay.AssayError, match="no such file"):
        assay.retrieval(QRELS, str(tmp_path / "*.run"), "RR")
