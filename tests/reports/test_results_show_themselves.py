"""Results in notebooks: tables with their figure, plots, pages, other formats; equality."""

from __future__ import annotations

import hashlib
import json
import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay

DRAW = np.random.default_rng(3)
TRUE = DRAW.integers(0, 2, 80)
SCORES = np.clip(TRUE * 0.3 + DRAW.random(80) * 0.7, 0, 1)
OTHERS = DRAW.random(80)
QRELS = {"q1": {"a": 1}, "q2": {"c": 1, "d": 1}, "q3": {"e": 2}}
RUN = {"q1": {"a": 1.0, "b": 0.5}, "q2": {"x": 2.0, "c": 1.0}, "q3": {"f": 2.0, "e": 1.0}}
WORSE = {"q1": {"b": 1.0, "a": 0.5}, "q2": {"x": 2.0, "c": 1.0}, "q3": {"f": 2.0, "e": 1.0}}


KINDS = {"q1": "a", "q2": "a", "q3": "b"}
VISITS = {
    "user": list(range(80)),
    "arm": ["old", "new"] * 40,
    "queries": DRAW.integers(1, 5, 80),
    "clicks": DRAW.integers(0, 4, 80),
}
TRIALS = assay.lab.design(["old", "new"], 4, 8).plan.with_columns(
    seconds=DRAW.random(32), success=DRAW.integers(0, 2, 32)
)


def _clicked_lists() -> tuple[Any, Any]:
    lists = assay.interleave.make({"one": RUN, "two": WORSE}, lists=5, depth=2)
    clicks = DRAW.integers(0, 2, lists.frame.height)
    return lists, lists.frame.select("query", "list", "doc").with_columns(click=clicks)


def _two() -> assay.Scores:
    return assay.classification(TRUE, y_score={"random": OTHERS, "model": SCORES})


RESULTS: dict[str, Callable[[], Any]] = {
    "retrieval": lambda: assay.retrieval(QRELS, RUN),
    "runs": lambda: assay.retrieval(QRELS, {"one": RUN, "two": WORSE}),
    "classification": lambda: assay.classification(TRUE, y_score=SCORES),
    "classifiers": _two,
    "regression": lambda: assay.regression(SCORES, OTHERS),
    "clustering": lambda: assay.clustering(TRUE, (SCORES > 0.5) * 1),
    "agreement": lambda: assay.agreement(TRUE, (SCORES > 0.5) * 1),
    "correlation": lambda: assay.correlation(SCORES, OTHERS),
    "labelsets": lambda: assay.labelsets([["a"], ["b"]], [["a"], ["a"]]),
    "spans": lambda: assay.spans([[(0, 3, "P")], []], [[(0, 3, "P")], [(1, 2, "L")]]),
    "comparison": lambda: assay.compare(_two(), ["ACC", "AUC"]),
    "threshold": lambda: assay.threshold({"truth": TRUE, "score": SCORES}),
    "confusion": lambda: assay.confusion(
        {"t": TRUE, "p": (SCORES > 0.5) * 1}, truth="t", predicted="p"
    ),
    "gate": lambda: assay.gate(_two(), "ACC", floor=0.4),
    "holes": lambda: assay.holes(QRELS, {"one": RUN}),
    "interleaving": lambda: assay.interleave.analyze(*_clicked_lists()),
    "experiment": lambda: assay.experiment.analyze(VISITS, "clicks/queries", control="old"),
    "laboratory": lambda: assay.lab.analyze(TRIALS, ["seconds", "success"]),
    "online": lambda: assay.experiment.combine(
        interleaving=assay.interleave.analyze(*_clicked_lists()),
        experiment=assay.experiment.analyze(VISITS, "clicks/queries", control="old"),
        system="two",
        baseline="one",
        arm="new",
    ),
}


