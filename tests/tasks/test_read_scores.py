"""Scores from tables and files: what does not fit together is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from tests.statistics.table_of_scores import drawn

import assay
from assay.core.ambiguous_names import measure_bounds
from assay.core.errors import AssayError, DataError, UsageError
from assay.engine.scores import Scores
from assay.tasks.scores.read_scores import merge_scores, read_scores, read_unit_column

ROWS = {"system": ["a", "a", "b", "b"], "query": ["1", "2", "1", "2"]}


@pytest.mark.parametrize("word", ["0,6", "x"])
def test_a_value_that_is_no_number_is_named_by_its_line(tmp_path: Path, word: str) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(f'system,query,value\na,1,0.5\na,2,"{word}"\nb,1,0.4\nb,2,0.3\n')
    with pytest.raises(DataError, match=rf"scores.csv:3: the value '{word}' is not a number"):
        read_scores(file)


def test_an_empty_cell_is_no_value(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("system,query,value\na,1,0.5\na,2,\n")
    assert read_scores(file).results[0].reasons == (None, "no value")


def test_tasks_are_not_mixed() -> None:
    one = drawn({"a": [0.1, 0.2]})
    with pytest.raises(UsageError, match="different tasks, retrieval and regression"):
        read_scores([one, replace(one, task="regression")])


def test_differing_conventions_are_told() -> None:
    one = replace(drawn({"a": [0.1, 0.2]}), conventions={"profile": "assay", "items": 1})
    two = replace(drawn({"b": [0.1, 0.3]}), conventions={"profile": "trec_eval", "items": 2})
    said = "the scores were measured under different conventions: profile is assay and trec_eval"
    assert assay.compare([one, two]).warnings.count(said) == 1
    assert not read_scores([one, replace(two, conventions=one.conventions)]).warnings


def test_a_name_whose_direction_is_in_doubt_is_asked_for() -> None:
    table = ROWS | {"measure": ["ERR"] * 4, "value": [0.1, 0.2, 0.3, 0.4]}
    with pytest.raises(UsageError, match=r"classification.ERR \(lower is better\).*'better'"):
        read_scores(table)
    assert read_scores(table | {"measure": ["classification.ERR"] * 4}).results[0].better == "lower"
    assert read_scores(table | {"measure": ["retrieval.ERR@10"] * 4}).results[0].better == "higher"
    assert read_scores(table | {"better": ["lower"] * 4}).results[0].better == "lower"
    assert read_scores(table | {"measure": ["F"] * 4}).results[0].better == "higher"
    with pytest.raises(DataError, match="higher or lower is expected"):
        read_scores(table | {"better": ["up"] * 4})


def test_a_unit_listed_twice_is_refused() -> None:
    with pytest.raises(DataError, match=r"row 3: the query '1' is listed twice, first at .*row 1"):
        read_unit_column({"query": ["1", "2", "1"], "weight": [1, 2, 3]}, "weight")


WIDE = {"query": ["1", "2", "1", "2"], "system": ["a", "a", "b", "b"]}


def _values(scores: Scores) -> dict[tuple[str, str], list[float]]:
    return {(each.system, each.measure): list(each.values) for each in scores.results}


@pytest.mark.parametrize("ending", ["csv", "tsv", "parquet", "jsonl"])
def test_a_column_for_each_measure(tmp_path: Path, ending: str) -> None:
    frame = pl.DataFrame(WIDE | {"AP": [0.1, 0.2, 0.3, 0.4], "MAE": [4, 3, 2, 1]})
    frame = frame.with_columns(type=pl.lit("long"))
    file = tmp_path / f"scores.{ending}"
    write = {"csv": frame.write_csv, "parquet": frame.write_parquet, "jsonl": frame.write_ndjson}
    if ending == "tsv":
        frame.write_csv(file, separator="\t")
    else:
        write[ending](file)
    found = read_scores(str(file))
    assert _values(found) == {
        ("a", "AP"): [0.1, 0.2],
        ("b", "AP"): [0.3, 0.4],
        ("a", "MAE"): [4, 3],
        ("b", "MAE"): [2, 1],
    }
    assert [each.better for each in found.results] == ["higher", "higher", "lower", "lower"]
    assert found.warnings == ("left out, for they hold no numbers: type",)


def test_a_file_for_each_system(tmp_path: Path) -> None:
    for name, value in (("one", 0.5), ("two", 0.25)):
        (tmp_path / f"{name}.csv").write_text(f"query,AP,nDCG@10\n1,{value},1\n")
    found = read_scores([tmp_path / "one.csv", tmp_path / "two.csv"])
    assert found["AP"] == {"one": 0.5, "two": 0.25}
    assert found.measures == ("AP", "nDCG@10")


@pytest.mark.parametrize(
    ("columns", "expected"),
    [
        (("AP_one", "AP_two"), {("one", "AP"): [0.5], ("two", "AP"): [0.25]}),
        (("one_v2_AP", "two_AP"), {("one_v2", "AP"): [0.5], ("two", "AP"): [0.25]}),
        (("bm25", "dense"), {("bm25", "value"): [0.5], ("dense", "value"): [0.25]}),
        (("P_5_bm25", "P_5_dense"), {("bm25", "P_5"): [0.5], ("dense", "P_5"): [0.25]}),
        (
            ("ndcg_cut_10_bm25", "two_v2_ndcg_cut_10"),
            {("bm25", "ndcg_cut_10"): [0.5], ("two_v2", "ndcg_cut_10"): [0.25]},
        ),
    ],
)
def test_a_column_for_each_system(
    columns: tuple[str, str], expected: dict[tuple[str, str], list[float]]
) -> None:
    found = read_scores({"query": ["1"], columns[0]: [0.5], columns[1]: [0.25]})
    assert _values(found) == expected
    assert "are read as a system each: " + ", ".join(found.systems) in found.warnings[0]


def test_a_column_beside_systems_by_a_measure_is_left_out() -> None:
    table = {"query": ["1"], "AP_bm25": [0.5], "AP_dense": [0.25], "length": [7]}
    found = read_scores(table)
    assert _values(found) == {("bm25", "AP"): [0.5], ("dense", "AP"): [0.25]}
    assert found.warnings[1:] == ("left out, for they hold no measure: length",)
    one_of_each = {"query": ["1"], "model_P": [0.5], "model_R": [0.25], "model_X": [7.0]}
    assert read_scores(one_of_each).systems == ("model_P", "model_R", "model_X")


def test_a_number_beside_measures_is_told_to_be_taken_for_one() -> None:
    found = read_scores(WIDE | {"AP": [0.1, 0.2, 0.3, 0.4], "seed": [1, 2, 1, 2]})
    assert found.measures == ("AP", "seed")
    assert found.warnings[0].startswith("no measure is called seed: taken for one")
    assert not read_scores(WIDE | {"latency": [1, 2, 1, 2]}).warnings


def test_a_word_in_a_column_of_a_measure_is_named_by_its_line(tmp_path: Path) -> None:
    (tmp_path / "wide.csv").write_text('query,system,AP\n1,a,0.5\n2,a,"0,6"\n')
    with pytest.raises(DataError, match=r"wide.csv:3: the value '0,6' is not a number"):
        read_scores(tmp_path / "wide.csv")


def test_printed_scores_are_read_and_a_summary_is_refused(tmp_path: Path) -> None:
    scores = drawn({"a": [0.1, 0.2], "b": [0.3, 0.5]})
    sliced = replace(scores.results[0], slice="long", units=("0",), values=np.array([0.1]))
    scores = replace(scores, results=(*scores.results, replace(sliced, reasons=(None,))))
    scores.per_unit().write_csv(tmp_path / "units.csv")
    assert read_scores(tmp_path / "units.csv")["AP"] == scores["AP"]
    scores.summary().write_csv(tmp_path / "summary.csv")
    with pytest.raises(DataError, match=r"the means of systems.*--per-query --format csv"):
        read_scores(tmp_path / "summary.csv")


def test_merged_scores_keep_the_digests_of_all_inputs() -> None:
    parts = [
        assay.regression({"truth": [1, 2], "predicted": [1, each]}, name=str(each))
        for each in (2, 3)
    ]
    digests = [part.conventions["inputs"]["values"] for part in parts]
    assert digests[0] != digests[1]
    assert [*merge_scores(parts).conventions["inputs"].values()] == digests


def test_saved_scores_without_metadata_are_noted(tmp_path: Path) -> None:
    qrels = {"1": {"a": 1}, "2": {"b": 1}}
    runs = {
        name: {query: {"a": 1.0 + at, "b": 1.5} for query in qrels} for at, name in enumerate("xy")
    }
    saved, bare = tmp_path / "scores.parquet", tmp_path / "bare.parquet"
    assay.retrieval(qrels, runs, "RR").save(saved)
    pl.read_parquet(saved).write_parquet(bare)
    said = [note for note in read_scores(bare).warnings if "metadata" in note]
    assert len(said) == 1
    assert "read as a plain table" in said[0]
    assert any("not their metadata" in note for note in assay.compare(bare).warnings)
    assert not any("metadata" in note for note in assay.compare(saved).warnings)


def _folds(**values: list[float]) -> dict[str, Any]:
    return {name: {"test_roc_auc": np.asarray(each)} for name, each in values.items()}


def test_intervals_of_folds_stay_within_the_bounds_of_the_measure() -> None:
    found = assay.compare(_folds(good=[1.0, 0.98, 0.99], bad=[0.6, 0.99, 0.8]))
    assert found.systems["high"].to_list() == [1.0, 1.0]
    assert found.systems["low"].min() > 0
    far = assay.compare(_folds(good=[1.0, 0.99, 1.0], bad=[0.0, 0.1, 0.0]))
    assert far.pairs["low"].item() == -1.0
    percent = assay.compare(_folds(good=[100.0, 98.0, 99.0], bad=[60.0, 99.0, 80.0]))
    assert percent.systems["high"].max() > 100


def test_a_name_of_several_measures_has_the_widest_of_their_bounds() -> None:
    values = np.asarray([0.5, np.nan])
    assert measure_bounds("P", "table", values) == (0.0, 1.0)
    assert measure_bounds("MCC", "table", values) == (-1.0, 1.0)
    assert measure_bounds("made up", "table", values) == (-np.inf, np.inf)


FOLDS = {"lr": [0.9, 0.8, 0.85, 0.9, 0.8], "rf": [0.8, 0.8, 0.75, 0.8, 0.8]}


@pytest.mark.parametrize("make", [list, np.asarray, pd.Series])
def test_arrays_of_cross_val_score_are_folds(make: Any) -> None:
    """The same as the dicts of cross_validate: folds share training items."""
    named = {name: {"test_score": values} for name, values in FOLDS.items()}
    found = assay.compare({name: make(values) for name, values in FOLDS.items()})
    assert found == assay.compare(named)
    assert found.conventions["test"] == "corrected-t"


def test_frames_of_searches_and_single_cross_validations() -> None:
    results = {"params": [{"C": 1}, {"C": 2}]} | {
        f"split{fold}_test_score": [FOLDS["lr"][fold], FOLDS["rf"][fold]] for fold in range(5)
    }
    assert assay.compare(pd.DataFrame(results)) == assay.compare(results)
    one = {"fit_time": [1.0] * 5, "test_score": FOLDS["lr"]}
    with pytest.raises(AssayError, match="there is one system, model"):
        assay.compare(one)
    both = assay.compare([one, one | {"test_score": FOLDS["rf"]}])
    assert both.systems["system"].to_list() == ["model (1)", "model (2)"]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame])
def test_a_system_may_be_called_params(make: Any) -> None:
    scores = read_scores(make({"query": ["1", "2"], "params": [1.0, 2.0], "bm25": [0.3, 0.4]}))
    assert scores.systems == ("params", "bm25")


@pytest.mark.parametrize("name", ["Query", "id"])
def test_whole_numbers_beside_arrays_are_not_scores_of_folds(name: str) -> None:
    with pytest.raises(DataError, match="unit_column"):
        read_scores({name: [1, 2, 3, 4, 5], **FOLDS})


def test_results_of_a_search_from_a_file_are_a_table() -> None:
    """Parameters in words name no candidate."""
    rows = {"params": ["{'C': 1}", "{'C': 2}"], "split0_test_score": [0.1, 0.2]}
    with pytest.raises(DataError, match="unit_column"):
        read_scores(pd.DataFrame(rows))


@pytest.mark.parametrize("name", ["LogLoss", "neg_log_loss"])
def test_intervals_of_negated_losses_end_at_0(name: str) -> None:
    values = {"a": [-0.1, -0.2, -2.0, -0.1], "b": [-0.1, -0.3, -3.0, -0.1]}
    found = assay.compare({system: {f"test_{name}": each} for system, each in values.items()})
    assert found.systems["high"].to_list() == [0.0, 0.0]
    assert max(found.systems["low"]) < -2


def test_measures_that_are_no_losses_are_not_negated() -> None:
    found = assay.compare({name: {"test_ACC": [-1.0, -2.0, -1.5]} for name in "ab"})
    assert max(found.systems["high"]) > 0 or min(found.systems["low"]) < -2


def test_measures_are_not_taken_for_systems() -> None:
    values = [0.5, 0.25, 0.75]
    with pytest.raises(assay.AssayError, match="'nDCG@10', 'RR': these keys are measures"):
        assay.compare({"nDCG@10": values, "RR": values})
    systems = {name: {"test_RR": values} for name in ("F", "P")}
    assert set(assay.compare(systems).systems["system"]) == {"F", "P"}
    assert len(assay.compare({"RR": values, "bm25": values}).systems) == 2
