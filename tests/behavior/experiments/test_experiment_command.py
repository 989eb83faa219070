"""``assay experiment`` from tables and click logs to tables and pages."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.behavior.experiments.search_outcomes import search_outcomes


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def visits(folder: Path) -> pl.DataFrame:
    generator = np.random.default_rng(5)
    users = 600
    rows = []
    for user in range(users):
        arm = ["old", "new"][user % 2]
        appeal = generator.beta(3, 5) + 0.1 * (arm == "new")
        for day in range(1, 1 + generator.integers(1, 5)):
            queries = int(1 + generator.poisson(2))
            clicks = int(generator.binomial(queries, min(appeal, 1)))
            seconds = float(generator.lognormal(1, 0.4))
            device = ["desk", "phone"][user % 3 == 0]
            rows.append((f"u{user}", arm, f"2024-05-0{day}", queries, clicks, seconds, device))
    columns = ["user", "arm", "day", "queries", "clicks", "seconds", "device"]
    frame = pl.DataFrame(rows, schema=columns, orient="row")
    frame.write_csv("visits.csv")
    return frame


def test_the_page_has_the_verdict_and_the_plots(visits: pl.DataFrame) -> None:
    options = ["-m", "clicks/queries", "--guardrail", "mean(seconds)", "--lower", "mean(seconds)"]
    options += ["--margin", "0.1", "--day", "day", "--by", "device", "--control", "old"]
    done = call("experiment", "analyze", "visits.csv", *options, "--sequential", "--page", "p.html")
    assert done.code == 0, done.err
    assert "clicks/queries: new is better than the control" in " ".join(done.out.split())
    page = Path("p.html").read_text()
    for words in ("Verdict", "Sample ratio", "Guardrails", "Looks", "Days", "Slices", "<svg"):
        assert words in page
    assert "clicks/queries: new is better than the control" in page


def test_every_output_format_is_written(visits: pl.DataFrame) -> None:
    for form in ("json", "csv", "markdown", "latex", "html"):
        done = call("experiment", "analyze", "visits.csv", "-m", "clicks", "--format", form)
        assert done.code == 0, done.err
        assert "clicks" in done.out
    result = assay.experiment.analyze(visits, "clicks")
    assert "Measures" in repr(result)
    assert "<table" in result._repr_html_()


def test_plan_and_assign(folder: Path) -> None:
    Path("users.csv").write_text("user\n" + "".join(f"u{n}\n" for n in range(500)))
    options = ("--salt", "one", "--shares", "control=0.5,new=0.5", "-o", "arms.csv")
    done = call("experiment", "assign", "users.csv", *options)
    assert done.code == 0, done.err
    arms = pl.read_csv("arms.csv")
    expected = assay.experiment.assign("users.csv", {"control": 0.5, "new": 0.5}, salt="one")
    assert arms.equals(expected)
    plan = ("--baseline", "0.19", "--detect", "0.05", "--relative", "--share", "0.01")
    done = call("experiment", "plan", *plan, "--users-per-day", "20000", "--format", "json")
    assert '"days"' in done.out


LOG = """session,user,query,rank,doc,click,time
s1,u1,shoes,1,a,0,100
s1,u1,shoes,2,b,0,100
s1,u1,red shoes,1,c,0,130
s1,u1,red shoes,2,d,1,130
s1,u1,hats,1,e,1,500
s1,u1,hats,2,f,1,500
s2,u2,hats,1,e,0,900
s2,u2,hats,2,f,0,900
"""


def test_search_outcomes_by_hand(folder: Path) -> None:
    Path("log.csv").write_text(LOG)
    found = search_outcomes("log.csv").sort("session", "time")
    assert found["user"].to_list() == ["u1", "u1", "u1", "u2"]
    assert found["clicks"].to_list() == [0, 1, 2, 0]
    assert found["clicked_first"].to_list() == [0, 0, 1, 0]
    assert found["abandoned"].to_list() == [1, 0, 0, 1]
    assert found["reciprocal_rank"].to_list() == [0, 0.5, 1, 0]
    # The second query comes 30 s after the first, the third more than a minute later.
    assert found["reformulated"].to_list() == [1, 0, 0, 0]
    assert search_outcomes("log.csv", within=600)["reformulated"].sum() == 2


def test_a_click_log_is_compared_by_user(folder: Path) -> None:
    generator = np.random.default_rng(8)
    rows = ["session,user,query,rank,doc,click,time"]
    for user in range(200):
        for number in range(3):
            for rank in (1, 2, 3):
                click = int(generator.random() < (0.5 if user % 2 else 0.25) / rank)
                head = f"s{user}-{number},u{user},q{number}"
                rows.append(f"{head},{rank},d{rank},{click},{1000 * number}")
    Path("log.csv").write_text("\n".join(rows) + "\n")
    lines = [f"u{user},{'new' if user % 2 else 'control'}" for user in range(200)]
    Path("arms.csv").write_text("user,arm\n" + "\n".join(lines) + "\n")
    done = call("experiment", "analyze", "log.csv", "--search", "--arms", "arms.csv")
    assert done.code == 0, done.err
    said = " ".join(done.out.split())
    assert "clicks/queries: new is better than the control" in said
    assert "abandoned/queries: new is better than the control" in said


def test_hidden_results_name_options_of_the_command(folder: Path) -> None:
    arm = ["old" if n % 5 else "new" for n in range(1000)]
    users = {"user": range(1000), "arm": arm, "spent": [n % 7 for n in range(1000)]}
    pl.DataFrame(users).write_csv("users.csv")
    done = call("experiment", "analyze", "users.csv", "-m", "spent", "--control", "old")
    said = " ".join((done.out + done.err).split())
    assert "No result: the sample ratio is broken" in said
    assert "--ignore-sample-ratio shows the numbers anyway" in said
    assert "name them with --shares" in said
    assert "ignore_sample_ratio" not in said
    assert "(p = 0.0000)" not in said


def test_the_likely_column_of_the_arms_is_suggested(folder: Path) -> None:
    Path("users.csv").write_text("user,version,spent\na,old,1\nb,new,2\n")
    done = call("experiment", "analyze", "users.csv", "-m", "spent", "--control", "old")
    assert "name the column with --arm version" in " ".join((done.out + done.err).split())


def test_lazy_names_are_completed() -> None:
    assert {"fit", "compare", "judgments", "counterfactual"} <= set(dir(assay.clicks))
    assert {"check", "summary", "sample", "simulate"} <= set(dir(assay.behavior))