@pytest.mark.parametrize("kind", RESULTS)
def test_a_result_shows_itself(kind: str, tmp_path: Path) -> None:
    result = RESULTS[kind]()
    shown = result._repr_html_()
    assert "<table" in shown
    assert "<svg" in shown
    assert result.plot()._repr_svg_().startswith("<svg")
    result.plot().save(tmp_path / "figure.svg")
    page = result.report(tmp_path / "page.html")
    assert "</html>" in page.read_text()
    assert "|" in result.to_markdown()
    assert "\\begin{tabular}" in result.to_latex()
    assert len(result.to_pandas()) == result.to_polars().height > 0


@pytest.mark.parametrize("kind", RESULTS)
def test_results_are_flat_for_loggers(kind: str) -> None:
    flat = RESULTS[kind]().to_dict()
    assert flat
    assert all(re.fullmatch(r"[\w./ -]+", name) for name in flat)
    assert all(type(value) is float for value in flat.values())


def test_names_of_flat_results() -> None:
    compared = assay.compare(assay.retrieval(QRELS, {"one": RUN, "two": WORSE}, "RR@2"), by=KINDS)
    flat, rows = compared.to_dict(), compared.pairs.to_dicts()
    assert flat["RR_at_2/one/two/difference"] == rows[0]["difference"]
    assert compared.to_dict(exact=True)["RR@2/one/two/p"] == rows[0]["p"]
    assert flat["RR_at_2/a/one/two/units"] == 2.0
    assert assay.confusion([0, 1, 1], [0, 0, 1]).to_dict()["1/0"] == 1.0


LOSSES = {"iteration": [1, 2, 3], "train": [3.0, 2.0, 1.0], "validation": [3.0, 2.5, 2.0]}
TABLES: dict[str, Callable[[], Any]] = RESULTS | {
    "losses": lambda: assay.learn.loss(LOSSES),
    "explanation": lambda: assay.explain(assay.retrieval(QRELS, RUN, "AP"), "AP", "q2"),
    "fairness": lambda: assay.fairness(TRUE, TRUE[::-1], by={"group": ["a", "b"] * 40}),
}


@pytest.mark.parametrize("kind", sorted(set(TABLES) - {"confusion"}))
def test_no_number_of_a_flat_result_is_lost(kind: str) -> None:
    result = TABLES[kind]()
    table = result.to_polars(wide=True) if isinstance(result, assay.Scores) else result.to_polars()
    numbers = [
        float(cell)
        for row in table.rows()
        for cell in row
        if isinstance(cell, float | int) and cell == cell
    ]
    for exact in (False, True):
        assert sorted(result.to_dict(exact=exact).values()) == sorted(numbers)


def test_rows_without_text_are_named_by_their_first_number() -> None:
    flat = TABLES["losses"]().to_dict()
    assert flat["2/validation"] == 2.5
    assert "2/low" not in flat, "undefined"
    assert TABLES["explanation"]().to_dict()["2/precision"] == 0.5


def test_wide_tables_scroll_in_a_notebook() -> None:
    shown = RESULTS["comparison"]()._repr_html_()
    assert len(re.findall('<div style="overflow-x: auto[^>]*><table>', shown)) > 1
    assert shown.count("<table>") == shown.count('"><table>') == shown.count("</table></div>")


def test_arrows_in_latex() -> None:
    assert r"actual $\downarrow$ predicted $\to$" in assay.confusion(TRUE, TRUE).to_latex()


def test_long_lists_are_cut_in_a_notebook() -> None:
    lists = assay.interleave.make({"one": RUN, "two": WORSE}, lists=50, depth=2)
    assert lists._repr_html_().count("<tr") == 41
    assert "260 more rows" in lists._repr_html_()
    assert len(lists.to_pandas()) == 300


def test_scores_are_equal_after_they_were_saved(tmp_path: Path) -> None:
    scores = assay.classification(TRUE, y_score=SCORES, by={"group": DRAW.integers(0, 3, 80)})
    scores.save(tmp_path / "scores.parquet")
    assert assay.load(tmp_path / "scores.parquet") == scores
    assert pickle.loads(pickle.dumps(scores)) == scores
    assert scores != assay.classification(TRUE, y_score=OTHERS)
    assert scores != "scores"


