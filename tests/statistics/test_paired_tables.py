"""Measures of whole tables: two systems are compared by drawing their items together."""

from __future__ import annotations

import math
import pickle
import warnings
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scipy.stats
from sklearn.metrics import (
    f1_score,
    matthews_corrcoef,
    normalized_mutual_info_score,
    roc_auc_score,
    roc_curve,
)
from statsmodels.stats.contingency_tables import mcnemar
from tests.statistics.delong import delong_test
from tests.statistics.two_classifiers import (
    NAMES,
    SCORES,
    SIZE,
    TRUTH,
    both,
    evaluated,
    frame,
)

import assay
from assay.core.errors import DataError, UsageError
from assay.statistics.differences.paired_samples import pair_systems
from assay.statistics.differences.samples import TableSample
from assay.statistics.differences.table_distributions import (
    ResampledDistribution,
    TableDistributions,
)
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.tasks.scores.read_scores import merge_scores


def test_differences_are_those_of_scikit_learn() -> None:
    found = assay.compare(both(), baseline="a").pairs
    theirs = {}
    for name in SCORES:
        said = SCORES[name] > 0.6
        theirs[name] = (
            matthews_corrcoef(TRUTH, said),
            roc_auc_score(TRUTH, SCORES[name]),
            f1_score(TRUTH, said),
            np.mean(said == TRUTH),
        )
    expected = np.subtract(theirs["b"], theirs["a"])
    np.testing.assert_allclose(found["difference"].to_numpy(), expected, rtol=1e-9)
    assert found["units"].to_list() == [SIZE] * 4


def test_two_areas_are_compared_by_delong() -> None:
    pair = assay.compare(both("AUC"), baseline="a").pairs.row(0, named=True)
    theirs = delong_test(TRUTH, SCORES["a"], SCORES["b"])
    assert pair["p"] == pytest.approx(theirs.p, rel=1e-9)
    assert pair["statistic"] == pytest.approx(theirs.statistic, rel=1e-9)
    error = pair["difference"] / pair["statistic"]
    assert pair["high"] - pair["difference"] == pytest.approx(1.959964 * error, rel=1e-6)
    assert (pair["interval"], pair["test"]) == ("closed form", "closed form over items")
    gini = assay.compare(both("Gini"), baseline="a").pairs.row(0, named=True)
    assert gini["p"] == pytest.approx(theirs.p, rel=1e-9)


def test_resamples_by_hand() -> None:
    """The items of both systems are drawn alike, in the bytewise order of their names."""
    sample = pair_systems(merge_scores(both("MCC")), "MCC")
    assert isinstance(sample, TableSample)
    spread = TableDistributions(sample, Bootstrap(resamples=20)).difference(0, 1)
    assert isinstance(spread, ResampledDistribution)
    drawn = spread.drawn
    random = np.random.default_rng(1)
    for value, chosen in zip(drawn, random.integers(0, SIZE, (20, SIZE)), strict=True):
        again = [
            matthews_corrcoef(TRUTH[chosen], SCORES[name][chosen] > 0.6) for name in ("a", "b")
        ]
        assert value == pytest.approx(again[1] - again[0], rel=1e-9)


def test_accuracy_has_items_as_units() -> None:
    found = assay.compare(both("ACC"), baseline="a", test="mcnemar").pairs.row(0, named=True)
    right = {name: (SCORES[name] > 0.6) == TRUTH for name in SCORES}
    table = [[0, (right["a"] & ~right["b"]).sum()], [(~right["a"] & right["b"]).sum(), 0]]
    assert found["p"] == pytest.approx(mcnemar(np.asarray(table), exact=True).pvalue, rel=1e-9)
    assert (found["wins"], found["losses"]) == (table[1][0], table[0][1])


def test_identical_systems_have_p_one_and_no_difference() -> None:
    one = [evaluated(frame("a"), "one"), evaluated(frame("a"), "two")]
    found = assay.compare(one, margin=0.05).pairs
    assert found["p"].to_list() == [1.0] * 4
    assert found["difference"].to_list() == [0.0] * 4
    assert found["interval"].to_list() == ["no width"] * 4
    assert found["better_chance"].max() == 0
    assert found["equivalence_p"].max() < 0.01


