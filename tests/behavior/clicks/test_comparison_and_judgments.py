"""Held-out perplexity, and relevance from clicks."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.behavior.clicks.small_logs import rows, simulated, true_values

import assay
from assay.behavior.clicks.click_judgments import isotonic_map, relevance_interval
from assay.behavior.clicks.expectation_maximization import FitSettings
from assay.behavior.clicks.fit_clicks import fit_lists
from assay.behavior.clicks.fitted_model import shared_frame
from assay.behavior.clicks.model_structure import find_structure
from assay.cli.application import main
from assay.core.errors import DataError, UsageError

TRAIN = [(("a", "b"), (1, 0)), (("a", "b"), (0, 1)), (("b", "a"), (0, 0)), (("b", "a"), (1, 0))]
TEST = [(("a", "b"), (1, 0)), (("b", "a"), (0, 1)), (("a", "c"), (1, 1))]


def test_perplexity_of_rank_rates_by_hand() -> None:
    found = assay.clicks.compare(rows(TRAIN), ["rank-ctr"], test=rows(TEST), prior=(0, 0))
    # Rates 2/4 and 1/4. Held out: rank 1 has clicks 1, 0, 1; rank 2 has 0, 1, 1.
    first, second = 2.0, 2 ** (-(np.log2(0.75) + 2 * np.log2(0.25)) / 3)
    assert found.ranks["perplexity"].to_list() == pytest.approx([first, second])
    row = found.models.row(0, named=True)
    assert row["perplexity"] == pytest.approx((first + second) / 2)
    assert row["conditional"] == row["perplexity"]
    logs = [np.log(0.5 * 0.75), np.log(0.5 * 0.25), np.log(0.5 * 0.25)]
    assert row["log_likelihood"] == pytest.approx(np.mean(logs))
    half = 1.959964 * np.sqrt(((logs - np.mean(logs)) ** 2).sum()) / 3
    assert row["high"] - row["log_likelihood"] == pytest.approx(half, rel=1e-6)
    assert row["known"] == pytest.approx(5 / 6)


def test_impossible_lists_are_counted_and_left_out() -> None:
    found = assay.clicks.compare(rows(TRAIN), ["cascade", "dbn"], test=rows(TEST))
    by_name = {row["model"]: row for row in found.models.iter_rows(named=True)}
    assert by_name["cascade"]["impossible"] == 1
    assert by_name["dbn"]["impossible"] == 0
    assert np.isfinite(by_name["cascade"]["log_likelihood"])
    assert found.models["model"].to_list() == ["dbn", "cascade"], "fewer lists come last"


def test_the_model_that_made_the_clicks_predicts_best() -> None:
    structure = find_structure("dbn")
    values = true_values(structure, 10, 6, 2)
    lists = simulated(structure, values, 4000, 3, depth=6)
    table = pl.DataFrame(
        {
            "list": np.repeat(np.arange(4000), 6),
            "session": np.repeat(np.arange(4000), 6).astype(str),
            "query": "q",
            "rank": np.tile(np.arange(1, 7), 4000),
            "doc": lists.pairs["doc"].gather(lists.pair.T.ravel()),
            "click": lists.click.T.ravel().astype(int),
        }
    )
    found = assay.clicks.compare(table, split="random")
    assert found.models["model"][0] in ("dbn", "ccm"), "ccm is nearly the same chain"
    dbn, rank = (found.models.filter(pl.col("model") == n) for n in ("dbn", "rank-ctr"))
    assert dbn["conditional"][0] < rank["conditional_low"][0]
    assert any("1,000 sessions of 4,000 held out: random" in note for note in found.notes)
    figure = assay.plot("click-models", found)
    assert len(figure.points) == 9


def test_equal_lists_of_a_session_count_as_often_as_they_occur(tmp_path: Path) -> None:
    again = rows(TEST).with_columns(pl.col("list") + 10)
    twice = pl.concat([rows(TEST), again])
    once, double = (
        assay.clicks.compare(rows(TRAIN), ["dbn"], test=log) for log in (rows(TEST), twice)
    )
    assert double.models["lists"].to_list() == [6]
    for name in ("log_likelihood", "low", "high", "perplexity", "conditional_high"):
        assert double.models[name][0] == pytest.approx(once.models[name][0]), name
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for path, part in zip(files, (rows(TEST), again), strict=True):
        part.write_ndjson(path)
    pieces = assay.clicks.compare(rows(TRAIN), ["dbn"], test=files)
    assert pieces.models.equals(double.models), "a log of two files is read in two pieces"


def test_sessions_are_split_by_time() -> None:
    early = rows(TRAIN).with_columns(time=pl.col("list").cast(pl.Float64))
    found = assay.clicks.compare(early, ["rank-ctr"], prior=(0, 0))
    assert "1 session of 4 held out: the latest" in found.notes
    with pytest.raises(DataError, match="cannot be split by time"):
        assay.clicks.compare(rows(TRAIN), ["rank-ctr"], split="time")
    with pytest.raises(DataError, match="1 session cannot be split"):
        assay.clicks.compare(rows(TRAIN[:1]), ["rank-ctr"])
    with pytest.raises(UsageError, match="between 0 and 1"):
        assay.clicks.compare(rows(TRAIN), ["rank-ctr"], test_share=1.0)


def _fitted() -> assay.ClickModel:
    structure = find_structure("dbn")
    values = true_values(structure, 8, 4, 5)
    lists = simulated(structure, values, 3000, 6, depth=4)
    return fit_lists(lists, "dbn", FitSettings(starts=1))


def test_relevance_is_attractiveness_times_satisfaction_with_an_interval() -> None:
    model = _fitted()
    found = assay.clicks.judgments(model, map="err", levels=4)
    product = model.value("attractiveness") * model.value("satisfaction")
    assert found.judgments["relevance"].to_numpy() == pytest.approx(product)
    assert (found.judgments["low"] < found.judgments["relevance"]).all()
    assert (found.judgments["relevance"] < found.judgments["high"]).all()
    grade = found.judgments["grade"].to_numpy()
    assert (np.abs((2**grade - 1) / 2**4 - product) < 0.26).all(), "nearest grade of ERR's map"
    assert found.table.frame.columns == ["query", "doc", "grade"]
    assert "not known" in found.notes[-1]


def test_intervals_of_relevance_cover_the_truth() -> None:
    """Two documents of ten models each: 95 % intervals miss at most a few of 80."""
    structure = find_structure("sdbn")
    misses = total = 0
    for seed in range(10):
        values = true_values(structure, 8, 4, seed)
        lists = simulated(structure, values, 1500, seed, depth=4)
        model = fit_lists(lists, "sdbn", FitSettings(starts=1))
        truth = values["attractiveness"] * values["satisfaction"]
        _, low, high = relevance_interval(model, 0.95)
        misses += int(((truth < low) | (truth > high)).sum())
        total += len(truth)
    assert misses <= 0.13 * total


def test_agreement_and_isotonic_map_with_human_judgments() -> None:
    model = _fitted()
    relevance = model.value("attractiveness") * model.value("satisfaction")
    docs = model.pairs["doc"].to_list()
    order = np.argsort(np.argsort(relevance))
    qrels = {
        "q": {doc: int(rank >= 4) + int(rank >= 6) for doc, rank in zip(docs, order, strict=True)}
    }
    found = assay.clicks.judgments(model, qrels=qrels)
    assert found.agreement["auc"].to_list() == [1.0]
    assert found.agreement["documents"].to_list() == [8]
    graded = dict(zip(found.judgments["doc"], found.judgments["grade"], strict=True))
    assert graded == qrels["q"]
    opposite = {"q": {doc: 2 - grade for doc, grade in qrels["q"].items()}}
    assert assay.clicks.judgments(model, qrels=opposite).agreement["auc"].to_list() == [0.0]
    none = assay.clicks.judgments(model, qrels={"other": {"x": 1}})
    assert none.agreement["documents"].to_list() == [0]


def test_isotonic_map_never_falls() -> None:
    known = np.array([0.1, 0.2, 0.3, 0.4])
    found = isotonic_map(known, np.array([0.0, 2.0, 0.0, 3.0]), np.linspace(0, 1, 50))
    assert (np.diff(found) >= 0).all()
    assert found[0] == 0
    assert found[-1] == 3


def test_few_impressions_and_wrong_maps() -> None:
    model = _fitted()
    with pytest.raises(DataError, match="no document has 100000 impressions"):
        assay.clicks.judgments(model, least=100_000)
    with pytest.raises(UsageError, match="coec is not a probability"):
        assay.clicks.judgments(model, by="coec", map="err")
    with pytest.raises(UsageError, match="needs human judgments"):
        assay.clicks.judgments(model, map="isotonic")
    quantiles = assay.clicks.judgments(model, by="coec", map="quantiles", levels=3)
    assert sorted(quantiles.judgments["grade"].to_list()) == [0, 0, 1, 1, 2, 2, 3, 3]


def test_coec_is_over_all_impressions() -> None:
    log = [(("a", "b"), (1, 0)), (("b", "a"), (1, 1)), (("a", "b"), (0, 0)), (("b", "a"), (0, 0))]
    pairs = assay.clicks.fit(rows(log), "doc-ctr").pairs
    # CTR of rank 1 is 2/4, of rank 2 is 1/4: two impressions at each rank expect 1.5 clicks.
    assert pairs["coec"].to_list() == pytest.approx([2 / 1.5, 1 / 1.5])


def _run(*arguments: object) -> int:
    with pytest.raises(SystemExit) as ended:
        main([str(each) for each in arguments])
    return int(ended.value.code or 0)


def test_commands_from_log_to_judgments(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "log.csv"
    rows(TRAIN * 20).write_csv(log)
    model = tmp_path / "model.json"
    assert _run("clicks", "fit", log, "--model", "sdbn", "-o", model, "--quiet") == 0
    assert "attractiveness" in capsys.readouterr().out
    assert json.loads(model.read_text())["model"] == "sdbn"
    for ending in ("qrels", "csv", "parquet", "jsonl"):
        assert _run("clicks", "judgments", model, "-o", tmp_path / f"j.{ending}") == 0
    capsys.readouterr()
    assert pl.read_csv(tmp_path / "j.csv")["source"][0] == "clicks:sdbn"
    assert (tmp_path / "j.qrels").read_text().startswith("q 0 a ")
    picture = tmp_path / "p.svg"
    assert _run("clicks", "compare", log, "--model", "pbm", "--ranks", "-o", picture) == 0
    assert "perplexity" in capsys.readouterr().out
    assert "<svg" in picture.read_text()
    assert _run("clicks", "judgments", log) == 1
    assert "not a click model" in capsys.readouterr().err
    assert _run("clicks", "fit", log, "--model", "dbm") == 2
    assert "Did you mean ubm or pbm" in capsys.readouterr().err
    assert _run("clicks", "fit", log, "--prior", "1") == 2
    assert _run("behavior", "check", log) == 0


def test_relevance_by_human_grade_beside_what_err_assumes() -> None:
    pairs = pl.DataFrame(
        {
            "query": ["q"] * 4,
            "doc": list("abcd"),
            "impressions": [100.0, 300.0, 50.0, 10.0],
            "clicks": [10.0] * 4,
            "ranks": [2] * 4,
            "coec": [1.0] * 4,
            "attractiveness": [0.2, 0.4, 0.6, 0.1],
            "attractiveness_se": [0.01] * 4,
            "attractiveness_note": [""] * 4,
        }
    )
    fitted = assay.ClickModel("cascade", shared_frame([]), pairs)
    human = {"q": {"a": 1, "b": 1, "c": 2, "d": 0}}
    found = assay.clicks.judgments(fitted, qrels=human)
    assert found.by_grade["relevance"].to_list() == pytest.approx([0.1, 0.35, 0.6])
    assert found.by_grade["assumed"].to_list() == [0, 0.25, 0.75]
    points = assay.plot("click-relevance", found).points
    assert points["grades"]["grade"] == [0, 1, 2]
    with pytest.raises(UsageError, match="human judgments are needed"):
        assay.plot("click-relevance", assay.clicks.judgments(fitted))