OTHER_RESULTS: dict[str, Callable[[], Any]] = {
    "ties": lambda: assay.ties(QRELS, {"one": RUN}),
    "power": lambda: assay.power(assay.retrieval(QRELS, {"one": RUN, "two": WORSE})),
    "fairness": lambda: assay.fairness(TRUE, (SCORES > 0.5) * 1, by={"group": TRUE}),
    "slices": lambda: assay.compare(
        assay.retrieval(QRELS, {"one": RUN, "two": WORSE}), by={"q1": "a", "q2": "b"}
    ),
    "explanation": lambda: assay.explain_retrieval(QRELS, RUN, "AP", "q1"),
    "points": lambda: assay.pr({"precision": [0.5, 0.4], "recall": [0.2, 0.5]}),
    "overview": lambda: assay.overview(assay.confusion(TRUE, (SCORES > 0.5) * 1)),
    "rates": lambda: assay.rates(f_n="normal(90, 12)", f_p="normal(110, 9)", at=[100]),
    "pool": lambda: assay.pool({"one": RUN, "two": WORSE}, depth=1),
}


@pytest.mark.parametrize("kind", [*RESULTS, *OTHER_RESULTS])
def test_a_saved_result_is_the_same(kind: str, tmp_path: Path) -> None:
    result = (RESULTS | OTHER_RESULTS)[kind]()
    result.save(tmp_path / "result")
    again = assay.load(tmp_path / "result")
    assert again == result
    assert pickle.loads(pickle.dumps(result)) == result
    assert hash(again) == hash(result)
    if not isinstance(result, assay.Scores):  # These show more while the items are known.
        assert str(again) == str(result)
    assert again.to_polars().equals(result.to_polars())
    again.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == (tmp_path / "result").read_bytes()


def test_results_differ_where_one_number_does() -> None:
    thresholds = assay.threshold(TRUE, y_score=SCORES)
    assert thresholds == assay.threshold(TRUE, y_score=SCORES)
    assert thresholds != assay.threshold(TRUE, y_score=OTHERS)
    assert assay.gate(_two(), "ACC", floor=0.4) != assay.gate(_two(), "ACC", floor=0.5)
    assert assay.confusion(TRUE, TRUE) != assay.confusion(TRUE, 1 - TRUE)
    assert thresholds != "thresholds"


def test_the_queries_of_saved_holes_are_kept(tmp_path: Path) -> None:
    holes = assay.holes(QRELS, {"one": RUN}, "P@2")
    holes.save(tmp_path / "holes.json")
    assert assay.load(tmp_path / "holes.json").per_query.equals(holes.per_query)


BROKEN = {
    "cut": (lambda text: text[:-30], "damaged: it is not JSON"),
    "changed": (lambda text: text.replace("0.5", "0.4", 1), "does not match its digest"),
    "newer": (lambda text: text.replace('"format": 1', '"format": 2'), "in format 2"),
    "foreign": (lambda text: '{"a": 1}', "not a saved result"),
    "nested": (lambda text: "{" + "[" * 100_000, "damaged: it is not JSON"),
}


