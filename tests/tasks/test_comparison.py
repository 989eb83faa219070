"""Comparison: the whole way from Scores to corrected p-values, and what is said at the edges."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import scipy.stats
from statsmodels.regression.linear_model import WLS
from statsmodels.stats.multitest import multipletests
from tests.statistics.table_of_scores import drawn, together

import assay
from assay.core.errors import DataError, UnknownMeasure, UsageError
from assay.statistics.differences.samples import UnitSample
from assay.statistics.intervals.interval_settings import Bootstrap
from assay.tasks.comparison.comparison import count_pairs

RANDOM = np.random.default_rng(12)
BASE = RANDOM.beta(1, 2, 40)
SYSTEMS = {
    "a": BASE,
    "b": np.clip(BASE + RANDOM.normal(0.04, 0.1, 40), 0, 1),
    "c": np.clip(BASE + RANDOM.normal(0.00, 0.1, 40), 0, 1),
}


def test_identical_systems() -> None:
    found = assay.compare(drawn({"a": BASE, "b": BASE}))
    row = found.pairs.row(0, named=True)
    assert (row["p"], row["p_corrected"], row["difference"], row["d"]) == (1, 1, 0, 0)
    assert (row["interval"], row["ties"], row["significant"]) == ("no width", 40, False)
    assert found.systems["letters"].to_list() == ["a", "a"]


def test_a_comparison_prints_as_its_tables() -> None:
    shown = repr(assay.compare(drawn(SYSTEMS, "AP"), baseline="a"))
    assert shown.startswith("AP (higher is better)")
    assert "W/T/L" in shown


def test_a_test_that_finds_too_much_in_few_units_gives_no_p() -> None:
    few = assay.compare(drawn(SYSTEMS), test="bootstrap-plain")
    assert few.pairs["p"].is_nan().all()
    assert not few.pairs["significant"].any()
    assert "with 40 units" in few.warnings[0]
    assert "neither p nor interval below 50" in few.warnings[0]
    more = {name: np.tile(values, 2) for name, values in SYSTEMS.items()}
    assert assay.compare(drawn(more), test="bootstrap-plain").pairs["p"].is_finite().all()


@pytest.mark.parametrize("correct", ["holm", "bh", "hochberg"])
def test_p_values_are_those_of_scipy_and_statsmodels(correct: str) -> None:
    found = assay.compare(drawn(SYSTEMS), test="t", correct=correct).pairs
    expected = [
        scipy.stats.ttest_rel(SYSTEMS[row["system"]], SYSTEMS[row["baseline"]]).pvalue
        for row in found.to_dicts()
    ]
    np.testing.assert_allclose(found["p"], expected, rtol=1e-9)
    method = {"holm": "holm", "bh": "fdr_bh", "hochberg": "simes-hochberg"}[correct]
    np.testing.assert_allclose(found["p_corrected"], multipletests(expected, method=method)[1])


def test_a_baseline_and_several() -> None:
    one = assay.compare(drawn(SYSTEMS), baseline="b").pairs
    assert one.select("baseline", "system").rows() == [("b", "a"), ("b", "c")]
    two = assay.compare(drawn(SYSTEMS), baseline=["a", "b"]).pairs
    assert two.select("baseline", "system").rows() == [("a", "b"), ("a", "c"), ("b", "c")]


def test_the_family_is_the_one_that_is_named() -> None:
    scores = together(drawn(SYSTEMS, "AP"), drawn({n: v**2 for n, v in SYSTEMS.items()}, "RR"))
    sizes = {}
    for family in ("all", "systems", "measures"):
        pairs = assay.compare(scores, test="t", correct="bonferroni", family=family).pairs
        sizes[family] = (pairs["p_corrected"] / pairs["p"]).max()
    assert sizes == pytest.approx({"all": 6, "systems": 3, "measures": 2})


def test_means_and_intervals_are_those_of_the_task() -> None:
    qrels = {f"q{n}": {"a": 1, "b": 1} for n in range(25)}
    runs = {
        name: {
            f"q{n}": {doc: float((n * at + shift) % 5) for at, doc in enumerate("abcd", 1)}
            for n in range(25)
        }
        for shift, name in enumerate(("first", "second"))
    }
    scores = assay.retrieval(qrels, runs, "AP")
    rows = {row["system"]: row for row in assay.compare(scores).systems.to_dicts()}
    for each in scores.results:
        row = rows[each.system]
        assert (row["value"], row["low"], row["high"]) == (each.value, each.low, each.high)


def test_folds_in_a_plain_table() -> None:
    folds = [f"{repetition}{half}" for repetition in range(1, 6) for half in "ab"]
    values = np.random.default_rng(3).normal(0.8, 0.02, 10)
    rows = [("old", fold, v) for fold, v in zip(folds, values, strict=True)]
    rows += [
        ("new", fold, v + 0.03) for fold, v in zip(folds, values + values[::-1] / 50, strict=True)
    ]
    table = pl.DataFrame(rows, schema=["system", "fold", "value"], orient="row")
    for test in ("corrected-t", "5x2-t", "5x2-F"):
        found = assay.compare(table, test=test, baseline="old", test_share=1.0).pairs
        assert found["p"][0] < 0.05


def test_what_is_taken_for_folds_is_told() -> None:
    values = np.random.default_rng(3).normal(0.8, 0.02, (2, 10))
    systems = dict(zip(("old", "new"), values, strict=True))
    told = {
        "the 10 units are taken for one cross-validation of 10 folds": [
            f"fold{n:02}of10" for n in range(1, 11)
        ],
        "the 10 units are taken for 5 repetitions, by their names, of 2 folds": [
            f"r{r}f{f}" for r in range(1, 6) for f in (1, 2)
        ],
    }
    for said, units in told.items():
        scores = drawn(systems, units=units)
        assert said in " ".join(assay.compare(scores, test="corrected-t").warnings)
        assert not assay.compare(scores, test="corrected-t", test_share=0.1).warnings


def test_unknown_differences_turn_nothing() -> None:
    """Simpson's paradox is two means of opposite sign; a mean that is not known has none."""
    rows = [("first", f"p{n}", 0.2) for n in range(3)] + [
        ("second", f"q{n}", 0.9) for n in range(3)
    ]
    table = pl.DataFrame(rows, schema=["system", "query", "AP"], orient="row")
    found = assay.compare(table.unpivot(index=["system", "query"], variable_name="measure"))
    assert found.pairs["difference"].is_nan().all()
    assert "Simpson" not in " ".join(found.warnings)


