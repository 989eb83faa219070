"""The mixed model equals statsmodels and balanced analyses of variance, and keeps its level."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import polars as pl
import pytest
from scipy import stats
from tests.behavior.laboratory.simulated_trials import rejection_rate, simulate_trials

import assay


def test_crossed_effects_equal_statsmodels() -> None:
    """statsmodels has crossed effects as variance components of one group of all rows."""
    from statsmodels.regression.mixed_linear_model import MixedLM

    design = assay.lab.design(["a", "b"], 6, 10).plan
    data = simulate_trials(np.random.default_rng(4), design, {"b": 0.8})
    ours = assay.lab.analyze(data, "y")
    frame = data.to_pandas()
    frame["one"] = 1
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        fit = MixedLM.from_formula(
            "y ~ system + order",
            frame,
            groups="one",
            re_formula="0",
            vc_formula={"participant": "0 + C(participant)", "task": "0 + C(task)"},
        ).fit(reml=True)
    row = ours.pairs.row(0, named=True)
    assert row["difference"] == pytest.approx(fit.params["system[T.b]"], rel=1e-3)
    assert (row["high"] - row["low"]) / 2 == pytest.approx(
        stats.t.ppf(0.975, row["df"]) * fit.bse["system[T.b]"], rel=2e-3
    )
    sizes = dict(ours.variances.select("effect", "variance").iter_rows())
    assert sizes["participant"] == pytest.approx(fit.vcomp[0], rel=0.02)
    assert sizes["task"] == pytest.approx(fit.vcomp[1], rel=0.02)
    assert sizes["residual"] == pytest.approx(fit.scale, rel=0.01)


def test_a_balanced_table_equals_the_analysis_of_variance() -> None:
    """With one value for each participant and system, F is that of repeated measures."""
    generator = np.random.default_rng(9)
    people, systems = 12, 3
    table = generator.normal(0, 1, (people, 1)) * 2 + generator.normal(0, 1, (people, systems))
    data = {
        "participant": np.repeat(np.arange(people), systems),
        "system": np.tile(["a", "b", "c"], people),
        "y": table.ravel(),
    }
    mixed = assay.lab.analyze(data, "y").tests.row(0, named=True)
    paired = assay.lab.analyze(data, "y", method="paired").tests.row(0, named=True)
    assert mixed["F"] == pytest.approx(paired["F"], rel=1e-4)
    assert mixed["df_error"] == pytest.approx((people - 1) * (systems - 1), rel=1e-3)
    centered = table - table.mean(axis=1, keepdims=True)
    between = people * ((table.mean(axis=0) - table.mean()) ** 2).sum() / (systems - 1)
    within = ((centered - centered.mean(axis=0)) ** 2).sum() / ((people - 1) * (systems - 1))
    assert paired["F"] == pytest.approx(between / within, rel=1e-12)


def test_pairs_equal_scipy() -> None:
    design = assay.lab.design(["a", "b"], 4, 8).plan
    data = simulate_trials(np.random.default_rng(2), design, {"b": 1.0})
    row = assay.lab.analyze(data, "y", method="paired").pairs.row(0, named=True)
    means = data.group_by("participant", "system").agg(pl.col("y").mean()).sort("participant")
    one, two = (means.filter(pl.col("system") == name)["y"].to_numpy() for name in "ba")
    assert row["p"] == pytest.approx(stats.ttest_rel(one, two).pvalue, rel=1e-12)
    assert row["p_wilcoxon"] == pytest.approx(stats.wilcoxon(one, two).pvalue, rel=1e-12)
    spread = (one - two).std(ddof=1)
    assert row["effect_size"] == pytest.approx((one - two).mean() / spread, rel=1e-12)


def test_an_effect_is_found_and_a_component_of_0_is_no_problem() -> None:
    design = assay.lab.design(["a", "b", "c"], 6, 12).plan
    data = simulate_trials(np.random.default_rng(1), design, {"c": 1.5}, (1.0, 0.0, 1.0))
    found = assay.lab.analyze(data, "y")
    clear = found.pairs.filter(pl.col("p_corrected") < 0.05).select("system", "baseline").rows()
    assert clear == [("c", "a"), ("c", "b")]
    assert found.verdicts()[0].startswith("y: c is above a")


def test_few_experiments_without_an_effect() -> None:
    assert rejection_rate(12, seed=2221) <= 0.25


@pytest.mark.simulate
def test_1000_experiments_without_an_effect() -> None:
    rate = rejection_rate(1000, seed=2222)
    sys.stderr.write(f"\nmixed model: {rate:.1%} significant\n")
    assert rate == pytest.approx(0.05, abs=0.02)
