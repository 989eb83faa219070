"""Tables as others publish them: no users, counts of users, users in two arms, other names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.stats import chisquare
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest
from tests.cli.terminal import call

import assay
from assay.core.errors import DataError, UsageError

COUNTS: dict[str, list[Any]] = {
    "group": ["control", "treatment"] * 2,
    "visitors": [1000, 1020, 990, 1010],
    "clicks": [200, 190, 210, 205],
    "orders": [40, 30, 44, 33],
    "date": ["2024-05-01"] * 2 + ["2024-05-02"] * 2,
}


def test_counts_equal_statsmodels() -> None:
    found = assay.experiment.analyze(
        COUNTS, ["orders", "orders/clicks"], users="visitors", arm="group", correction="none"
    )
    for name, top, bottom in (
        ("orders", (63, 84), (2030, 1990)),
        ("orders/clicks", (63, 84), (395, 410)),
    ):
        row = found.results.row(by_predicate=pl.col("measure") == name, named=True)
        assert row["p"] == pytest.approx(proportions_ztest(top, bottom)[1], rel=1e-12)
        assert row["value"] == pytest.approx(top[0] / bottom[0])
        low, high = confint_proportions_2indep(
            top[0], bottom[0], top[1], bottom[1], method="newcomb", compare="diff"
        )
        assert (row["low"], row["high"]) == (pytest.approx(low), pytest.approx(high))
    assert found.sample_ratio["p"].item() == pytest.approx(chisquare([1990, 2030]).pvalue)
    assert found.conventions["arms"] == {"control": 1990, "treatment": 2030}


def test_counts_equal_the_users_that_they_count() -> None:
    users = {
        "arm": ["control"] * 1990 + ["treatment"] * 2030,
        "orders": [1] * 84 + [0] * 1906 + [1] * 63 + [0] * 1967,
    }
    one = assay.experiment.analyze(users, "orders").results
    two = assay.experiment.analyze(COUNTS, "orders", users="visitors", arm="group").results
    for name in ("users_control", "users", "difference", "low", "high", "relative_low", "p"):
        assert one[name].item() == pytest.approx(two[name].item(), rel=1e-9), name


def test_counts_by_day_and_rows_without_a_count(tmp_path: Path) -> None:
    data = pl.DataFrame(COUNTS).with_columns(orders=pl.Series([40, 30, None, None], dtype=pl.Int64))
    file = str(tmp_path / "counts.csv")
    data.write_csv(file)
    options = ("--users", "visitors", "--arm", "group", "-m", "orders/clicks", "--day", "date")
    refused = call("experiment", "analyze", file, *options)
    assert refused.code == 1
    assert "counts.csv:4: there is no orders (2 rows of 4)" in refused.err
    done = call("experiment", "analyze", file, *options, "--missing=drop")
    assert done.code == 0, done.err
    assert "orders/clicks: 2 rows without a value left out" in done.err
    assert "2024-05-02" in done.out
    assert "the unit is what is counted" in done.out
    found = assay.experiment.analyze(
        data, "orders/clicks", users="visitors", arm="group", day="date", missing="drop"
    )
    assert found.results["control"].item() == 40 / 200
    assert found.sample_ratio["slice"].to_list() == ["all users", "2024-05-01", "2024-05-02"]


def test_bad_counts_are_refused() -> None:
    for column, value, message in (
        ("orders", 2.5, "row 3: the orders 2.5 is not a count"),
        ("orders", -1, "row 3: the orders -1 is not a count"),
        ("orders", 500, "row 3: the orders 500 is more than the clicks 210"),
        ("visitors", None, "row 3: there is no visitors"),
    ):
        data = COUNTS | {column: [*COUNTS[column][:2], value, COUNTS[column][3]]}
        with pytest.raises(DataError, match=message):
            assay.experiment.analyze(data, "orders/clicks", users="visitors", arm="group")
    wrong: tuple[tuple[dict[str, Any], str], ...] = (
        ({"measures": "quantile(orders)"}, "counts have shares only, such as orders/visitors"),
        ({"measures": "orders", "trigger": "clicks"}, "`trigger` needs a row for each user"),
        ({"measures": "orders", "users": "visits"}, "there is no column 'visits' for `users`"),
        ({}, "has the numbers clicks, orders"),
    )
    for options, message in wrong:
        with pytest.raises(UsageError, match=message):
            assay.experiment.analyze(COUNTS, **{"users": "visitors", "arm": "group"} | options)


def test_rows_are_users_where_none_are_named() -> None:
    """As in the e-mail test of MineThatData and the uplift data of Criteo."""
    random = np.random.default_rng(4)
    data = {
        "segment": ["No E-Mail", "Mens E-Mail"] * 100,
        "visit": random.integers(0, 2, 200),
        "spend": random.exponential(size=200),
    }
    found = assay.experiment.analyze(data, ["visit", "spend"], arm="segment", control="No E-Mail")
    assert found.conventions["arms"] == {"No E-Mail": 100, "Mens E-Mail": 100}
    assert "each row counts as a user of its own" in found.warnings[0]
    with pytest.raises(UsageError, match=r"may be in 'User ID': name the column with `user=User"):
        assay.experiment.analyze(data | {"User ID": range(200)}, "visit", arm="segment")


def test_users_in_two_arms_are_left_out_if_asked(tmp_path: Path) -> None:
    file = tmp_path / "data.csv"
    file.write_text("user,arm,x\na,old,1\nb,new,2\na,new,3\nc,old,4\nd,new,5\ne,old,6\n")
    refused = call("experiment", "analyze", str(file), "-m", "mean(x)")
    assert refused.code == 1
    assert "leave these users out with --crossed drop" in refused.err
    done = call("experiment", "analyze", str(file), "-m", "mean(x)", "--crossed", "drop")
    assert done.code == 0, done.err
    assert "1 user in more than one arm left out (2 rows), such as 'a'" in done.err
    found = assay.experiment.analyze(file, "mean(x)", crossed="drop")
    assert found.results["difference"].item() == 3.5 - 5


def test_shares_of_another_count_are_noted_and_may_be_undefined() -> None:
    data = {"arm": ["a", "b"], "users": [100, 100], "carts": [0, 50], "orders": [0, 20]}
    found = assay.experiment.analyze(data, "orders/carts", users="users")
    assert found.results["p"].is_nan().all()
    assert "orders/carts of b: the denominator of an arm is 0" in found.warnings
    assert any("too small if a user has several carts" in note for note in found.warnings)
    plain = assay.experiment.analyze(data, "orders", users="users")
    assert not any("too small" in note for note in plain.warnings)
