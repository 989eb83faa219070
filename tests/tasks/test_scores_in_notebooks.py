"""What notebooks do with scores, comparisons and gates that are held in variables."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import assay
from assay.reports.text.table_text import frame_rows

QRELS = {f"q{n}": {"a": 1, "b": 0} for n in range(12)}
OLD = {q: {"a": float(n % 3), "b": 0.5} for n, q in enumerate(QRELS)}
NEW = {q: {"a": 2.0, "b": 1.0} for q in QRELS}


def _scores(run: object, name: str = "bm25") -> assay.Scores:
    return assay.retrieval(QRELS, {name: run}, "AP P@1")


def test_the_baseline_of_a_gate_may_be_scores() -> None:
    worse = assay.gate(_scores(OLD), "AP", baseline=_scores(NEW), margin=0.005)
    named = assay.gate(
        assay.retrieval(QRELS, {"old": OLD, "new": NEW}, "AP"), baseline="new", margin=0.005
    )
    assert [each.system for each in worse.checks] == ["bm25"]
    assert [each.found for each in worse.checks] == [each.found for each in named.checks]
    assert not worse
    assert assay.gate(_scores(NEW, "new"), baseline=_scores(OLD, "old"), margin=0.005)
    with pytest.raises(assay.AssayError, match="the scores of 2 systems"):
        assay.gate(_scores(NEW), baseline=_both(), margin=0.1)


def _both() -> assay.Scores:
    return assay.retrieval(QRELS, {"old": OLD, "new": NEW}, "AP P@1")


def test_a_floor_that_would_not_be_checked_is_refused() -> None:
    with pytest.raises(assay.AssayError, match="a floor is given for P@1: add P@1"):
        assay.gate(_scores(OLD), "AP", floor={"AP": 0.1, "P@1": 1.0})
    assert not assay.gate(_scores(OLD), floor={"AP": 0.1, "P@1": 1.0})


def test_scores_are_compared_by_name() -> None:
    expected = assay.compare(_both(), baseline="old").pairs
    found = assay.compare({"old": _scores(OLD), "new": _scores(NEW)}, baseline="old").pairs
    assert found.equals(expected)
    both = assay.compare({"a": _both(), "b": _scores(NEW)}, baseline="b")
    assert both["AP"]["system"].to_list() == ["a/old", "a/new"]
    with pytest.raises(assay.AssayError, match="these are scores"):
        assay.compare(_scores(OLD), _scores(NEW))


@pytest.mark.parametrize("name", ["s.csv", "s.json", "s.HTML"])
def test_scores_are_saved_as_parquet_alone(name: str, tmp_path: Path) -> None:
    with pytest.raises(assay.AssayError, match=r"name it s\.parquet"):
        _both().save(tmp_path / name)
    assert not [*tmp_path.iterdir()]


def test_means_alone_are_not_compared() -> None:
    table = {"system": ["a", "b"], "AP": [0.3, 0.2]}
    with pytest.raises(assay.AssayError, match=r"Means are not tested; assay\.correlation"):
        assay.compare(table)
    with pytest.raises(assay.AssayError, match=r"there is no goal 'retrieval'.*assay measures"):
        assay.measures_for("retrieval")


def test_scores_without_notes_end_with_their_table() -> None:
    table = {"query": ["1", "2"], "a": [0.3, 0.2], "b": [0.1, 0.2], "system": ["x", "x"]}
    assert not str(assay.read_score_table(table)).endswith("\n")


def test_runs_are_evaluated_before_they_are_compared(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "a.run"
    qrels.write_text("q1 0 a 1\n")
    run.write_text("q1 Q0 a 1 2.5 a\n")
    for runs in ([str(run)], str(run)):
        with pytest.raises(assay.AssayError, match="evaluate first"):
            assay.compare(str(qrels), runs)


def test_each_table_of_a_result_is_a_frame() -> None:
    holes = assay.holes(QRELS, {"old": OLD}, "AP")
    assert holes.frames()["measures"].equals(holes.to_polars())
    assert {"low", "high"} <= {*holes.frames()["measures"].columns}


def test_the_key_of_scores_is_a_measure() -> None:
    for key in ("AP", "bm25"), 0:
        with pytest.raises(assay.AssayError, match="the key is a measure"):
            _scores(OLD)[key]


def test_units_of_some_measures() -> None:
    scores = _scores(OLD)
    assert scores.per_query("map").equals(assay.retrieval(QRELS, {"bm25": OLD}, "AP").per_query())
    assert scores.per_query(["P@1"], wide=True).columns == ["system", "query", "P@1"]
    with pytest.raises(assay.AssayError, match="wide=True"):
        scores.per_query(True)


def test_slices_with_the_name_of_their_column() -> None:
    kind = {q: "odd" if int(q[1:]) % 2 else "even" for q in QRELS}
    length = dict.fromkeys(QRELS, "short")
    one = assay.retrieval(QRELS, OLD, "AP", by={"kind": kind})
    plain = assay.retrieval(QRELS, OLD, "AP", by=kind)
    assert one.slices == ("kind=even", "kind=odd")
    assert [e.value for e in one.results] == [e.value for e in plain.results]
    both = assay.retrieval(QRELS, OLD, "AP", by={"kind": pd.Series(kind), "length": length})
    assert both.slices == ("kind=even", "kind=odd", "length=short")
    pairs = [assay.compare(_both(), baseline="old", by=by).pairs for by in (kind, {"kind": kind})]
    assert set(pairs[1]["slice"]) == {"all", "kind=even", "kind=odd"}
    assert pairs[0].drop("slice").equals(pairs[1].drop("slice"))
    with pytest.raises(assay.AssayError, match="one column has the slices, not kind, length"):
        assay.compare(_both(), by={"kind": kind, "length": length})


def test_pairs_in_a_wide_table() -> None:
    found = assay.compare(_both(), baseline="old")
    wide = found.to_pandas(wide=True)
    assert wide[["baseline", "system"]].to_numpy().tolist() == [["old", "new"]]
    assert wide["AP difference"].to_list() == found["AP"]["difference"].to_list()
    assert wide["P@1 p_corrected"].to_list() == found["P@1"]["p_corrected"].to_list()
    sliced = assay.compare(_both(), baseline="old", by=dict.fromkeys(QRELS, "x"))
    assert sliced.to_polars(wide=True)["slice"].to_list() == ["all", "x"]
    with pytest.raises(assay.AssayError, match="there is no measure 'RR'"):
        found["RR"]


def test_gains_of_one_measure_and_system() -> None:
    found = assay.compare({"o": _scores(OLD), "n": _scores(NEW), "m": _scores(NEW)}, baseline="o")
    rows = assay.gain_tables(found, "AP", system="n", most=2)
    assert set(rows["measure"]) == {"AP"}
    assert set(rows["system"]) == {"n"}
    assert rows.height == 2
    for wrong in ({"measure": "RR"}, {"system": "x"}):
        with pytest.raises(assay.AssayError, match="there is no"):
            assay.gain_tables(found, **wrong)


def test_values_beside_differences_have_no_sign() -> None:
    gains = assay.gain_tables(assay.compare(_both(), baseline="old"), "AP", most=1)
    head, row = frame_rows(gains.columns, gains.iter_rows(), 2, signs=True)
    assert dict(zip(head, row, strict=True))["difference"].startswith("+")
    assert dict(zip(head, row, strict=True))["value"] == "1.00"


def test_notebooks_align_texts_to_the_left() -> None:
    shown = assay.gate(_both(), "AP", baseline="old", margin=0.5)._repr_html_()
    cells = re.findall(r"<td(.*?)>(.*?)</td>", shown)
    aligned = {text for style, text in cells if "text-align: left" in style}
    assert {"new", "AP", "baseline"} <= aligned
    assert "-0.5" not in aligned


def test_headings_of_two_orders_have_room() -> None:
    figure = assay.correlation({"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2}).plot()
    head = re.search(r'<text x="([\d.]+)"[^>]*bold[^>]*>the first order<', figure._repr_svg_())
    assert head is not None
    assert float(head[1]) >= len("the first order") * 6


def test_the_correction_under_the_name_of_pyterrier() -> None:
    given: dict[str, Any] = {"correction": "bonferroni"}
    assert "bonferroni" in assay.compare(_both(), baseline="old", **given).correction


def test_marks_of_baselines_are_explained() -> None:
    latex = assay.compare(_both(), baseline="old").to_latex()
    assert r"% \dagger: differs significantly from old (corrected p below 0.05)" in latex
    assert "* below" not in latex


@pytest.mark.parametrize(("name", "test"), [("student", "t"), ("fisher", "randomization")])
def test_tests_under_the_names_of_ranx(name: str, test: str) -> None:
    found, expected = (assay.compare(_both(), baseline="old", test=each) for each in (name, test))
    assert found.pairs.equals(expected.pairs)


def test_a_gap_in_a_latex_table_is_a_dash() -> None:
    folds = {
        "one": {"test_ll": np.array([-0.2, -0.3, -0.1]), "test_MCC": np.array([0.5, 0.6, 0.7])},
        "two": {"test_ll": np.full(3, np.nan), "test_MCC": np.array([0.4, 0.5, 0.8])},
    }
    latex = assay.compare(folds).to_latex()
    assert r"two & -- & 0.5667$^{\mathrm{a}}$" in latex