def test_a_joint_test_says_that_measures_are_not_corrected() -> None:
    scores = together(drawn(SYSTEMS, "AP"), drawn(SYSTEMS, "RR"))
    found = assay.compare(scores, test="tukey")
    assert any("not over the 2 measures" in note for note in found.warnings)
    assert found.joint["measure"].to_list() == ["AP", "RR"]


def test_a_pair_does_not_depend_on_the_other_systems() -> None:
    for method in ("expanded", "bca", "t"):
        interval = Bootstrap(resamples=300, method=method)
        whole = assay.compare(drawn(SYSTEMS), interval=interval, correct="none").pairs
        pair = assay.compare(
            drawn({"a": SYSTEMS["a"], "c": SYSTEMS["c"]}), interval=interval, correct="none"
        ).pairs
        same = whole.filter((pl.col("baseline") == "a") & (pl.col("system") == "c"))
        assert same.drop("equivalence_p").rows() == pair.drop("equivalence_p").rows()


def test_the_order_of_units_does_not_matter() -> None:
    order = RANDOM.permutation(40)
    names = np.asarray([f"q{n:03}" for n in range(40)])
    first = assay.compare(drawn(SYSTEMS, units=names.tolist())).to_json()
    moved = {name: values[order] for name, values in SYSTEMS.items()}
    assert assay.compare(drawn(moved, units=names[order].tolist())).to_json() == first


def test_missing_units_are_left_out_and_counted() -> None:
    gaps = {"a": [0.1, 0.2, 0.3, 0.4], "b": [0.2, 0.3, 0.5, None], "c": [0.1, 0.1, 0.1, 0.1]}
    found = assay.compare(drawn(gaps), test="t")
    units = {(row["baseline"], row["system"]): row["units"] for row in found.pairs.to_dicts()}
    assert units == {("a", "b"): 3, ("a", "c"): 4, ("b", "c"): 3}
    assert "b: AP has no value for 1 of 4 units: left out of its comparisons" in found.warnings
    zero = assay.compare(drawn(gaps), test="t", missing="zero")
    assert zero.pairs["units"].to_list() == [4, 4, 4]
    assert any("counted as zero" in note for note in zero.warnings)
    with pytest.raises(DataError, match="no value for 1 of 4"):
        assay.compare(drawn(gaps), missing="error")
    joint = assay.compare(drawn(gaps), test="tukey")
    assert joint.pairs["units"].to_list() == [3, 3, 3]
    assert any("1 of 4 units are left out" in note for note in joint.warnings)


