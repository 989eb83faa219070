"""The numbers of an experiment equal those of scipy and statsmodels, or are worked by hand."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy import integrate, stats
from statsmodels.stats.meta_analysis import combine_effects
from statsmodels.stats.power import NormalIndPower, tt_ind_solve_power
from statsmodels.stats.proportion import confint_proportions_2indep, proportions_ztest

import assay
from assay.behavior.experiments.sequential import mixture_scale, sequential_p, sequential_reach
from assay.behavior.experiments.slice_effects import heterogeneity, shrink

GENERATOR = np.random.default_rng(7)
USERS = 400


@pytest.fixture(scope="module")
def data() -> pl.DataFrame:
    generator = np.random.default_rng(7)
    arm = generator.choice(["control", "new"], USERS)
    queries = 1 + generator.poisson(3, USERS)
    before = generator.normal(5, 2, USERS)
    return pl.DataFrame(
        {
            "user": [f"u{n:03}" for n in range(USERS)],
            "arm": arm,
            "spent": before + generator.normal(0, 1, USERS) + 0.3 * (arm == "new"),
            "before": before,
            "bought": generator.random(USERS) < 0.2 + 0.1 * (arm == "new"),
            "queries": queries,
            "clicks": generator.binomial(queries, 0.4),
            "device": generator.choice(["desk", "phone", "tablet"], USERS),
        }
    )


def arms(data: pl.DataFrame, column: str) -> tuple[np.ndarray, np.ndarray]:
    old, new = (
        data.filter(pl.col("arm") == name)[column].to_numpy() for name in ("control", "new")
    )
    return old, new


def row_of(result: assay.experiment.ExperimentResult) -> dict:
    return result.results.row(0, named=True)


def test_means_equal_welch(data: pl.DataFrame) -> None:
    found = row_of(assay.experiment.analyze(data, "spent"))
    old, new = arms(data, "spent")
    expected = stats.ttest_ind(new, old, equal_var=False)
    assert found["p"] == pytest.approx(expected.pvalue, rel=1e-12)
    assert (found["low"], found["high"]) == pytest.approx(expected.confidence_interval(), rel=1e-10)


def test_shares_equal_statsmodels(data: pl.DataFrame) -> None:
    found = row_of(assay.experiment.analyze(data, "bought"))
    old, new = arms(data, "bought")
    counts, sizes = [new.sum(), old.sum()], [len(new), len(old)]
    assert found["kind"] == "share"
    assert found["p"] == pytest.approx(proportions_ztest(counts, sizes)[1], rel=1e-10)
    expected = confint_proportions_2indep(
        counts[0], sizes[0], counts[1], sizes[1], method="newcomb", compare="diff"
    )
    assert (found["low"], found["high"]) == pytest.approx(expected, rel=1e-10)


def test_ratios_equal_the_delta_method(data: pl.DataFrame) -> None:
    found = row_of(assay.experiment.analyze(data, "clicks/queries"))
    squared, values = [], []
    for top, bottom in zip(arms(data, "clicks"), arms(data, "queries"), strict=True):
        value = top.sum() / bottom.sum()
        covariance = np.cov(top, bottom)
        spread = covariance[0, 0] - 2 * value * covariance[0, 1] + value**2 * covariance[1, 1]
        squared.append(spread / (len(top) * bottom.mean() ** 2))
        values.append(value)
    statistic = (values[1] - values[0]) / math.sqrt(sum(squared))
    assert found["difference"] == pytest.approx(values[1] - values[0], rel=1e-12)
    assert found["p"] == pytest.approx(2 * stats.norm.sf(abs(statistic)), rel=0.01)
    relative = math.sqrt(squared[1] / values[0] ** 2 + values[1] ** 2 * squared[0] / values[0] ** 4)
    width = (found["relative_high"] - found["relative_low"]) / 2 / 1.966
    assert width == pytest.approx(relative, rel=2e-3)


def test_several_rows_of_a_user_are_one_unit(data: pl.DataFrame) -> None:
    whole = row_of(assay.experiment.analyze(data, "clicks/queries"))
    twice = pl.concat([data.with_columns(clicks=pl.col("clicks") - 0 * pl.col("queries"))] * 2)
    found = row_of(assay.experiment.analyze(twice, "clicks/queries"))
    assert found["p"] == pytest.approx(whole["p"], rel=1e-12)
    assert found["users"] == whole["users"]


def test_cuped_by_its_formula(data: pl.DataFrame) -> None:
    found = assay.experiment.analyze(data, "spent", covariates={"spent": "before"})
    spent, before = data["spent"].to_numpy(), data["before"].to_numpy()
    theta = np.cov(spent, before)[0, 1] / before.var(ddof=1)
    adjusted = spent - theta * (before - before.mean())
    inside = (data["arm"] == "new").to_numpy()
    expected = stats.ttest_ind(adjusted[inside], adjusted[~inside], equal_var=False)
    assert row_of(found)["p"] == pytest.approx(expected.pvalue, rel=1e-9)
    left = 1 - np.corrcoef(spent, before)[0, 1] ** 2
    assert f"{left:.0%} of the variance is left" in " ".join(found.warnings)
    plain = row_of(assay.experiment.analyze(data, "spent"))
    width = (row_of(found)["high"] - row_of(found)["low"]) / (plain["high"] - plain["low"])
    assert width == pytest.approx(math.sqrt(left), rel=0.1)


def test_users_without_a_covariate_are_not_adjusted(data: pl.DataFrame) -> None:
    unknown = data.with_columns(
        before=pl.when(pl.col("user") < "u100").then(None).otherwise(pl.col("before"))
    )
    found = assay.experiment.analyze(unknown, "spent", covariates={"spent": "before"})
    assert "100 users without a covariate" in " ".join(found.warnings)
    assert math.isfinite(row_of(found)["p"])


def test_winsorized_sums_are_cut_at_a_quantile_of_all_users(data: pl.DataFrame) -> None:
    found = row_of(assay.experiment.analyze(data, "winsorized(spent, 0.9)"))
    cap = np.quantile(data["spent"].to_numpy(), 0.9)
    old, new = arms(data, "spent")
    expected = stats.ttest_ind(np.minimum(new, cap), np.minimum(old, cap), equal_var=False)
    assert found["p"] == pytest.approx(expected.pvalue, rel=1e-12)


def test_quantiles_have_the_error_of_the_bootstrap(data: pl.DataFrame) -> None:
    found = row_of(assay.experiment.analyze(data, "quantile(spent, 0.5)"))
    generator = np.random.default_rng(3)
    old, new = arms(data, "spent")
    medians = [
        np.median(generator.choice(new, len(new))) - np.median(generator.choice(old, len(old)))
        for _ in range(2000)
    ]
    assert found["difference"] == pytest.approx(np.median(new) - np.median(old))
    assert (found["high"] - found["low"]) / 3.93 == pytest.approx(np.std(medians), rel=0.25)


def test_sequential_p_values_are_the_mixture_by_quadrature() -> None:
    """The likelihood ratio of the estimate, averaged over normal effects, is 1/p."""
    value, squared, users = 0.21, 0.0064, 3000
    scale = mixture_scale(5000, 0.05)
    spread = math.sqrt(scale * squared * users)
    mixed, _ = integrate.quad(
        lambda effect: (
            stats.norm.pdf(value, effect, math.sqrt(squared)) * stats.norm.pdf(effect, 0, spread)
        ),
        -3,
        3,
        points=[value],
    )
    evidence = mixed / stats.norm.pdf(value, 0, math.sqrt(squared))
    assert sequential_p(value, squared, users, scale) == pytest.approx(1 / evidence, rel=1e-6)
    reach = sequential_reach(squared, users, scale, 0.05)
    assert sequential_p(reach, squared, users, scale) == pytest.approx(0.05, rel=1e-9)


def test_heterogeneity_equals_statsmodels() -> None:
    values, squared = np.array([0.1, 0.5, -0.2, 0.9]), np.array([0.04, 0.02, 0.05, 0.03])
    expected = combine_effects(values, squared, method_re="dl")
    assert heterogeneity(values, squared) == pytest.approx(expected.tau2, rel=1e-10)
    shrunk, _ = shrink(values, np.sqrt(squared))
    center = expected.mean_effect_re
    assert (np.abs(shrunk - center) < np.abs(values - center)).all()
    assert (np.sign(shrunk - center) == np.sign(values - center)).all()


def test_plans_equal_statsmodels() -> None:
    found = assay.experiment.plan(0.1, deviation=1.5, share=0.2).row(0, named=True)
    expected = NormalIndPower().solve_power(0.1 / 1.5, power=0.8, alpha=0.05, ratio=4)
    assert found["users_arm"] == pytest.approx(expected, rel=1e-3)
    assert found["users_control"] == pytest.approx(4 * expected, rel=1e-3)
    equal = assay.experiment.plan(0.1, deviation=1.5)["users_arm"].item()
    assert equal == pytest.approx(tt_ind_solve_power(0.1 / 1.5, power=0.8, alpha=0.05), rel=1e-3)
    small = assay.experiment.plan(0.01, baseline=0.19, share=0.01).row(0, named=True)
    assert small["users"] > 40 * assay.experiment.plan(0.01, baseline=0.19)["users"].item() / 2
    adjusted = assay.experiment.plan(0.1, deviation=1.5, correlation=0.7)["users"].item()
    assert adjusted == pytest.approx(2 * equal * (1 - 0.49), rel=1e-3)
    often = assay.experiment.plan(0.1, deviation=1.5, sequential=True)["users"].item()
    assert 1.2 < often / (2 * equal) < 2.5


def test_sample_ratio_equals_scipy(data: pl.DataFrame) -> None:
    shares = {"control": 0.6, "new": 0.4}
    found = assay.experiment.analyze(data, "spent", shares=shares, ignore_sample_ratio=True)
    counts = [len(each) for each in arms(data, "spent")]
    expected = stats.chisquare(counts, [0.6 * USERS, 0.4 * USERS])
    assert found.sample_ratio["p"].item() == pytest.approx(expected.pvalue, rel=1e-12)


def test_a_broken_sample_ratio_hides_the_results(data: pl.DataFrame) -> None:
    shares = {"control": 0.8, "new": 0.2}
    found = assay.experiment.analyze(data, "spent", shares=shares)
    assert found.hidden
    assert found.results.height == 0
    assert found.verdicts()[0].startswith("No result: the sample ratio is broken")
    assert "`" not in found.verdicts()[0]
    assert "`ignore_sample_ratio` shows the numbers" in found.warnings[-1]
    assert '"results": []' in found.to_json()
    shown = assay.experiment.analyze(data, "spent", shares=shares, ignore_sample_ratio=True)
    assert shown.results.height == 1
    assert not any("ignore_sample_ratio" in each for each in shown.warnings)


def test_a_broken_ratio_of_one_slice_is_found() -> None:
    users = [f"u{n}" for n in range(2000)]
    device = ["phone" if n < 400 else "desk" for n in range(2000)]
    arm = ["new" if (n % 2 if n >= 400 else n % 4 == 0) else "control" for n in range(2000)]
    data = {"user": users, "arm": arm, "x": range(2000), "device": device}
    found = assay.experiment.analyze(data, "mean(x)", by="device")
    status = dict(found.sample_ratio.select("slice", "status").iter_rows())
    assert status["phone"] == "broken"
    assert status["desk"] == "fine"
    assert found.hidden


def test_line_order_changes_no_bit(data: pl.DataFrame) -> None:
    names = ["spent", "bought", "clicks/queries", "quantile(spent,0.9)", "winsorized(spent)"]
    shuffled = data.sample(fraction=1.0, shuffle=True, seed=3)
    one = assay.experiment.analyze(data, names, by="device")
    other = assay.experiment.analyze(shuffled, names, by="device")
    assert one.results.equals(other.results)
    assert one.slices.equals(other.slices)
    assert assay.experiment.analyze(data.to_pandas(), names).results.equals(
        assay.experiment.analyze(data, names).results
    )


def test_triggered_users_and_what_it_means_for_all(data: pl.DataFrame) -> None:
    seen = data.with_columns(seen=pl.col("user") >= "u300")
    found = row_of(assay.experiment.analyze(seen, "spent", trigger="seen"))
    part = row_of(assay.experiment.analyze(seen.filter("seen"), "spent"))
    assert found["difference"] == part["difference"]
    assert found["difference_all_users"] == pytest.approx(part["difference"] * 100 / USERS)


def test_guardrails() -> None:
    generator = np.random.default_rng(1)
    arm = np.repeat(["control", "new"], 500)
    slow = generator.normal(100, 5, 1000) + 3 * (arm == "new")
    data = {
        "user": list(range(1000)),
        "arm": arm,
        "ms": slow,
        "same": generator.normal(10, 1, 1000),
    }
    options = {"guardrails": ["ms", "same"], "lower": ["ms"]}
    found = assay.experiment.analyze(data, **options, margin=0.02).guardrails
    assert dict(found.select("measure", "status").iter_rows()) == {"ms": "harmed", "same": "safe"}
    strict = assay.experiment.analyze(data, **options, margin=0.028).guardrails
    assert strict["status"].to_list()[0] == "undecided"
    bare = assay.experiment.analyze(data, **options).guardrails
    assert bare["status"].to_list() == ["harmed", "no harm found"]


def test_novelty_is_a_trend_with_the_user_as_the_unit() -> None:
    generator = np.random.default_rng(11)
    rows = []
    for user in range(600):
        arm = "new" if user % 2 else "control"
        habit = generator.normal(0, 1)
        for day in range(7):
            lift = (1.0 - 0.15 * day) * (arm == "new")
            rows.append((str(user), arm, f"2024-05-0{day + 1}", habit + generator.normal() + lift))
    data = pl.DataFrame(rows, schema=["user", "arm", "day", "x"], orient="row")
    found = assay.experiment.analyze(data, "mean(x)", day="day")
    trend = found.trends.row(0, named=True)
    assert trend["slope"] == pytest.approx(-0.15, abs=3 * trend["error"])
    assert trend["p"] < 0.001
    assert "falls by" in found.verdicts()[-1]
    slopes = data.group_by("user", "arm").agg(
        slope=(pl.col("x") * (pl.col("day").str.slice(9).cast(pl.Int64) - 4)).sum() / 28
    )
    split = [
        slopes.filter(pl.col("arm") == name)["slope"].to_numpy() for name in ("new", "control")
    ]
    expected = stats.ttest_ind(*split, equal_var=False)
    assert trend["p"] == pytest.approx(expected.pvalue, rel=0.02)


def test_days_have_quantiles_and_winsorized_means() -> None:
    random = np.random.default_rng(11)
    day = np.repeat(["2024-05-01", "2024-05-02", "2024-05-03"], 200)
    data = pl.DataFrame(
        {
            "user": [f"u{n}" for n in range(600)],
            "arm": np.tile(["a", "b"], 300),
            "day": day,
            "x": random.exponential(size=600),
        }
    )
    names = ["quantile(x,0.9)", "winsorized(x,0.95)"]
    found = assay.experiment.analyze(data, names, day="day")
    for number, name in enumerate(names):
        assert found.trends["measure"][number] == name
        for each in ("2024-05-01", "2024-05-03"):
            own = data.filter(pl.col("day") == each)
            alone = assay.experiment.analyze(own, name).results.row(0, named=True)
            chosen = (pl.col("measure") == name) & (pl.col("day") == each)
            row = found.days.row(by_predicate=chosen, named=True)
            for column in ("difference", "low", "high", "p"):
                assert row[column] == pytest.approx(alone[column], rel=1e-12)


def test_looks_keep_the_smallest_p(data: pl.DataFrame) -> None:
    days = data.with_columns(
        day=pl.lit("2024-05-0") + (pl.int_range(pl.len()) % 5 + 1).cast(pl.String)
    )
    found = assay.experiment.analyze(days, "spent", day="day", sequential=True)
    assert found.looks["users"].to_list() == [80, 160, 240, 320, 400]
    p = found.looks["p"].to_list()
    assert p == sorted(p, reverse=True)
    assert row_of(found)["p"] == p[-1]
    assert found.looks["low"][0] == -math.inf
