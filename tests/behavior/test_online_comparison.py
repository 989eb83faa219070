"""An A/B test on the page of all evidence: its direction, and an assignment of a share of users."""

from __future__ import annotations

import polars as pl
import pytest

import assay
from assay.behavior.online_comparison import combine_evidence


def _visits() -> pl.DataFrame:
    """Users of the arm new click more often."""
    users = [f"u{each}" for each in range(400)]
    arms = ["old", "new"] * 200
    clicks = [(place % 5) + 2 * (arm == "new") for place, arm in enumerate(arms)]
    return pl.DataFrame({"user": users, "arm": arms, "clicks": clicks})


@pytest.mark.parametrize(("system", "baseline"), [("new", "old"), ("old", "new")])
@pytest.mark.parametrize("control", ["new", "old"])
def test_the_arm_with_more_clicks_is_favored_however_it_is_asked(
    system: str, baseline: str, control: str
) -> None:
    found = assay.experiment.analyze(_visits(), "clicks", control=control)
    combined = combine_evidence(None, None, found, system=system, baseline=baseline)
    (row,) = combined.evidence.rows(named=True)
    assert row["favors"] == "new"
    assert (row["difference"] > 0) == (system == "new")
    assert row["low"] < row["difference"] < row["high"]
    assert combined.verdicts()[0] == "There is one kind of evidence: A/B test favors new."


def test_users_outside_the_experiment_have_no_arm() -> None:
    visits = _visits()
    outside = pl.DataFrame({"user": ["x", "y"], "arm": [None, ""]}, schema_overrides={"arm": str})
    arms = pl.concat([visits.select("user", "arm"), outside])
    data = visits.drop("arm")
    found = assay.experiment.analyze(data, "clicks", control="old", arms=arms)
    assert found.results["users"].to_list() == [200]
    more = pl.concat([data, pl.DataFrame({"user": ["x"], "clicks": [1]})])
    with pytest.raises(assay.AssayError, match="'x' has no arm"):
        assay.experiment.analyze(more, "clicks", control="old", arms=arms)