def test_undefined_values_are_left_out_with_their_reason() -> None:
    found = assay.compare(drawn({"a": [0.1, np.nan, 0.3], "b": [0.2, np.nan, 0.5]}), test="t")
    assert found.pairs["units"][0] == 2
    assert any("no relevant" in note for note in found.warnings)


def test_one_unit_and_none_are_said_in_words() -> None:
    one = assay.compare(drawn({"a": [0.1], "b": [0.3]}))
    assert one.pairs["p"][0] == 1.0
    assert any("1 unit in common" in note for note in one.warnings)
    none = assay.compare(drawn({"a": [0.1, None], "b": [None, 0.3]}))
    assert np.isnan(none.pairs["p"][0])
    assert any("0 units in common" in note for note in none.warnings)
    with pytest.raises(DataError, match="needs at least two"):
        assay.compare(drawn({"a": [0.1], "b": [0.3]}), test="tukey")


def test_a_constant_column_and_all_ties() -> None:
    constant = drawn({"a": [0.5] * 9, "b": np.linspace(0, 1, 9), "c": [0.5] * 9})
    for test in ("t", "wilcoxon", "sign", "randomization", "tukey", "friedman"):
        pairs = assay.compare(constant, test=test, permutations=200).pairs
        tied = pairs.filter((pl.col("baseline") == "a") & (pl.col("system") == "c"))
        assert tied["p"][0] == pytest.approx(1.0)


def test_strangers_are_refused_with_a_hint() -> None:
    scores = drawn({"bm25": BASE, "dense": BASE})
    with pytest.raises(UsageError, match="'bm52' is not among the systems: bm25, dense"):
        assay.compare(scores, baseline="bm52")
    with pytest.raises(UsageError, match="a comparison needs two"):
        assay.compare(drawn({"bm25": BASE}))
    with pytest.raises(UsageError, match="Did you mean tukey"):
        assay.compare(scores, test="tuckey")
    with pytest.raises(UsageError, match="corrects over all pairs itself"):
        assay.compare(scores, test="tukey", correct="holm")
    with pytest.raises(UnknownMeasure, match="there are AP"):
        assay.compare(scores, "RR")


def test_whole_measures_have_no_units_to_pair(tmp_path: Path) -> None:
    scores = assay.classification(
        {"truth": list("aabb"), "predicted": list("abab")}, "MCC", predicted="predicted"
    )
    scores.save(tmp_path / "one.parquet")
    with pytest.raises(DataError, match="one number for a whole set"):
        assay.compare([tmp_path / "one.parquet", tmp_path / "one.parquet"])


def test_lower_is_better() -> None:
    found = assay.compare(drawn({"a": [3.0, 4, 5], "b": [1.0, 2, 3]}, "MSE", "lower"), test="t")
    row = found.pairs.row(0, named=True)
    assert (row["difference"], row["wins"], row["losses"]) == (-2, 3, 0)
    assert row["better_chance"] == 1
    assert found.systems["system"].to_list() == ["b", "a"]


def test_weights_make_a_weighted_mean() -> None:
    weights = {f"q{n:03}": float(n % 4 + 1) for n in range(1, 41)}
    found = assay.compare(drawn(SYSTEMS), baseline="a", weights=weights, test="t").pairs
    expected = np.average(SYSTEMS["b"] - SYSTEMS["a"], weights=list(weights.values()))
    assert found["difference"][0] == pytest.approx(expected, rel=1e-12)
    with pytest.raises(DataError, match="39 of 40 units have no weight"):
        assay.compare(drawn(SYSTEMS), weights={"q001": 1.0})
    with pytest.raises(DataError, match="not negative"):
        assay.compare(drawn(SYSTEMS), weights=dict.fromkeys(weights, -1.0))


