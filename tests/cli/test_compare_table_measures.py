"""Classifiers compared at the command line on measures of whole tables, and other comparisons."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.statistics.intervals.unit_intervals import Bootstrap


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(3)
    truth = random.random(200) < 0.4
    seen = random.normal(size=200) + 1.5 * truth
    items = pl.DataFrame(
        {"id": [f"i{n}" for n in range(200)], "truth": np.where(truth, "yes", "no")}
    )
    wide = items
    for name, noise in (("poor", 3.0), ("good", 0.3)):
        score = seen + random.normal(0, noise, 200)
        guess = np.where(score > 0.7, "yes", "no")
        own = items.with_columns(predicted=pl.Series(guess), score=pl.Series(score))
        own.sample(fraction=1.0, shuffle=True, seed=1).write_csv(f"{name}.csv")
        wide = wide.with_columns(pl.Series(f"guess_{name}", guess), pl.Series(f"p_{name}", score))
    wide.write_csv("wide.csv")
    return tmp_path


COLUMNS = ("--item", "id", "--predicted", "predicted", "--score", "score", "--positive", "yes")


def test_two_files(folder: Path) -> None:
    done = call(
        *("compare", "classification", "poor.csv", "good.csv", *COLUMNS),
        *("-m", "MCC AUC F accuracy", "--baseline", "poor.csv"),
    )
    assert done.code == 0, done.err
    lines = done.out.splitlines()
    assert sum(line.strip().startswith("good ") for line in lines) == 4
    assert sum("poor (baseline)" in line for line in lines) == 4
    assert "p of MCC, F: bootstrap over items" in done.out
    assert "p of AUC: closed form over items" in done.out
    assert "p of ACC: randomization test" in done.out
    assert "[low, high] of differences in AUC: closed form" in done.out


def test_two_columns_of_one_file(folder: Path) -> None:
    done = call(
        *("compare", "classification", "wide.csv", "--positive", "yes"),
        *("--predicted", "guess_poor", "--predicted", "guess_good"),
        *("--score", "p_poor", "--score", "p_good", "-m", "MCC AUC", "--format", "json"),
    )
    assert done.code == 0, done.err
    pairs = json.loads(done.out)["pairs"]
    apart = call(
        *("compare", "classification", "poor.csv", "good.csv", *COLUMNS),
        *("-m", "MCC AUC", "--format", "json"),
    )
    expected = json.loads(apart.out)["pairs"]
    assert [pair["system"] for pair in pairs] == ["guess_good"] * 2
    assert [p["difference"] for p in pairs] == pytest.approx([p["difference"] for p in expected])
    uneven = call(
        *("compare", "classification", "wide.csv", "--predicted", "guess_poor"),
        *("--score", "p_poor", "--score", "p_good"),
    )
    assert uneven.code == 2
    assert "1 × --predicted, 2 × --score" in uneven.err


def test_files_without_names_of_items_are_refused(folder: Path) -> None:
    done = call(
        *("compare", "classification", "poor.csv", "good.csv", "--predicted", "predicted"),
        *("-m", "MCC"),
    )
    assert done.code == 1
    assert "--item" in done.err


def test_a_gate_with_a_file_for_a_baseline(folder: Path) -> None:
    arguments = (*COLUMNS, "-m", "MCC AUC", "--margin", "0.01")
    good = call("gate", "classification", "good.csv", "--baseline", "poor.csv", *arguments)
    assert (good.code, good.out.splitlines()[0]) == (0, "The gate holds: 2 checks.")
    bad = call("gate", "classification", "poor.csv", "--baseline", "good.csv", *arguments)
    assert (bad.code, bad.err) == (3, "")
    assert "must be shown to lose at most 0.01 against good" in bad.out


def test_runs_of_the_same_tag_are_called_by_their_files(folder: Path) -> None:
    Path("qrels.txt").write_text("".join(f"q{n} 0 good 1\n" for n in range(8)))
    for name, rank in (("new", 1), ("main", 2)):
        others = [f"q{n} Q0 other 1 9 bm25\n" for n in range(8)] if rank == 2 else []
        found = [f"q{n} Q0 good {rank} 5 bm25\n" for n in range(8)]
        Path(f"{name}.run").write_text("".join(sorted(others + found)))
    gate = ("gate", "retrieval", "qrels.txt", "-m", "RR", "--margin", "0.1")
    holds = call(*gate, "new.run", "--baseline", "main.run")
    assert holds.code == 0, holds.out
    assert "  new  " in holds.out.splitlines()[3]
    assert "0.1 against main" in holds.out.splitlines()[3]
    assert holds.err.count("conventions") == 0
    assert call(*gate, "main.run", "--baseline", "new.run").code == 3


def test_all_ties_and_a_constant_column_are_said_in_words(folder: Path) -> None:
    rows = "".join(
        f"{system},q{n},{value}\n" for n in range(5) for system, value in (("a", 0.5), ("b", 0.5))
    )
    Path("s.csv").write_text("system,query,value\n" + rows)
    done = call("compare", "s.csv")
    assert "b and a are tied on all 5 units" in done.err
    assert "a: value is 0.5 on all 5 units" in done.err


def test_folds_are_paired_by_repetition_and_half(folder: Path) -> None:
    values = [0.10, 0.06, 0.02, 0.04, 0.05, 0.03, 0.07, 0.01, 0.04, 0.04]
    places = [(r, f) for r in (1, 2, 3, 4, 5) for f in (1, 2)]
    rows = [f"a,{r},{f},0\n" for r, f in places]
    rows += [f"b,{r},{f},{v}\n" for (r, f), v in zip(places, values, strict=True)]
    Path("folds.csv").write_text("system,repetition,fold,value\n" + "".join(sorted(rows)[::-1]))
    done = call(*("compare", "folds.csv", "--baseline", "a", "--test", "5x2-t", "--format", "json"))
    halves = np.asarray(values).reshape(5, 2)
    t = 0.1 / np.sqrt(halves.var(axis=1, ddof=1).mean())
    assert json.loads(done.out)["pairs"][0]["statistic"] == pytest.approx(t)
    Path("plain.csv").write_text(
        "system,fold,value\n"
        + "".join(f"{s},{n},{v * (s == 'b')}\n" for s in "ab" for n, v in enumerate(values))
    )
    refused = call("compare", "plain.csv", "--test", "5x2-t")
    assert refused.code == 2
    assert "called by repetition and half, such as 1a, 1b" in refused.err


def test_the_legend_names_the_intervals_and_tests_that_occur(folder: Path) -> None:
    def legend(*arguments: str) -> str:
        done = call("compare", *arguments)
        assert done.code == 0, done.err
        return " ".join(done.out.split())

    two = ("classification", "poor.csv", "good.csv", *COLUMNS)
    area = legend(*two, "-m", "AUC")
    assert "[low, high]: 95% interval, closed form" in area
    assert "percentiles" not in area
    Path("c.csv").write_text(
        "class,k,l\n" + "".join(f"{n % 2},{n % 3},{n // 9}\n" for n in range(18))
    )
    groups = ("clustering", "c.csv", "--classes", "class", "--cluster", "k", "--cluster", "l")
    assert "percentiles" not in legend(*groups, "-m", "NMI")
    bias = legend(*two, "-m", "MCC", "--interval", "bca")
    assert "of MCC: bootstrap percentiles, corrected for bias and acceleration (BCa)" in bias
    assert "of differences in MCC: inverted bootstrap test, 1000 resamples" in bias
    assert "as for the interval" not in bias


def test_nothing_is_said_of_a_test_that_was_not_made(folder: Path) -> None:
    Path("one.csv").write_text("id,y,m\n1,2,3\n2,5,4\n")
    Path("two.csv").write_text("id,y,m\n2,5,6\n3,1,1\n")
    done = call(
        *("compare", "regression", "one.csv", "two.csv", "--item", "id"),
        *("--truth", "y", "--predicted", "m", "-m", "RMSE"),
    )
    assert done.code == 0, done.err
    assert "have 1 item in common" in " ".join(done.err.split())
    assert "randomization" not in done.out
    assert "corrected:" not in done.out


def test_a_table_for_a_paper_says_how_it_was_tested(folder: Path) -> None:
    done = call(
        *("compare", "classification", "poor.csv", "good.csv", *COLUMNS),
        *("-m", "MCC", "--format", "latex"),
    )
    head = done.out.splitlines()
    assert head[0].startswith("% p: bootstrap over items")
    assert any(line.startswith("% corrected: holm") and "0.05" in line for line in head)


def test_prose_below_a_table_is_broken_into_lines(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS", raising=False)
    done = call("compare", "classification", "poor.csv", "good.csv", *COLUMNS, "-m", "AUC")
    notes = done.out[done.out.index("\np: ") :].splitlines()
    assert max(map(len, notes)) <= 80
    Path("s.csv").write_text(
        "system,query,value\n" + "".join(f"{s},q{n},{n * n % 7}\n" for s in "ab" for n in range(9))
    )
    legend = call("power", "s.csv").out.split("\n\n")[1].splitlines()
    assert max(map(len, legend)) <= 80
    assert [line.partition(":")[0] for line in legend] == ["difference_sd", "smallest_difference"]


def test_an_interval_that_gives_way_is_told(folder: Path) -> None:
    Path("s.csv").write_text(
        "system,query,value\n"
        + "".join(f"{s},q{n},{0.1 * n + (s == 'b') * 0.01 * n}\n" for s in "ab" for n in range(8))
    )
    Path("units.csv").write_text("query,user\n" + "".join(f"q{n},{n // 2}\n" for n in range(8)))
    done = call(
        *("compare", "s.csv", "--interval", "t", "--units", "units.csv", "--cluster-by", "user")
    )
    told = " ".join(done.out.split())
    assert "at most 10 units: Student's t at a fifth of the probability of error" in told
    assert "Student's t for means" not in told
    plain = call("compare", "s.csv", "--interval", "t", "--format", "json")
    assert json.loads(plain.out)["systems"][0]["interval"] == "t"


@pytest.mark.parametrize("method", ["expanded", "percentile", "bca", "t", "wilson"])
@pytest.mark.parametrize("weight", [None, "w"])
def test_accuracy_has_the_interval_of_its_own_task(method: str, weight: str | None) -> None:
    random = np.random.default_rng(5)
    truth = random.choice(["x", "y", "z"], 60)
    table = {"truth": truth, "w": random.integers(1, 4, 60), "item": [str(n) for n in range(60)]}
    parts = []
    for name, share in (("one", 0.8), ("two", 0.6)):
        guess = np.where(random.random(60) < share, truth, "x")
        parts.append(
            assay.classification(
                table | {"guess": guess},
                "ACC",
                predicted="guess",
                item="item",
                weight=weight,
                name=name,
                interval=Bootstrap(method=method),
            )
        )
    compared = assay.compare(parts, interval=Bootstrap(method=method)).systems
    own = {each.system: (each.low, each.high) for part in parts for each in part.results}
    rows = compared.select("system", "low", "high").iter_rows()
    assert {name: (low, high) for name, low, high in rows} == own
