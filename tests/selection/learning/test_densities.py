"""Densities: fits against SciPy and scikit-learn, likelihood by hand, KS and PIT, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.stats
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks.density_models import NUMBERS, SEVERAL, histogram
from assay.selection.learning_tasks.mass_functions import COUNTS

pytest.importorskip("sklearn")
DRAW = np.random.default_rng(5)
POSITIVE = DRAW.gamma(3, 2, 400)[:, None]
COUNTED = DRAW.negative_binomial(4, 0.4, 300).astype(float)[:, None]


@pytest.mark.parametrize(
    ("name", "theirs"),
    [
        ("normal", lambda x: scipy.stats.norm(*scipy.stats.norm.fit(x))),
        ("log-normal", lambda x: scipy.stats.lognorm(np.log(x).std(), 0, np.exp(np.log(x).mean()))),
        ("exponential", lambda x: scipy.stats.expon(0, x.mean())),
        ("gamma", lambda x: scipy.stats.gamma(*scipy.stats.gamma.fit(x, floc=0))),
        ("laplace", lambda x: scipy.stats.laplace(*scipy.stats.laplace.fit(x))),
    ],
)
def test_families_are_maximum_likelihood(name: str, theirs: Any) -> None:
    model, expected = NUMBERS[name](POSITIVE), theirs(POSITIVE[:, 0])
    places = np.linspace(0.5, 20, 30)
    np.testing.assert_allclose(model.density(places[:, None]), expected.pdf(places), rtol=2e-5)
    assert model.distribution is not None
    np.testing.assert_allclose(model.distribution(places[:, None]), expected.cdf(places), rtol=2e-5)


@pytest.mark.parametrize("name", NUMBERS)
def test_densities_integrate_to_one_and_agree_with_their_distribution(name: str) -> None:
    model = NUMBERS[name](POSITIVE)
    places = np.linspace(-30, 80, 200_001)
    density = model.density(places[:, None])
    assert np.trapezoid(density, places) == pytest.approx(1, abs=2e-3)
    assert model.distribution is not None
    ends = model.distribution(np.array([[2.0], [7.0]]))
    inside = (places >= 2) & (places <= 7)
    assert np.trapezoid(density[inside], places[inside]) == pytest.approx(
        ends[1] - ends[0], abs=2e-3
    )


@pytest.mark.parametrize("name", COUNTS)
def test_masses_add_up_to_one(name: str) -> None:
    model = COUNTS[name](COUNTED)
    places = np.arange(400.0)[:, None]
    masses = model.density(places)
    assert masses.sum() == pytest.approx(1, abs=1e-9)
    assert model.distribution is not None
    np.testing.assert_allclose(model.distribution(places), np.cumsum(masses), atol=1e-9)


def test_the_size_of_the_negative_binomial_is_the_most_likely() -> None:
    model, mean = COUNTS["negative-binomial"](COUNTED), COUNTED.mean()
    own = np.log(model.density(COUNTED)).sum()
    grid = [
        scipy.stats.nbinom.logpmf(COUNTED[:, 0], size, size / (size + mean)).sum()
        for size in np.geomspace(0.5, 50, 400)
    ]
    assert own >= max(grid) - 1e-6


def test_a_histogram_worked_by_hand() -> None:
    # 0, 1, 2 and 4 in two bins of width 2: two items in [0, 2), two in [2, 4].
    model = histogram(np.array([[0.0], [1.0], [2.0], [4.0]]), 2)
    asked = np.array([[0.5], [3.0], [5.0]])
    assert model.density(asked).tolist() == [0.25, 0.25, 0]
    assert model.distribution is not None
    assert model.distribution(asked).tolist() == [0.125, 0.75, 1]


def test_the_likelihood_is_the_mean_log_density_of_held_out_items() -> None:
    found = assay.learn.density(POSITIVE[:, 0], models="normal")
    mean, spread = found.training.mean(), found.training.std()
    expected = scipy.stats.norm(mean, spread).logpdf(found.held_out[:, 0])
    assert found.scores["LogLik"]["normal"] == pytest.approx(expected.mean())
    theirs = scipy.stats.kstest(found.held_out[:, 0], "norm", args=(mean, spread))
    row = found.fits.row(0, named=True)
    assert row["KS"] == pytest.approx(theirs.statistic)
    assert row["p"] == pytest.approx(theirs.pvalue)
    aic = 4 - 2 * scipy.stats.norm(mean, spread).logpdf(found.training).sum()
    assert row["AIC"] == pytest.approx(aic)


def test_the_right_family_is_chosen() -> None:
    draw = np.random.default_rng(6)
    for name, values in {
        "exponential": draw.exponential(3, 3000),
        "log-normal": draw.lognormal(1, 0.8, 3000),
        "laplace": draw.laplace(0, 2, 3000),
    }.items():
        found = assay.learn.density(
            values, models=["normal", "log-normal", "exponential", "laplace"]
        )
        assert found.family == found.best == name
        assert found.fits.filter(model=name)["p"].item() > 0.01
    counted = assay.learn.density(draw.poisson(4, 2000), discrete=True)
    assert counted.family == "poisson"
    assert counted.fits.filter(model="poisson")["p"].item() > 0.01
    assert counted.fits.filter(model="geometric")["p"].item() < 1e-6


def test_bins_are_chosen_and_two_are_shown() -> None:
    draw = np.random.default_rng(7)
    values = np.concatenate([draw.normal(0, 1, 300), draw.normal(9, 1, 300)])
    found = assay.learn.density({"x": values}, models="histogram", bins=(4, 50))
    assert found.bins["training"][-1] == found.bins["training"].max()  # more bins fit ever better
    assert 5 < found.bins.sort("folds")["bins"][-1] < 60
    assert len(found.plot(show="few-bins").points["histogram"]["density"]) == 4
    assert len(found.plot(show="many-bins").points["histogram"]["density"]) == 50
    assert found.plot(show="many-bins").title == "Histogram of x with 50 bins"


def test_several_dimensions() -> None:
    draw = np.random.default_rng(8)
    both = draw.multivariate_normal([0, 5], [[1, 0.9], [0.9, 1]], 500)
    found = assay.learn.density(both, by={"half": np.arange(500) % 2})
    assert found.scores["LogLik"]["normal"] > found.scores["LogLik"]["histogram"]
    assert found.fits["KS"].is_nan().all()
    assert set(found.fits["reasons"]) == {"several dimensions have no order"}
    expected = scipy.stats.multivariate_normal(
        found.training.mean(axis=0), np.cov(found.training.T, bias=True)
    ).pdf(found.held_out)
    np.testing.assert_allclose(SEVERAL["normal"](found.training).density(found.held_out), expected)
    assert found.scores.slices == ("half=0", "half=1")


def test_models_that_do_not_fit_are_named() -> None:
    found = assay.learn.density(DRAW.normal(0, 1, 100))
    assert "gamma is not fitted: not all values are above 0" in found.notes
    assert "gamma" not in found.scores.systems


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x\n1\n1\n1\n", {}, "all items are equal"),
        ("x\n1\nnan\n3\n", {}, r"t\.csv:3: the feature x is missing"),
        ("x\na\nb\nc\n", {}, "x is text; choose columns of numbers with `features`"),
        ("x\n1.5\n2\n3\n", {"discrete": True}, "whole numbers from 0"),
        ("x\n1\n2\n3\n4\n", {"models": "poisson"}, "there is no model 'poisson'"),
        ("x\n1\n2\n3\n4\n5\n6\n", {"bins": [3]}, "two whole numbers"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.density(tmp_path / "t.csv", **options)


def test_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("n,g\n" + "".join(f"{n % 4},{n % 2}\n" for n in range(80)))
    done = call("learn", "density", "t.csv", "--features", "n", "--discrete", "--plot", "f.svg")
    assert done.code == 0, done.err
    assert "negative-binomial is not fitted: the variance is not above the mean" in done.out
    wrong = call("learn", "density", "t.csv", "--bins", "a")
    assert wrong.code == 2


def test_kernels_have_no_aic() -> None:
    found = assay.learn.density(POSITIVE[:, 0], models="kernel,normal")
    assert found.fits["AIC"].is_nan().to_list() == [True, False]
    assert found.family == "normal"


def test_the_band_of_the_pit_follows_the_confidence() -> None:
    values = POSITIVE[:, 0]
    for confidence in (0.5, 0.99):
        found = assay.learn.density(values, models="gamma", interval=assay.Bootstrap(confidence))
        figure = found.plot(show="pit")
        assert f"{100 * confidence:g} % of the bars" in figure.title
        low, high = scipy.stats.binom.interval(confidence, len(found.held_out), 0.1)
        (top,) = figure.points["band"]["high"]
        assert (figure.points["band"]["low"], top) == ([low], high)
    plain = assay.learn.density(values, models="gamma", interval=None).plot(show="pit")
    assert "band" not in plain.points
    assert "band" not in plain.title


def test_a_histogram_has_one_interval_wherever_it_is_shown() -> None:
    found = assay.learn.density(POSITIVE[:, 0], models="histogram")
    (own,) = found.scores.of("LogLik")
    row = found.bins.sort("folds", descending=True).row(0, named=True)
    shown = [row["held_out"], row["low"], row["high"]]
    assert shown == pytest.approx([own.value, own.low, own.high], rel=1e-12)


def test_points_of_several_dimensions_are_no_unlabeled_items() -> None:
    figure = assay.learn.density(np.column_stack([POSITIVE, POSITIVE**2])).plot(show="items")
    assert {*figure.points} == {"items"}
    assert "unlabeled" not in figure.svg