@pytest.mark.parametrize("kind", BROKEN)
def test_a_file_that_is_not_a_saved_result_is_refused(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "gate.json"
    assay.gate(_two(), "ACC", floor=0.5).save(path)
    change, message = BROKEN[kind]
    path.write_text(change(path.read_text()))
    with pytest.raises(assay.AssayError, match=message):
        assay.load(path)


def test_only_results_of_assay_are_loaded(tmp_path: Path) -> None:
    content = {"$object": ["os:system", {"command": "true"}]}
    text = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
    digest = f"sha256:{hashlib.sha256(text).hexdigest()}"
    whole = {"assay": "9.9", "format": 1, "digest": digest, "result": content}
    (tmp_path / "other.json").write_text(json.dumps(whole))
    with pytest.raises(assay.AssayError, match=r"saved by Assay 9\.9.*there is no result system"):
        assay.load(tmp_path / "other.json")


def test_undefined_values_are_equal() -> None:
    empty = {"q1": {"a": 0}, "q2": {"c": 1}}
    assert assay.retrieval(empty, RUN, "AP") == assay.retrieval(empty, RUN, "AP")


def test_text_sorts_as_the_command_line_does() -> None:
    lines = str(assay.classification(TRUE, y_score={"b": OTHERS, "a": SCORES}, measures="AUC"))
    assert [line.split()[0] for line in lines.splitlines()[1:3]] == ["a", "b"]
    errors = str(assay.regression(SCORES, {"bad": OTHERS, "good": SCORES + 0.01}, "RMSE"))
    assert errors.splitlines()[1].startswith("good")


def test_text_has_the_support_of_each_class() -> None:
    shown = str(assay.classification(["a", "b", "c", "a"], ["a", "b", "c", "b"], "ACC"))
    head, *rows = shown.partition("by class\n")[2].splitlines()
    assert head.split()[0] == "class"
    assert head.split()[-1] == "support"
    assert [(row.split()[0], row.split()[-1]) for row in rows[:3]] == [
        ("a", "2"),
        ("b", "1"),
        ("c", "1"),
    ]


def test_values_for_loggers() -> None:
    scores = assay.retrieval(QRELS, {"one": RUN, "two": WORSE}, ["nDCG@10", "AP(rel=2)"])
    names = ["one/nDCG_at_10", "one/AP_rel_2", "two/nDCG_at_10", "two/AP_rel_2"]
    assert list(scores.to_dict()) == names
    exact = scores.to_dict(exact=True)
    assert exact["one/nDCG@10"] == scores["nDCG@10"]["one"]
    assert list(assay.retrieval(QRELS, RUN, "AP").to_dict()) == ["AP"]
    assert all(isinstance(each, float) for each in exact.values())


def test_wide_and_long() -> None:
    scores = assay.retrieval(QRELS, {"one": RUN, "two": WORSE}, ["nDCG@10", "AP"])
    assert scores.to_polars(wide=True).columns == ["system", "nDCG@10", "AP"]
    assert scores.to_pandas(wide=True)["AP"].tolist() == list(scores["AP"].values())
    assert scores.to_polars().height == 4


def test_other_figures_of_the_same_evidence() -> None:
    scores = assay.classification(TRUE, y_score=SCORES)
    assert scores.plot("roc").title.startswith("ROC curve")
    with pytest.raises(assay.AssayError, match="there is no figure"):
        scores.plot("rock")
    assert _two().plot(measure="AUC").title == "AUC with intervals"


def test_slices_gains_and_runs_show_themselves() -> None:
    qrels = {f"q{n}": {"a": 1, "b": 0} for n in range(12)}
    runs = {
        "one": {q: {"a": 2.0, "b": 1.0} for q in qrels},
        "two": {q: {"a": float(n % 2), "b": 0.5} for n, q in enumerate(qrels)},
    }
    kind = {q: "odd" if n % 2 else "even" for n, q in enumerate(qrels)}
    scores = assay.retrieval(qrels, runs, "AP", by=kind)
    for text in (str(scores), scores._repr_html_()):
        assert "slice=even" in text
        assert "largest gaps" in text
    gains = assay.gain_tables(assay.compare(scores, baseline="one"), most=2)
    losses = gains.filter(pl.col("kind") == "loss")
    assert losses["difference"].to_list() == [-0.5, -0.5]
    assert set(losses["unit"]) <= {f"q{n}" for n in range(0, 12, 2)}
    fused = assay.fuse([runs["one"], runs["two"]], method="rrf")
    assert str(fused).startswith("Run (the fused run)\nshape: (24, 4)")
    assert len(fused.to_pandas()) == 24
    assert "<svg" not in repr(scores.plot())
