"""Bad data of experiments is refused with its line; nothing is dropped silently."""

from __future__ import annotations

from pathlib import Path

import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError, UsageError

HEAD = "user,arm,clicks,queries,when\n"
GOOD = "a,old,1,2,2024-05-01T10:00:00Z\nb,new,2,2,2024-05-01T10:00:00+02:00\n"
GOOD += "c,old,0,3,2024-05-02T10:00:00Z\nd,new,1,4,2024-05-03T10:00:00Z\n"

BAD = {
    "two arms": (
        "a,new,1,1,2024-05-01T10:00:00Z\n",
        (),
        "data.csv:6: the user 'a' is in arm 'new', but in 'old' at data.csv:2",
    ),
    "negative count": (
        "e,new,-1,1,2024-05-01T10:00:00Z\n",
        (),
        "data.csv:6: the clicks -1 is negative",
    ),
    "negative denominator": (
        "e,new,1,-1,2024-05-01T10:00:00Z\n",
        (),
        "data.csv:6: the queries -1 is negative",
    ),
    "no number": (
        "e,new,x,1,2024-05-01T10:00:00Z\n",
        (),
        "data.csv:6: the clicks 'x' is not a number",
    ),
    "no value": (
        "e,new,,1,2024-05-01T10:00:00Z\n",
        (),
        "data.csv:6: there is no clicks (1 row of 5)",
    ),
    "infinite": (
        "e,new,inf,1,2024-05-01T10:00:00Z\n",
        (),
        "data.csv:6: the clicks is infinite; write a finite number",
    ),
    "no user": (",new,1,1,2024-05-01T10:00:00Z\n", (), "data.csv:6: there is no user"),
    "no arm": ("e,,1,1,2024-05-01T10:00:00Z\n", (), "data.csv:6: there is no arm"),
    "no zone": (
        "e,new,1,1,2024-05-01T10:00:00\n",
        ("--time", "when"),
        "data.csv:6: the when '2024-05-01T10:00:00' has no zone",
    ),
    "no time": (
        "e,new,1,1,yesterdayZ\n",
        ("--time", "when"),
        "data.csv:6: the when 'yesterdayZ' is not a time",
    ),
    "empty arm": (
        "",
        ("--shares", "old=0.5,new=0.4,third=0.1"),
        "data.csv: the arm 'third' has no users (there are new, old)",
    ),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("what", BAD)
def test_bad_rows_are_refused_with_their_line(what: str, folder: Path) -> None:
    line, options, message = BAD[what]
    Path("data.csv").write_text(HEAD + GOOD + line)
    done = call("experiment", "analyze", "data.csv", "-m", "clicks/queries", *options)
    assert done.code == 1
    assert message in done.err
    assert "Traceback" not in done.err


def test_one_arm_alone_is_refused(folder: Path) -> None:
    Path("data.csv").write_text(HEAD + "a,old,1,2,x\nb,old,1,2,x\n")
    done = call("experiment", "analyze", "data.csv", "-m", "clicks")
    assert "all users are in the arm 'old'" in done.err


def test_a_named_zone_and_offsets_give_days(folder: Path) -> None:
    Path("data.csv").write_text(HEAD + GOOD + "e,new,1,1,2024-05-01T23:30:00-05:00\n")
    options = ("-m", "clicks/queries", "--time", "when", "--format", "json")
    done = call("experiment", "analyze", "data.csv", *options)
    assert done.code == 0, done.err
    days = pl.read_json(done.out.encode()).select("sample_ratio").explode("sample_ratio")
    found = days.unnest("sample_ratio").filter(pl.col("family") == "day")
    assert found["slice"].to_list() == ["2024-05-01", "2024-05-02", "2024-05-03"]
    assert found["users:new"].to_list() == [1, 1, 1]


def test_missing_values_are_left_out_or_0_as_requested() -> None:
    data = {"user": "abcdef", "arm": ["o", "o", "o", "n", "n", "n"], "x": [1, 2, None, 3, 4, 6]}
    data["user"] = list("abcdef")
    with pytest.raises(DataError, match="there is no x"):
        assay.experiment.analyze(data, "x", control="o")
    dropped = assay.experiment.analyze(data, "x", control="o", missing="drop")
    assert dropped.results["control"].item() == 1.5
    assert "1 row without a value left out" in dropped.warnings
    zero = assay.experiment.analyze(data, "x", control="o", missing="zero")
    assert zero.results["control"].item() == 1.0


WRONG = {
    "no measure": ({}, "name the `measures` of the experiment; the data has the numbers x"),
    "unknown column": ({"measures": "y"}, "there is no column 'y'"),
    "unknown kind": ({"measures": "median(x)"}, "no measure 'median"),
    "bad level": ({"measures": "quantile(x, 2)"}, "'2' is not a share between 0 and 1"),
    "ratio": ({"measures": "ratio(x)"}, "a ratio is written as clicks/queries"),
    "lower": ({"measures": "x", "lower": "z"}, "`lower` names 'z'"),
    "control": ({"measures": "x", "control": "p"}, "there is no arm 'p'"),
    "correction": ({"measures": "x", "correction": "hulm"}, "Did you mean holm"),
    "both": ({"measures": "x", "day": "x", "time": "x"}, "`time` and `day` both"),
    "missing": ({"measures": "x", "missing": "no"}, "`missing=no` is not one of"),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_calls_are_refused(what: str) -> None:
    options, message = WRONG[what]
    data = {"user": list("abcd"), "arm": list("oonn"), "x": [1, 2, 3, 4]}
    with pytest.raises(UsageError) as caught:
        assay.experiment.analyze(data, **options)
    assert message in str(caught.value)


def test_assignment_is_by_salted_hash(folder: Path) -> None:
    users = [f"user{n}" for n in range(20_000)]
    found = assay.experiment.assign(users, {"control": 0.09, "treatment": 0.01}, salt="one")
    counts = dict(found["arm"].value_counts().iter_rows())
    assert counts["treatment"] == pytest.approx(200, abs=60)
    assert counts["control"] == pytest.approx(1800, abs=180)
    assert counts[None] == pytest.approx(18_000, abs=200)
    other = assay.experiment.assign(users, {"control": 0.5, "treatment": 0.5}, salt="two")
    both = found.with_columns(second=other["arm"]).filter(pl.col("arm") == "treatment")
    assert (both["second"] == "treatment").mean() == pytest.approx(0.5, abs=0.12)
    again = assay.experiment.assign(users[::-1][:10], salt="two").sort("user")
    assert (
        again["arm"].to_list()
        == other.filter(pl.col("user").is_in(users[-10:])).sort("user")["arm"].to_list()
    )


def test_assignment_refuses_what_makes_no_sense(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"add up to 1\.2"):
        assay.experiment.assign(["a"], {"x": 0.6, "y": 0.6}, salt="s")
    Path("users.csv").write_text("user\na\nb\na\n")
    done = call("experiment", "assign", "users.csv", "--salt", "s")
    assert "users.csv:4: the user 'a' occurs twice" in done.err
    assert call("experiment", "assign", "users.csv").code == 2


def test_arms_from_a_table(folder: Path) -> None:
    Path("arms.csv").write_text("user,arm\na,old\nb,new\nc,old\nd,new\ne,new\n")
    data = pl.DataFrame({"user": list("abcd"), "x": [1, 2, 3, 5]})
    found = assay.experiment.analyze(data, "mean(x)", arms="arms.csv")
    assert found.results["difference"].item() == 1.5
    assert "1 assigned user without a row in the data: not counted" in found.warnings
    with pytest.raises(DataError, match=r"the user 'z' has no arm in arms\.csv"):
        assay.experiment.analyze({"user": ["z"], "x": [1]}, "x", arms="arms.csv")


def test_negative_whole_numbers_of_a_mean_are_noted(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("user,arm,clicks\na,old,1\nb,old,-2\nc,new,3\nd,new,-1\n")
    found = assay.experiment.analyze(file, ["clicks", "winsorized(clicks)"])
    noted = [each for each in found.warnings if "below 0" in each]
    assert len(noted) == 1
    assert "data.csv:3: 2 values of clicks below 0, the first -2" in noted[0]


@pytest.mark.parametrize(
    ("days", "bad"),
    [
        (["2024-02-29", "2024-02-30"], "the when '2024-02-30' is not a day"),
        (["2024-05-01", "2024-5-2"], "the when '2024-5-2' is not a day"),
        ([20240531, 20240631], "the when '20240631' is not a day"),
        ([1, -2], "the when -2 is below 0"),
    ],
)
def test_impossible_days_are_refused(days: list, bad: str) -> None:
    data = {"user": list("abcd"), "arm": list("oonn"), "x": [1, 2, 3, 4], "when": days * 2}
    with pytest.raises(DataError, match=f"the data, row 2: {bad}"):
        assay.experiment.analyze(data, "x", day="when")


def test_days_are_written_in_several_ways() -> None:
    data = {"user": list("abcdefgh"), "arm": list("oonn") * 2, "x": list(range(8))}
    found = []
    for days in (
        ["2024-05-31", "2024-06-01"],
        [20240531, 20240601],
        pl.Series(["2024-05-31", "2024-06-01"]).str.to_datetime().to_list(),
    ):
        result = assay.experiment.analyze(data | {"when": days * 4}, "x", day="when")
        found.append(result.days["day"].to_list())
    assert found == [["2024-05-31", "2024-06-01"]] * 3
    counted = data | {"when": [9_999, 10_000] * 4}
    days = assay.experiment.analyze(counted, "x", day="when").days["day"].to_list()
    assert days == ["09999", "10000"]


def test_covariates_that_differ_within_a_user_are_noted() -> None:
    data = {
        "user": list("aabbccdd"),
        "arm": list("oooonnnn"),
        "x": [1, 2, 3, 4, 5, 6, 7, 9],
        "before": [1, 1, 2, 3, 4, 4, 5, 5],
    }
    found = assay.experiment.analyze(data, "x", covariates={"x": "before"})
    assert any(
        "the data, row 4: 1 user with more than one value of before, the first 'b'" in each
        for each in found.warnings
    )
    data["before"][3] = 2
    again = assay.experiment.analyze(data, "x", covariates={"x": "before"})
    assert not any("more than one value" in each for each in again.warnings)


def test_users_are_assigned_from_any_column() -> None:
    import numpy as np
    import pandas as pd

    names = ["ann", "ben", "7"]
    expected = assay.experiment.assign(names, salt="s").rows()
    for given in (pd.Series(names), np.array(names), pl.Series(names), tuple(names)):
        assert assay.experiment.assign(given, salt="s").rows() == expected
    with pytest.raises(DataError, match="row 2: there is no user"):
        assay.experiment.assign(["ann", None], salt="s")
    with pytest.raises(DataError, match="row 3: the user 'ann' occurs twice"):
        assay.experiment.assign(["ann", "ben", "ann"], salt="s")


def test_results_are_the_frame_of_an_experiment() -> None:
    data = {"user": list("abcdef"), "arm": list("ooonnn"), "x": [1, 2, 3, 4, 6, 8]}
    found = assay.experiment.analyze(data, "mean(x)")
    assert found.to_pandas()["measure"].tolist() == ["mean(x)"]
    guarded = assay.experiment.analyze(data, guardrails="mean(x)")
    assert guarded.to_polars()["status"].to_list() == ["no harm found"]
    broken = assay.experiment.analyze(
        {"user": range(300), "arm": ["o"] * 200 + ["n"] * 100, "x": range(300)}, "mean(x)"
    )
    with pytest.raises(DataError, match="name them with `shares`"):
        broken.to_pandas()