def test_nothing_depends_on_the_order_of_rows_or_on_other_systems() -> None:
    three = [*both("MCC F"), evaluated(frame("a"), "c", "MCC F")]
    together = assay.compare(three, baseline="a").pairs.filter(pl.col("system") == "b")
    alone = assay.compare(both("MCC F"), baseline="a").pairs
    for fact in ("difference", "low", "high", "p"):
        assert together[fact].to_list() == alone[fact].to_list()


def test_items_that_one_system_lacks_are_left_out_and_counted() -> None:
    few = frame("b").head(100)
    scores = [evaluated(frame("a"), "a", "MCC"), evaluated(few, "b", "MCC")]
    found = assay.compare(scores, baseline="a")
    pair = found.pairs.row(0, named=True)
    expected = [matthews_corrcoef(TRUTH[:100], (SCORES[name] > 0.6)[:100]) for name in "ab"]
    assert pair["difference"] == pytest.approx(expected[1] - expected[0], rel=1e-9)
    assert pair["units"] == 100
    assert any("b lacks 50 of 150 items" in note for note in found.warnings)
    with pytest.raises(DataError, match="b lacks 50 of 150 items"):
        assay.compare(scores, missing="error")
    with pytest.raises(UsageError, match="cannot count as zero"):
        assay.compare(scores, missing="zero")


def test_another_truth_and_unnamed_items_are_refused(tmp_path: Path) -> None:
    other = frame("b").with_columns(truth=pl.lit("no"))
    with pytest.raises(DataError, match=r"the truth of the item 'i\d+' is yes in a and no in b"):
        assay.compare([evaluated(frame("a"), "a"), evaluated(other, "b")])
    unnamed = [evaluated(frame(name), name, "MCC", item=None) for name in "ab"]
    with pytest.raises(DataError, match="name the column of items"):
        assay.compare(unnamed)


def test_saved_scores_and_joint_tests_say_what_is_lacking(tmp_path: Path) -> None:
    scores = merge_scores(both("MCC"))
    scores.save(tmp_path / "s.parquet")
    with pytest.raises(DataError, match="do not include the items behind it"):
        assay.compare(tmp_path / "s.parquet")
    with pytest.raises(DataError, match="one number for a whole table, but values of units are"):
        assay.compare(scores, test="tukey")
    assert pickle.loads(pickle.dumps(scores)).evidence == {}


