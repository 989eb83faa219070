"""From runs to lists, and from lists and clicks to a preference: numbers worked by hand."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError, UsageError

RUNS = {
    "old": {"q1": {"a": 3.0, "b": 2.0, "c": 1.0}, "q2": {"x": 2.0, "y": 1.0}},
    "new": {"q1": {"b": 3.0, "d": 2.0, "a": 1.0}, "q2": {"y": 2.0, "z": 1.0}},
}


def clicks_on(lists: pl.DataFrame, team: str, users: int, losing: int) -> pl.DataFrame:
    """A log in which each user clicks one document of a team, and some of the other team."""
    rows = []
    for user in range(users):
        wanted = team if user >= losing else ("old" if team == "new" else "new")
        for doc, by in lists.filter(pl.col("query") == "q1").select("doc", "team").iter_rows():
            rows.append((f"u{user}", "q1", doc, int(by == wanted)))
    return pl.DataFrame(rows, schema=["user", "query", "doc", "click"], orient="row")


def test_lists_depend_on_seed_query_and_name_alone() -> None:
    whole = assay.interleave.make(RUNS, depth=3, lists=4).frame
    again = assay.interleave.make(RUNS, depth=3, lists=4).frame
    assert whole.equals(again)
    wanted = pl.DataFrame({"impression": ["3", "1"], "query": ["q1", "q2"]})
    some = assay.interleave.make(RUNS, depth=3, impressions=wanted).frame
    keys = ["query", "list"]
    assert some.join(whole, on=[*keys, "rank", "doc", "team"], how="anti").height == 0
    assert some.select(keys).unique().height == 2
    other = assay.interleave.make(RUNS, depth=3, lists=40, seed=2).frame
    assert not other.filter(pl.col("list").is_in(list("1234"))).equals(whole)


def test_ranks_are_those_of_the_runs() -> None:
    frame = assay.interleave.make(RUNS, depth=3).frame.filter(pl.col("query") == "q1")
    found = {
        doc: (old, new) for doc, old, new in frame.select("doc", "rank:old", "rank:new").rows()
    }
    expected = {"a": (1, 3), "b": (2, 1), "c": (3, None), "d": (None, 2)}
    assert found.items() <= expected.items()


def test_wins_are_counted_and_tested_by_user() -> None:
    lists = assay.interleave.make(RUNS, depth=2)
    log = clicks_on(lists.frame, "new", users=20, losing=4)
    found = assay.interleave.analyze(lists, log)
    row = found.pairs.row(0, named=True)
    assert (row["system"], row["baseline"]) == ("new", "old")
    assert (row["wins"], row["losses"], row["ties"]) == (16, 4, 0)
    assert row["preference"] == pytest.approx(0.6)
    outcomes = [1.0] * 16 + [-1.0] * 4
    assert row["p"] == pytest.approx(stats.ttest_1samp(outcomes, 0).pvalue, rel=1e-12)
    interval = stats.ttest_1samp(outcomes, 0).confidence_interval()
    assert (row["low"], row["high"]) == pytest.approx(tuple(interval), rel=1e-12)
    exact, as_far = stats.binomtest(16, 20).pvalue, 2 * math.comb(20, 16) / 2**20
    assert row["p_sign"] == pytest.approx(exact - as_far / 2, rel=1e-12)
    assert found.verdicts()[0].startswith("Users prefer new to old (+0.6000 per impression")
    assert "cannot see effects of the whole" in " ".join(repr(found).split())


def test_a_user_with_many_impressions_is_one_unit() -> None:
    lists = assay.interleave.make(RUNS, depth=2)
    log = clicks_on(lists.frame, "new", users=12, losing=3)
    copies = [
        log.with_columns(impression=pl.lit(f"{n}-") + pl.col("user")).with_columns(
            user=pl.col("user") if n == 0 else pl.lit("u11")
        )
        for n in range(4)
    ]
    found = assay.interleave.analyze(lists, pl.concat(copies)).pairs.row(0, named=True)
    sums = np.array([-1.0] * 3 + [1.0] * 8 + [1.0 + 3 * (9 - 3)])
    counts = np.array([1.0] * 11 + [1 + 3 * 12])
    value = sums.sum() / counts.sum()
    residual = (sums - value * counts) / counts.mean()
    error = residual.std(ddof=1) / math.sqrt(12)
    assert found["users"] == 12
    assert found["preference"] == pytest.approx(value)
    assert found["p"] == pytest.approx(2 * stats.t.sf(value / error, 11))


def test_slices_and_three_systems() -> None:
    runs = RUNS | {"third": {"q1": {"c": 2.0, "a": 1.0}, "q2": {"z": 1.0, "x": 0.5}}}
    lists = assay.interleave.make(runs, depth=3, lists=3)
    rows = lists.frame.select("query", "list", "doc", "rank").with_columns(
        user=pl.col("query") + pl.col("list"),
        click=(pl.col("rank") == 1).cast(pl.Int64),
        device=pl.when(pl.col("list") == "1").then(pl.lit("phone")).otherwise(pl.lit("desk")),
    )
    found = assay.interleave.analyze(lists, rows, by="device")
    assert found.pairs.height == 3
    assert (found.pairs["p_corrected"] >= found.pairs["p"]).all()
    assert found.slices["slice"].unique().sort().to_list() == ["device=desk", "device=phone"]
    assert (
        found.slices.filter(pl.col("slice") == "device=phone")["impressions"].to_list() == [2] * 3
    )


def test_the_plan_has_the_power_that_it_says() -> None:
    size = int(assay.interleave.plan(0.15, ties=0.4)["impressions"].item())
    generator = np.random.default_rng(5)
    wins = (0.6 + 0.15) / 2
    outcome = generator.choice([1, -1, 0], p=[wins, 0.6 - wins, 0.4], size=(1000, size))
    detected = np.mean(stats.ttest_1samp(outcome, 0, axis=1).pvalue < 0.05)
    assert detected == pytest.approx(0.8, abs=0.04)
    clustered = assay.interleave.plan(0.15, ties=0.4, per_user=4, correlation=0.5)
    assert clustered["design_effect"].item() == 2.5


BAD = {
    "user,query,list,doc,click\nu,q1,1,nope,1\n": "log.csv:2: the document 'nope' of query 'q1'",
    "user,query,list,doc,click\nu,q1,9,a,1\n": "log.csv:2: the list '9' of query 'q1' was not made",
    "user,query,list,doc,click\nu,q1,1,b,3\n": "log.csv:2: the click '3' is neither 0 nor 1",
    "user,query,list,click\nu,q1,1,1\n": "there is no column 'doc'",
    "impression,user,query,list,doc,click\n1,u,q1,1,b,1\n1,v,q1,1,b,0\n1,u,q1,1,c,0\n": (
        "log.csv:3: the impression '1' has the user 'v', but 'u' at log.csv:2"
    ),
}


@pytest.mark.parametrize("text", BAD)
def test_a_bad_log_is_refused_with_its_line(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assay.interleave.make(RUNS, depth=3).save("lists.csv")
    Path("log.csv").write_text(text)
    done = call("interleave", "analyze", "lists.csv", "log.csv")
    assert done.code == 1
    assert BAD[text] in done.err


def test_the_command_line_does_what_python_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, run in RUNS.items():
        lines = [f"{q} Q0 {d} 1 {s} {name}\n" for q, docs in run.items() for d, s in docs.items()]
        Path(f"{name}.run").write_text("".join(lines))
    done = call("interleave", "make", "old.run", "new.run", "--depth", "2", "-o", "lists.csv")
    assert done.code == 0, done.err
    lists = assay.interleave.make(RUNS, depth=2)
    assert pl.read_csv("lists.csv")["doc"].to_list() == lists.frame["doc"].to_list()
    log = clicks_on(lists.frame, "new", users=20, losing=4)
    log.write_csv("log.csv")
    options = ("--page", "page.html", "--format", "csv")
    done = call("interleave", "analyze", "lists.csv", "log.csv", *options)
    assert done.code == 0, done.err
    expected = assay.interleave.analyze(lists, log).pairs
    assert f"new,old,20,20,16,4,0,{expected['preference'].item()}" in done.out
    page = Path("page.html").read_text()
    assert "Users prefer new to old" in page
    done = call("interleave", "plan", "--preference", "0.05", "--ties", "0.6", "--format", "csv")
    assert ",1248," in done.out


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(UsageError, match=r"no interleaving method 'teamdraft'.*team-draft"):
        assay.interleave.make(RUNS, "teamdraft")
    with pytest.raises(UsageError, match="two or more runs"):
        assay.interleave.make({"old": RUNS["old"]})
    with pytest.raises(DataError, match="no query is answered by all runs"):
        assay.interleave.make({"a": {"q": {"d": 1.0}}, "b": {"p": {"d": 1.0}}})
    with pytest.raises(UsageError, match="at most the share without ties"):
        assay.interleave.plan(0.5, ties=0.8)
    lists = assay.interleave.make(RUNS)
    with pytest.raises(UsageError, match="`outcome=clicks` is not one of"):
        assay.interleave.analyze(
            lists, {"query": ["q1"], "doc": ["a"], "click": [1]}, outcome="clicks"
        )


ODD_LISTS = {
    "": "lists.csv:2: the credit:old is missing; team-draft lists have a credit from -1 to 1",
    "nan": "lists.csv:2: the credit:old is",
    "7": "lists.csv:2: the credit:old is 7; team-draft lists have a credit from -1 to 1",
    "x": "lists.csv:2: the credit:old 'x' (query q1) is not a number",
}


@pytest.mark.parametrize("given", ODD_LISTS)
def test_odd_credits_of_lists_are_refused(
    given: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    frame = assay.interleave.make(RUNS, depth=3).frame
    text = frame.with_columns(pl.col("credit:old").cast(pl.String))
    first = pl.int_range(pl.len()) == 0
    text.with_columns(
        pl.when(first).then(pl.lit(given)).otherwise(pl.col("credit:old")).alias("credit:old")
    ).write_csv("lists.csv", quote_style="never")
    Path("log.csv").write_text("user,query,list,doc,click\nu,q1,1,b,1\n")
    done = call("interleave", "analyze", "lists.csv", "log.csv")
    assert done.code == 1
    assert ODD_LISTS[given] in done.err


def test_documents_and_ranks_that_occur_twice_in_a_list_are_refused() -> None:
    frame = assay.interleave.make(RUNS, depth=3).frame
    log = {"user": ["u"], "query": ["q1"], "list": ["1"], "doc": ["b"], "click": [1]}
    changed = {
        "doc": "row 2: the document .* occurs twice in list '1' of query 'q1'",
        "rank": "row 2: the rank '1' occurs twice",
    }
    for column, message in changed.items():
        values = frame[column].to_list()
        values[1] = values[0]
        with pytest.raises(DataError, match=message):
            assay.interleave.analyze(frame.with_columns(pl.Series(column, values)), log)
    lowest = frame.with_columns(pl.lit(0, pl.Int64).alias("rank:old"))
    with pytest.raises(DataError, match="row 1: the rank:old 0 is below 1"):
        assay.interleave.analyze(lowest, log)
    for name in ("guess", None):
        unknown = frame.with_columns(pl.lit(name, pl.String).alias("method"))
        with pytest.raises(DataError, match=r"row 1: '(guess)?' is no method of interleaving"):
            assay.interleave.analyze(unknown, log)
