"""Numbers near the ends of double precision: right, or undefined with the true reason."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay import AssayError
from assay.core.arrays import constant_rows, power_of_two
from assay.core.errors import DataError
from assay.core.names import measure
from assay.engine.local import TOO_LARGE
from assay.measures.probabilities.calibration import bin_numbers
from assay.tasks.regression.values_in_parts import regression_in_parts
from assay.testing import rankings

pytestmark = pytest.mark.filterwarnings("error")
RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.normal(size=40)
SAID = TRUTH + 0.4 * RANDOM.normal(size=40)
SCALE_FREE = "R2 Pearson EV CCC Spearman"
SIZES = [1e200, 1e307, 1e-200, 1e-300]


def regression(truth: Any, said: Any, measures: str, **more: Any) -> Any:
    data = {"truth": list(truth), "said": list(said)}
    return assay.regression(data, truth="truth", predicted="said", measures=measures, **more)


def values(found: Any) -> dict[str, float]:
    return {each.measure: each.value for each in found.results}


@pytest.mark.parametrize("size", SIZES)
def test_measures_without_a_unit_do_not_depend_on_the_size(size: float) -> None:
    usual = values(regression(TRUTH, SAID, SCALE_FREE, interval=None))
    extreme = values(regression(TRUTH * size, SAID * size, SCALE_FREE, interval=None))
    assert extreme == pytest.approx(usual, rel=1e-9)
    own = values(regression(TRUTH, SAID, "RMSE MAE", interval=None))
    found = values(regression(TRUTH * size, SAID * size, "RMSE MAE", interval=None))
    assert found == pytest.approx({name: size * value for name, value in own.items()}, rel=1e-9)


@pytest.mark.parametrize("size", SIZES)
def test_truth_and_prediction_may_differ_in_size(size: float) -> None:
    usual = values(regression(TRUTH, SAID, "Pearson", interval=None))
    for truth, said in ((TRUTH * size, SAID), (TRUTH, SAID * size)):
        assert values(regression(truth, said, "Pearson", interval=None)) == pytest.approx(usual)


def test_what_no_number_can_hold_is_undefined_with_the_reason() -> None:
    for truth, said, name in (
        (TRUTH * 1e200, SAID * 1e200, "MSE"),
        (TRUTH * 1e-200, SAID, "R2"),
    ):
        result = regression(truth, said, name, interval=None).results[0]
        assert math.isnan(result.value)
        assert TOO_LARGE in result.reasons


def test_intervals_of_extreme_numbers_raise_no_warning() -> None:
    usual = regression(TRUTH, SAID, "R2 MAE RMSE")
    for size in (1e200, 1e307):
        found = regression(TRUTH * size, SAID * size, "R2 MAE RMSE MSE")
        assert found.of("R2")[0].interval == pytest.approx(usual.of("R2")[0].interval, rel=1e-6)


def test_parts_of_a_file_join_whatever_their_size(tmp_path: Path) -> None:
    sizes = np.repeat([1.0, 1e200], 20)
    frame = pl.DataFrame({"truth": TRUTH * sizes, "predicted": SAID * sizes})
    frame.write_parquet(tmp_path / "pairs.parquet")
    names = "R2 Pearson RMSE"
    known = regression(TRUTH * sizes, SAID * sizes, names, interval=None)
    for rows in (1, 7, 20, 40):
        found = regression_in_parts(tmp_path / "pairs.parquet", names, rows=rows)
        for one, other in zip(found.results, known.results, strict=True):
            assert one.value == other.value


@pytest.mark.parametrize("value", [0.1, 1e200, -3e-5, 1 / 3])
def test_a_constant_is_found_by_its_extremes_not_by_rounding(value: float) -> None:
    for count in (6, 10, 37):
        found = regression([value] * count, SAID[:count], "R2 EV Pearson", interval=None)
        for result in found.results:
            assert result.reasons == ("the true values do not vary",)
        other = regression(TRUTH[:count], [value] * count, "Pearson", interval=None).results[0]
        assert other.reasons == ("the predictions do not vary",)


@pytest.mark.parametrize("size", [1e200, 1e307, 1e-200])
def test_correlations_of_orders(size: float) -> None:
    data = {"item": [f"{n:02}" for n in range(40)], "u": TRUTH, "v": SAID}
    columns: dict[str, Any] = {"item": "item", "first": "u", "second": "v", "measures": "r rho tau"}
    usual = values(assay.correlation(data, **columns, interval=None))
    large = data | {"u": TRUTH * size}
    assert values(assay.correlation(large, **columns, interval=None)) == pytest.approx(usual)
    flat = data | {"u": np.full(40, 0.1)}
    assert assay.correlation(flat, **columns, interval=None).results[0].reasons[0]


@pytest.mark.parametrize("size", [1e200, 1e307, 1e-200])
def test_clusters_of_points(size: float) -> None:
    points = np.concatenate([RANDOM.normal(size=(20, 2)), RANDOM.normal(3, 1, size=(20, 2))])
    asked = "silhouette DB CH Dunn explained_squares"

    def clustering(factor: float, measures: str) -> Any:
        columns = {"x1": points[:, 0] * factor, "x2": points[:, 1] * factor}
        data = {"c": ["a"] * 20 + ["b"] * 20, **columns}
        return assay.clustering(
            data, cluster="c", features=["x1", "x2"], measures=measures, interval=None
        )

    assert values(clustering(size, asked)) == pytest.approx(values(clustering(1, asked)), rel=1e-9)
    squares = clustering(size, "WSS").results[0]
    assert math.isnan(squares.value) == (size > 1)
    if size > 1:
        assert squares.reasons == (TOO_LARGE,)


def test_scales_are_powers_of_two_and_constant_rows_are_exact() -> None:
    assert power_of_two(np.asarray([1.0, -5e100])) == 1
    assert power_of_two(np.asarray([3e200])) == 2.0 ** math.floor(math.log2(3e200))
    assert power_of_two(np.asarray([1.7e308])) == 2.0**1023
    weight = np.asarray([[1.0, 0, 2], [1, 1, 1], [0, 0, 0]])
    assert constant_rows(np.asarray([0.1, 0.2, 0.1]), weight).tolist() == [True, False, True]


@pytest.mark.parametrize("bins", [2, 3, 5, 7, 10, 15])
def test_quantile_bins_have_equal_numbers_of_items(bins: int) -> None:
    for size in range(bins, 200):
        counts = np.bincount(bin_numbers(RANDOM.random(size), bins, "quantile"))
        assert len(counts) == bins
        assert counts.max() - counts.min() <= 1


def test_equal_forecasts_share_a_quantile_bin() -> None:
    places = bin_numbers(np.asarray([0.1] * 6 + [0.2, 0.3]), 4, "quantile")
    assert len(set(places[:6].tolist())) == 1


def test_exponential_gains_of_large_grades_are_refused() -> None:
    judged = {"q": {"a": 2000, "b": 1}}
    run = {"q": {"a": 2.0, "b": 1.0}}
    with pytest.raises(DataError, match=r"the grade 2000 is too large for gains of 2\^grade"):
        assay.retrieval(judged, run, "nDCG(gain=exp)@10", interval=None)
    assert assay.retrieval(judged, run, "nDCG@10", interval=None).results[0].value == 1
    with pytest.raises(DataError, match="gmax = 2000 is too large"):
        measure("ERR(gmax=2000)@10", "retrieval")(rankings("+-"))


@pytest.mark.parametrize("name", ["RBP(p=1)", "RBP_residual(p=1)", "Compat(p=1)", "NRBP(beta=1)"])
def test_a_user_who_never_stops_is_refused(name: str) -> None:
    with pytest.raises(AssayError, match="a user who always goes on never stops"):
        measure(name)


def test_scores_that_cannot_be_compared_are_named(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    rows = [f"{s},{u},{0.1 * u}" for s in "AB" for u in range(1, 6)]
    for text in ("inf", "1e300"):
        file.write_text("system,query,AP\n" + "\n".join(rows).replace("A,2,0.2", f"A,2,{text}"))
        for words in (("compare",), ("compare", "--test", "tukey"), ("power",)):
            done = call(words[0], str(file), *words[1:])
            assert done.code == 1
            assert f"scores.csv: AP of A is {float(text):g} for the unit 2" in done.err


def test_means_of_values_whose_sum_overflows() -> None:
    frame = pl.DataFrame({"truth": [1e308, -1e308] * 5, "said": [0.0] * 10})
    found = assay.regression(frame, truth="truth", predicted="said", measures="MAE", interval=None)
    assert found.results[0].value == pytest.approx(1e308)