def test_slices_weights_and_clusters_of_items() -> None:
    kinds = dict(zip(NAMES.tolist(), np.where(np.arange(SIZE) % 3 == 0, "x", "y"), strict=True))
    found = assay.compare(both("MCC"), baseline="a", by=kinds).pairs
    part = np.arange(SIZE) % 3 == 0
    expected = [matthews_corrcoef(TRUTH[part], (SCORES[name] > 0.6)[part]) for name in "ab"]
    row = found.filter(pl.col("slice") == "x").row(0, named=True)
    assert row["difference"] == pytest.approx(expected[1] - expected[0], rel=1e-9)

    weights = {name: 1.0 + n % 2 for n, name in enumerate(NAMES.tolist())}
    row = assay.compare(both("MCC"), baseline="a", weights=weights).pairs.row(0, named=True)
    weight = list(weights.values())
    expected = [matthews_corrcoef(TRUTH, SCORES[name] > 0.6, sample_weight=weight) for name in "ab"]
    assert row["difference"] == pytest.approx(expected[1] - expected[0], rel=1e-9)
    size = sum(weight) ** 2 / sum(each**2 for each in weight)
    _is_drawn(row, np.random.default_rng(1).integers(0, SIZE, (1000, SIZE)), size, weight)

    users = {name: str(n // 10) for n, name in enumerate(NAMES.tolist())}
    row = assay.compare(
        both("MCC"), baseline="a", interval=Bootstrap(clusters=users, method="t")
    ).pairs.row(0, named=True)
    assert row["interval"] == "inverted bootstrap test"
    in_order = np.asarray(sorted(range(15), key=str))
    blocks = in_order[np.random.default_rng(1).integers(0, 15, (1000, 15))]
    _is_drawn(row, (10 * blocks[:, :, None] + np.arange(10)).reshape(1000, -1), 15)


def _is_drawn(row: dict, chosen: np.ndarray, size: float, weight: list | None = None) -> None:
    """The interval of MCC is of these resamples of rows; p is near that of their spread.

    MCC is the correlation of two columns of 0 and 1, here from their weighted moments.
    """
    weights = (np.ones(SIZE) if weight is None else np.asarray(weight))[chosen]
    weights = weights / weights.sum(axis=1, keepdims=True)
    truth = TRUTH[chosen] - (weights * TRUTH[chosen]).sum(axis=1, keepdims=True)
    drawn = np.zeros(len(chosen))
    for sign, name in ((1, "b"), (-1, "a")):
        said = (SCORES[name] > 0.6)[chosen]
        said = said - (weights * said).sum(axis=1, keepdims=True)
        spreads = [(weights * each**2).sum(axis=1) for each in (truth, said)]
        drawn += sign * (weights * truth * said).sum(axis=1) / np.sqrt(spreads[0] * spreads[1])
    n = round(size)
    tail = scipy.stats.norm.cdf(math.sqrt(n / (n - 1)) * scipy.stats.t(n - 1).ppf(0.025))
    away = np.sort(np.abs(drawn - row["difference"]))
    reach = away[-(math.ceil(2 * tail * (len(drawn) + 1)) - 1)]
    ends = (row["difference"] - reach, row["difference"] + reach)
    assert (row["low"], row["high"]) == pytest.approx(ends, rel=1e-9)
    z = abs(row["difference"]) / drawn.std()
    assert row["p"] == pytest.approx(2 * scipy.stats.norm.sf(z), abs=0.05)


def test_values_over_common_items_are_not_thinned() -> None:
    random = np.random.default_rng(5)
    truth = random.random(20_001) < 0.4
    latent = random.normal(size=20_001) + 0.8 * truth
    noise = random.normal(0, 0.3, 20_001)
    scores = []
    for name, score, rows in (("a", latent, 20_001), ("b", latent + noise, 20_000)):
        data = pl.DataFrame(
            {
                "id": [f"i{n:05}" for n in range(20_001)],
                "truth": np.where(truth, "yes", "no"),
                "score": score,
            }
        )
        scores.append(evaluated(data.head(rows), name, "AUC KS", predicted=None))
    pairs = assay.compare(scores, baseline="a", interval=Bootstrap(resamples=20)).pairs
    area, distance = pairs.iter_rows(named=True)
    for fact, score in (("baseline_value", latent), ("value", latent + noise)):
        mine = roc_auc_score(truth[:-1], score[:-1])
        assert area[fact] == pytest.approx(mine, rel=1e-12)
        false, true, _ = roc_curve(truth[:-1], score[:-1])
        assert distance[fact] == pytest.approx(np.max(true - false), rel=1e-12)
    theirs = delong_test(truth[:-1], latent[:-1], (latent + noise)[:-1])
    assert area["statistic"] == pytest.approx(theirs.statistic, rel=1e-9)
    assert distance["low"] < distance["difference"] < distance["high"]


@pytest.mark.parametrize("truth", [[True, False], [True, True, True]])
def test_too_few_items_on_a_side_leave_nothing_known(truth: list[bool]) -> None:
    data = pl.DataFrame(
        {"id": range(len(truth)), "truth": np.where(truth, "yes", "no"), "score": range(len(truth))}
    )
    turned = data.with_columns(score=-pl.col("score"))
    scores = [evaluated(each, n, "AUC", predicted=None) for n, each in (("a", data), ("b", turned))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        row = assay.compare(scores, baseline="a", margin=0.1).pairs.row(0, named=True)
    unknown = ("low", "high", "p", "equivalence_p", "worse_chance", "alike_chance", "better_chance")
    assert [name for name in unknown if not math.isnan(row[name])] == []
    assert (row["interval"], row["test"]) == ("", "")


def test_clusterings_have_the_intervals_that_they_have_alone() -> None:
    random = np.random.default_rng(6)
    classes = random.integers(0, 3, 12)
    table = {"class": classes, "x": random.integers(0, 3, 12), "y": random.integers(0, 3, 12)}
    alone = assay.clustering(table, "NMI purity ARI", cluster=["x", "y"])
    compared = assay.compare(alone).systems.sort("measure", "system")
    own = sorted(alone.results, key=lambda each: (each.measure, each.system))
    for row, result in zip(compared.iter_rows(named=True), own, strict=True):
        found = (row["low"], row["high"])
        assert found == pytest.approx((result.low, result.high), nan_ok=True)
        assert row["interval"] == result.interval
    users = {str(n + 1): str(n // 2) for n in range(12)}
    rows = assay.compare(alone, "NMI", interval=Bootstrap(clusters=users)).pairs
    without = []
    for pair in range(6):
        kept = np.arange(12) // 2 != pair
        x, y = (normalized_mutual_info_score(classes[kept], table[n][kept]) for n in "xy")
        without.append(y - x)
    error = math.sqrt(5 / 6 * np.sum((without - np.mean(without)) ** 2))
    bias = 5 * (np.mean(without) - rows["difference"][0])
    assert rows["statistic"][0] == pytest.approx((rows["difference"][0] - bias) / error, rel=1e-6)


def test_accuracy_of_many_classes_says_that_it_has_no_paired_test() -> None:
    random = np.random.default_rng(7)
    truth = random.integers(0, 40, 200)
    scores = []
    for name in "ab":
        said = np.where(random.random(200) < 0.4, random.integers(0, 40, 200), truth)
        data = pl.DataFrame({"id": range(200), "truth": truth, "predicted": said}).cast(pl.String)
        scores.append(
            assay.classification(data, "ACC", predicted="predicted", item="id", name=name)
        )
    found = assay.compare(scores, interval=Bootstrap(resamples=50))
    assert any("1,600 cells is too large for paired tests" in note for note in found.warnings)
    assert found.pairs["test"].to_list() == ["bootstrap over items"]


def test_regressors_and_clusterings() -> None:
    random = np.random.default_rng(2)
    truth = random.normal(size=80)
    data = {"y": truth, "m": truth + random.normal(0, 0.5, 80), "n": random.normal(size=80)}
    scores = [
        assay.regression(data, "RMSE R2", truth="y", predicted=name, name=name) for name in "mn"
    ]
    # In memory nothing says that two dicts are one input: the items need names.
    with pytest.raises(DataError, match="name the column of items"):
        assay.compare(scores)
    named = data | {"id": np.arange(80)}
    scores = [
        assay.regression(named, "RMSE R2", truth="y", predicted=name, name=name, item="id")
        for name in "mn"
    ]
    rows = assay.compare(scores, baseline="n").pairs
    errors = {name: np.sqrt(np.mean((data["y"] - data[name]) ** 2)) for name in "mn"}
    assert rows["difference"][0] == pytest.approx(errors["m"] - errors["n"], rel=1e-9)
    assert rows["p"].max() < 0.01
    assert rows["better_chance"].min() > 0.99

    classes = random.integers(0, 3, 90)
    noisy = np.where(random.random(90) < 0.6, random.integers(0, 3, 90), classes)
    clusters = assay.clustering(
        {"class": classes, "good": classes, "poor": noisy}, "ARI", cluster=["good", "poor"]
    )
    row = assay.compare(clusters, baseline="good").pairs.row(0, named=True)
    assert row["test"] == "jackknife over items"
    assert row["high"] < 0
    assert row["p"] < 0.001


def test_a_gate_on_tables() -> None:
    kept = assay.gate(both("MCC AUC"), baseline="a", margin=0.2)
    assert kept.holds
    turned = assay.gate(both("MCC AUC"), baseline="b", margin=0.02)
    assert len(turned.failed) == 2
    bound = (
        TableDistributions(pair_systems(merge_scores(both("MCC")), "MCC"), Bootstrap())
        .difference(0, 1)
        .ends(0.9)[0]
    )
    assert kept.checks[0].found == pytest.approx(bound, rel=1e-9)
    with pytest.raises(DataError, match="no single unit has one"):
        assay.gate(both("MCC"), baseline="a", worst_loss=0.1)


def test_an_undefined_value_is_said() -> None:
    constant = frame("a").with_columns(predicted=pl.lit("no"))
    scores = [evaluated(constant, "none", "MCC"), evaluated(frame("b"), "b", "MCC")]
    found = assay.compare(scores)
    assert math.isnan(found.pairs["p"][0])
    assert any("none: MCC is undefined" in note for note in found.warnings)


def test_power_of_items() -> None:
    found = assay.power(both("ACC"), detect=0.05)
    assert found.design()["units"].to_list() == [SIZE]
    with pytest.raises(DataError, match="values of units are needed"):
        assay.power(both("MCC"))
