"""What newcomers type in the words of other tools, and what they are told."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

import assay


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "qrels.txt").write_text("".join(f"{q} 0 a 1\n{q} 0 b 1\n" for q in range(4)))
    for name in ("one", "two"):
        text = "".join(f"{q} Q0 a 1 2.0 {name}\n{q} Q0 b 2 1.0 {name}\n" for q in range(4))
        (tmp_path / f"{name}.run").write_text(text)
    (tmp_path / "p.csv").write_text("truth,guess,p\nyes,yes,0.25\nno,no,0.5\nyes,no,0.75\n")
    (tmp_path / "board.csv").write_text("system,ap\na,0.1\nb,0.2\n")
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("retrieval qrels.txt one.run --metric AP", "Measures are named with -m"),
        ("retrieval --qrels qrels.txt one.run", "It goes without an option: QRELS"),
        ("retrieval qrels.txt one.run -m nDCG10", "Did you mean nDCG@10?"),
        ("classification p.csv --predicted guess -m f1_macro", "f1_macro is F(average=macro) here"),
        ("classification p.csv --predicted p", "is this a score? Then name it with --score"),
        ("retrieval qrels.txt one.run --save x.csv", "name it x.parquet"),
        ("trec_eval -m nDCG@10 qrels.txt one.run", "as in -m ndcg_cut.10"),
        ("compare qrels.txt one.run two.run", "assay compare retrieval qrels.txt one.run two.run"),
        ("correlation --qrels qrels.txt one.run two.run", "this is one order: give --qrels"),
        ("correlation board.csv board.csv --order-by ap", "--first names the column"),
        ("classification p.csv --predicted gess", "no column 'gess' for --predicted among"),
        ("classification p.csv --probabilities p_*", "--probabilities 'p_*'"),
    ],
)
def test_a_hint_says_how_to_write_it(arguments: str, said: str) -> None:
    done = call(*arguments.split())
    assert said in " ".join(done.err.split())


def test_hits_is_a_mean_as_in_ranx() -> None:
    found = assay.retrieval("qrels.txt", "one.run", "hits@10 num_rel_ret", interval=None)
    assert found["Hits@10"] == {"one": 2}
    assert found["NumRelRet"] == {"one": 8}


def test_f1_is_a_goal() -> None:
    chosen = ("threshold", "p.csv", "--truth", "truth", "--score", "p", "--format", "csv")
    named = call(*chosen, "--goal", "f1")
    assert named.code == 0, named.err
    assert named.out == call(*chosen, "--goal", "f:1").out


def test_two_runs_are_compared_over_queries() -> None:
    done = call("correlation", "one.run", "two.run", "-m", "RBO")
    assert "4 queries" in done.out
    assert "RBO: only 4 queries" in done.out


def test_a_row_with_too_many_fields_is_named(folder: Path) -> None:
    (folder / "ragged.csv").write_text("truth,guess\nyes,no\nyes,no,no\n")
    done = call("classification", "ragged.csv", "--predicted", "guess")
    assert "ragged.csv:3: 3 fields where the header has 2" in done.err


def test_words_for_nothing_are_doubted(folder: Path) -> None:
    (folder / "na.csv").write_text("truth,guess\nyes,NA\nno,no\n")
    done = call("classification", "na.csv", "--predicted", "guess")
    assert "the label 'NA' reads like a gap" in done.err


def test_aggregate_takes_a_column_for_each_assessor(folder: Path) -> None:
    (folder / "wide.csv").write_text("doc,ann,ben\nd1,x,x\nd2,y,\n")
    done = call("aggregate", "wide.csv", "--item", "doc", "--assessors", "ann,ben")
    assert "cells without a label: 1, left out" in done.err
    assert done.out.split()[-5:] == ["d2", "y", "1", "0", "1"]


def test_a_measure_under_another_name_is_told_once(tmp_path: Path) -> None:
    qrels, run = tmp_path / "qrels.txt", tmp_path / "one.run"
    qrels.write_text("q 0 a 1\n")
    run.write_text("q Q0 a 1 3 one\n")
    words = (
        "retrieval",
        str(qrels),
        str(run),
        "-m",
        "MAP P_5 ndcg@10 nDCG@5:gain=exp",
        "-m",
        "mrr",
    )
    assert call(*words).err.count("note: MAP is AP, mrr is RR here\n") == 1
    assert not call(*words, "--quiet").err
    assert not call("retrieval", str(qrels), str(run), "-m", "AP retrieval.P@5").err
    compared = call("compare", "retrieval", str(qrels), str(run), str(run), "-m", "MAP")
    assert compared.err.startswith("note: MAP is AP here\n")


def test_a_name_of_several_tasks_lists_what_it_can_mean() -> None:
    listed = call("measures", "F1").out
    assert listed.startswith("F1 is a measure of 5 tasks; 'assay measures classification.F' shows")
    assert "  retrieval.F: The weighted harmonic mean" in listed
    assert call("measures", "F1", "--task", "spans").out.startswith("# F\n")


@pytest.mark.parametrize(
    ("words", "heading"),
    [
        ("system efficiency", "# E"),
        ("break-even point", "# BEP"),
        ("total recall", "# generality"),
        ("interpolated precision", "# IPrec"),
        ("cumulative gain", "# CG"),
        ("mean reciprocal rank", "# RR"),
        ("normalized discounted cumulative gain", "# nDCG"),
        ("area under the ROC curve", "# AUC"),
        ("false omission rate", "# FOR"),
        ("mean squared error", "# MSE"),
        ("Top 5 accuracy", "# top"),
        ("Calinski Harabasz", "# CH"),
        ("Rand index", "# RI"),
        ("Kendall's tau", "# tau"),
        ("hit rate", "hit rate is a measure of 2 tasks"),
        ("micro-averaged precision", "# P"),
        ("map recip_rank", "map recip_rank stands for map, recip_rank."),
    ],
)
def test_a_measure_is_found_by_its_name_in_words(words: str, heading: str) -> None:
    assert call("measures", words).out.startswith(heading)


def test_words_that_name_no_measure_are_not_found() -> None:
    assert "not understood" in call("measures", "quite something").err