WEIGHTS = {f"q{n:03}": float(n % 4 + 1) for n in range(1, 41)}


@pytest.mark.parametrize("interval", ["expanded", "percentile", "bca", "t"])
def test_weights_add_no_spread_to_a_constant_difference(interval: str) -> None:
    scores = drawn({"a": BASE, "b": BASE + 0.1})
    method = Bootstrap(method=interval)
    row = assay.compare(scores, weights=WEIGHTS, test="t", interval=method).pairs.row(0, named=True)
    assert row["interval"] == "no width"
    found = assay.gate(scores, baseline="a", margin=0.01, weights=WEIGHTS)
    assert found.checks[0].found == pytest.approx(0.1)


def test_a_weighted_t_test_is_that_of_the_linearised_mean() -> None:
    row = assay.compare(
        drawn({"a": SYSTEMS["a"], "b": SYSTEMS["b"]}), weights=WEIGHTS, test="t"
    ).pairs.row(0, named=True)
    weights, apart = np.asarray(list(WEIGHTS.values())), SYSTEMS["b"] - SYSTEMS["a"]
    model = WLS(apart, np.ones(40), weights=weights).fit(cov_type="HC1")
    assert row["statistic"] == pytest.approx(model.tvalues[0], rel=1e-9)


def test_wins_and_sizes_under_weights_are_of_the_differences() -> None:
    scores = drawn({"a": SYSTEMS["a"], "b": SYSTEMS["b"]})
    plain = assay.compare(scores, tie_width=0.05).pairs
    weighted = assay.compare(scores, tie_width=0.05, weights=WEIGHTS).pairs
    for fact in ("wins", "ties", "losses"):
        assert plain[fact][0] == weighted[fact][0]
    # A unit of weight 2 counts like two units.
    twice = {f"q{n:03}": 1.0 + (n <= 20) for n in range(1, 41)}
    again = {name: np.append(values, values[:20]) for name, values in SYSTEMS.items()}
    one = assay.compare(drawn(SYSTEMS), weights=twice).pairs
    two = assay.compare(drawn(again)).pairs
    np.testing.assert_allclose(one["cliff"], two["cliff"], atol=1e-12)
    np.testing.assert_allclose(one["difference"], two["difference"], atol=1e-12)


@pytest.mark.parametrize("test", ["sign", "wilcoxon", "mcnemar", "corrected-t", "tukey"])
def test_a_test_without_a_weighted_form_is_refused(test: str) -> None:
    with pytest.raises(UsageError, match=f"{test} has no weighted form.*randomization"):
        assay.compare(drawn(SYSTEMS), weights=WEIGHTS, test=test)


def test_clusters_of_different_sizes_add_no_spread_either() -> None:
    clusters = {f"q{n:03}": "large" if n < 20 else f"small {n // 2}" for n in range(1, 41)}
    scores = drawn({"a": BASE, "b": BASE + 0.1})
    found = assay.compare(scores, test="t", interval=Bootstrap(clusters=clusters)).pairs
    assert found["p"][0] < 1e-10


def test_clusters_are_tested_whole() -> None:
    """Each unit twice is no more evidence than once."""
    twice = {name: np.repeat(values, 2) for name, values in SYSTEMS.items()}
    names = [f"q{n:03}" for n in range(1, 81)]
    clusters = {name: str(place // 2) for place, name in enumerate(names)}
    once = assay.compare(drawn(SYSTEMS), test="t").pairs
    naive = assay.compare(drawn(twice), test="t").pairs
    found = assay.compare(drawn(twice), test="t", interval=Bootstrap(clusters=clusters)).pairs
    np.testing.assert_allclose(found["p"], once["p"], rtol=1e-9)
    assert (naive["p"] < once["p"]).all()


def test_slices_that_turn_the_whole_round() -> None:
    slices = {f"q{n:03}": "easy" if n <= 6 else "hard" for n in range(1, 9)}
    values = {"a": [0.5] * 8, "b": [0.4] * 6 + [0.99] * 2}
    found = assay.compare(drawn(values), test="t", by=slices)
    assert found.pairs["slice"].to_list() == ["all", "easy", "hard"]
    assert found.pairs["units"].to_list() == [8, 6, 2]
    assert any("the reverse in 1 of 2 slices: easy" in note for note in found.warnings)


def test_a_slice_of_one_unit_is_left_out_of_a_joint_test() -> None:
    slices = {f"q{n:03}": "rare" if n == 1 else "common" for n in range(1, 41)}
    found = assay.compare(drawn(SYSTEMS), test="tukey", by=slices)
    assert set(found.pairs["slice"]) == {"all", "common"}
    assert any("the slice rare has too few units" in note for note in found.warnings)
    single = assay.compare(drawn(SYSTEMS), test="t", by=slices).pairs
    assert single.filter(pl.col("slice") == "rare")["p"].is_nan().all()


def test_simpsons_paradox_is_named() -> None:
    """b is better wherever both answer, but answers only the hard units."""
    values = {"a": [0.9, 0.9, 0.9, 0.1, 0.2], "b": [None, None, None, 0.2, 0.3]}
    found = assay.compare(drawn(values), test="t")
    assert found.pairs["difference"][0] == pytest.approx(0.1)
    assert found.systems["system"].to_list() == ["a", "b"]
    assert any("Simpson's paradox" in note for note in found.warnings)


def test_permutations_too_few_for_the_family_are_said() -> None:
    values = {f"s{n}": BASE + n / 10 + RANDOM.normal(0, 0.01, 40) for n in range(6)}
    found = assay.compare(drawn(values), permutations=99)
    assert any("no p-value below 0.01" in note for note in found.warnings)
    assert not found.pairs["significant"].any()
    assert not assay.compare(drawn(values), permutations=9999).warnings


def test_a_plain_table_will_do(tmp_path: Path) -> None:
    rows = [(s, f"q{n}", v) for s, values in SYSTEMS.items() for n, v in enumerate(values)]
    frame = pl.DataFrame(rows, schema=["system", "query", "value"], orient="row")
    frame.write_csv(tmp_path / "scores.csv")
    found = assay.compare(tmp_path / "scores.csv", test="t")
    np.testing.assert_allclose(found.pairs["p"], assay.compare(drawn(SYSTEMS), test="t").pairs["p"])
    with pytest.raises(DataError, match="two values of value for the query 'q0'"):
        assay.compare(pl.concat([frame, frame]))
    with pytest.raises(DataError, match="system, unit, measure and value"):
        assay.compare(frame.drop("value"))


def test_saved_scores_and_json(tmp_path: Path) -> None:
    drawn(SYSTEMS).save(tmp_path / "scores.parquet")
    found = assay.compare(tmp_path / "scores.parquet", margin=0.05)
    content = json.loads(found.to_json())
    assert content["pairs"][0]["equivalence_p"] == found.pairs["equivalence_p"][0]
    assert content["conventions"]["correct"] == "holm"
    assert content["conventions"]["interval"]["method"].startswith("bootstrap percentiles widened")


@pytest.mark.shared
def test_all_pairs_of_129_systems(shared_data: Path) -> None:
    path = shared_data / "significance" / "adhoc8_ap.csv"
    wide = pl.read_csv(path).with_row_index("unit")
    table = wide.unpivot(index="unit", variable_name="system")
    found = assay.compare(table, test="tukey", interval=Bootstrap(resamples=50))
    assert len(found.pairs) == 8256
    assert found.joint["p"][0] < 1e-100
    assert len(set(found.systems["letters"])) > 20


def test_a_missing_unit_is_never_the_best_of_all() -> None:
    gap = {"a": [0.5, 0.4, 0.3], "b": [0.6, 0.5, None]}
    assert assay.compare(drawn(gap), missing="zero").pairs["units"][0] == 3
    with pytest.raises(UsageError, match=r"lower values are better: .* choose drop or error"):
        assay.compare(drawn(gap, "RMSE", "lower"), missing="zero")


@pytest.mark.parametrize("systems", [2, 3, 6])
def test_the_number_of_pairs_is_that_of_the_pairs(systems: int) -> None:
    names = tuple(f"s{place}" for place in range(systems))
    sample = UnitSample(
        measure="AP", better="higher", systems=names, units=("q",), values=np.zeros((1, systems))
    )
    for count in range(systems):
        listed = sample.pairs(names[:count])[0]
        assert count_pairs(systems, count) == len(listed)
