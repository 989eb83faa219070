"""Paired tests: equal to other implementations, to published values, and sensible at the edges."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.stats
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.descriptivestats import sign_test

from assay.core.errors import DataError, UsageError
from assay.statistics.significance_tests import (
    ALTERNATIVES,
    ComparisonSettings,
    find_test,
    paired_tests,
)

SIGNED = (
    "t",
    "wilcoxon",
    "wilcoxon-normal",
    "sign",
    "randomization",
    "bootstrap",
    "bootstrap-plain",
    "corrected-t",
    "bootstrap-t",
)


def _differences(units: int = 30, columns: int = 4, seed: int = 3) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.normal(0.05, 0.2, size=(units, columns)) + np.linspace(-0.1, 0.1, columns)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_t_equals_scipy(alternative: str) -> None:
    d = _differences()
    mine = find_test("t")(d, ComparisonSettings(alternative=alternative))
    theirs = scipy.stats.ttest_1samp(d, 0, alternative=alternative)
    np.testing.assert_allclose(mine.p, theirs.pvalue, rtol=1e-12)
    np.testing.assert_allclose(mine.statistic, theirs.statistic, rtol=1e-12)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
@pytest.mark.parametrize("units", [5, 20, 50, 80])
@pytest.mark.parametrize(
    ("name", "method", "correction"),
    [
        ("wilcoxon-exact", "exact", False),
        ("wilcoxon-normal", "asymptotic", True),
        ("wilcoxon-plain", "asymptotic", False),
    ],
)
def test_wilcoxon_equals_scipy(
    alternative: str, units: int, name: str, method: str, correction: bool
) -> None:
    d = _differences(units)
    if method == "asymptotic":
        d = np.round(d, 1)
    mine = find_test(name)(d, ComparisonSettings(alternative=alternative))
    for column in range(d.shape[1]):
        theirs = scipy.stats.wilcoxon(
            d[:, column], method=method, correction=correction, alternative=alternative
        )
        assert mine.p[column] == pytest.approx(theirs.pvalue, rel=1e-9)


def test_wilcoxon_is_exact_with_ties() -> None:
    """All 2^9 signs of the ranks, tried one by one."""
    d = np.asarray([1, 1, 2, -2, 3, 3, 4, 5, -1.0])
    ranks = scipy.stats.rankdata(np.abs(d))
    signs = (np.arange(2**9)[:, None] >> np.arange(9)) & 1
    sums = signs @ ranks
    seen = ranks[d > 0].sum()
    expected = 2 * min((sums >= seen).mean(), (sums <= seen).mean())
    assert find_test("wilcoxon")(d[:, None]).p[0] == pytest.approx(expected, rel=1e-12)


def test_wilcoxon_changes_from_exact_to_normal_above_fifty() -> None:
    small, large = _differences(50), _differences(51)
    np.testing.assert_array_equal(
        find_test("wilcoxon")(small).p, find_test("wilcoxon-exact")(small).p
    )
    np.testing.assert_array_equal(
        find_test("wilcoxon")(large).p, find_test("wilcoxon-normal")(large).p
    )


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_sign_equals_scipy_and_statsmodels(alternative: str) -> None:
    d = np.round(_differences(), 1)
    mine = find_test("sign")(d, ComparisonSettings(alternative=alternative))
    for column in range(d.shape[1]):
        wins, losses = int((d[:, column] > 0).sum()), int((d[:, column] < 0).sum())
        theirs = scipy.stats.binomtest(wins, wins + losses, alternative=alternative).pvalue
        assert mine.p[column] == pytest.approx(theirs, rel=1e-12)
        if alternative == "two-sided":
            assert mine.p[column] == pytest.approx(sign_test(d[:, column])[1], rel=1e-9)


def test_a_difference_of_the_tie_width_is_a_tie() -> None:
    d = np.asarray([0.30 - 0.29, 0.29 - 0.30, 0.2, 0.3, 0.4])[:, None]
    assert find_test("sign")(d, ComparisonSettings(tie_width=0.01)).p[0] == pytest.approx(0.25)


@pytest.mark.parametrize("alternative", ALTERNATIVES)
def test_randomization_is_exact_for_few_units(alternative: str) -> None:
    d = _differences(9)
    mine = find_test("randomization")(d, ComparisonSettings(alternative=alternative))
    for column in range(d.shape[1]):
        theirs = scipy.stats.permutation_test(
            (d[:, column], np.zeros(9)),
            lambda x, y, axis: np.mean(x - y, axis=axis),
            permutation_type="samples",
            vectorized=True,
            alternative=alternative,
            n_resamples=np.inf,
        )
        assert mine.p[column] == pytest.approx(theirs.pvalue, rel=1e-12)


def test_randomization_draws_for_many_units() -> None:
    d = _differences(40)
    drawn = find_test("randomization")(d, ComparisonSettings(permutations=20_000))
    near = scipy.stats.ttest_1samp(d, 0).pvalue
    np.testing.assert_allclose(drawn.p, near, atol=0.012)
    assert (drawn.p * 20_001 == np.rint(drawn.p * 20_001)).all()


def test_randomization_does_not_mind_the_order_of_equal_differences() -> None:
    """0.1 + 0.2 and 0.2 + 0.1 + 0 round differently; the count must not."""
    base = np.asarray([0.1, 0.2, 0.3, 0.1, 0.2, -0.3, 0.7, -0.1, 0.1, 0.2])
    found = {
        float(find_test("randomization")(np.random.default_rng(s).permutation(base)[:, None]).p[0])
        for s in range(20)
    }
    assert len(found) == 1


def test_seeds_are_kept() -> None:
    d = _differences(40)
    for name in ("randomization", "bootstrap"):
        first, again = (
            find_test(name)(d, ComparisonSettings(permutations=500)).p for _ in range(2)
        )
        np.testing.assert_array_equal(first, again)
        other = find_test(name)(d, ComparisonSettings(permutations=500, seed=2)).p
        assert (first != other).any()


def test_a_column_does_not_depend_on_the_others() -> None:
    d = np.asfortranarray(_differences(40, 9))
    for name in SIGNED:
        together = find_test(name)(d, ComparisonSettings(permutations=500))
        for column in range(9):
            alone = find_test(name)(d[:, [column]], ComparisonSettings(permutations=500))
            assert alone.p[0] == together.p[column], name


@pytest.mark.parametrize("exact", [True, False])
def test_mcnemar_equals_statsmodels(exact: bool) -> None:
    random = np.random.default_rng(5)
    first, second = (random.random((60, 1)) < share for share in (0.6, 0.75))
    d = second.astype(float) - first
    table = [[(first & second).sum(), (first & ~second).sum()], [(~first & second).sum(), 0]]
    mine = find_test("mcnemar" if exact else "mcnemar-chi2")(d)
    theirs = their_mcnemar(np.asarray(table), exact=exact, correction=True)
    assert mine.p[0] == pytest.approx(theirs.pvalue, rel=1e-12)
    with pytest.raises(DataError, match="0 or 1"):
        find_test("mcnemar")(d / 2)


def test_corrected_t_by_hand() -> None:
    """Nadeau and Bengio: t = mean / sqrt(s² (1/k + test/train))."""
    d = np.asarray([0.02, 0.03, 0.01, 0.04, 0.00, 0.02, 0.03, 0.01, 0.02, 0.02])[:, None]
    mine = find_test("corrected-t")(d, ComparisonSettings(test_share=1 / 9))
    t = 0.02 / np.sqrt(d.var(ddof=1) * (0.1 + 1 / 9))
    assert mine.statistic[0] == pytest.approx(t)
    assert mine.p[0] == pytest.approx(2 * scipy.stats.t.sf(t, 9))
    np.testing.assert_allclose(find_test("corrected-t")(d).p, mine.p)


@pytest.mark.parametrize(
    ("names", "folds"),
    [
        ([f"fold{n}" for n in range(1, 11)], 10),
        ([f"fold{n}of10" for n in range(1, 11)], 10),
        ([f"r{r}f{f}" for r in range(1, 6) for f in (1, 2)], 2),
        ([f"r{r}f{f}" for r in (1, 2) for f in range(1, 6)], 5),
        (["1a", "1b", "2a", "2b", "3a", "3c", "4a", "4b", "5a", "5b"], 10),
    ],
)
def test_corrected_t_trusts_names_of_whole_repetitions_only(names: list[str], folds: int) -> None:
    d = _differences(10)
    mine = find_test("corrected-t")(d, ComparisonSettings(units=tuple(names)))
    theirs = find_test("corrected-t")(d, ComparisonSettings(test_share=1 / (folds - 1)))
    np.testing.assert_array_equal(mine.p, theirs.p)


@pytest.mark.parametrize("name", ["t", "bootstrap-t"])
@pytest.mark.parametrize("alternative", ["greater", "less"])
def test_a_mean_of_nothing_speaks_for_neither_side(name: str, alternative: str) -> None:
    d = np.asarray([[-1.0, 1.0, -0.5, 0.5, 2.0, -2.0]]).T
    found = find_test(name)(d, ComparisonSettings(alternative=alternative, permutations=500))
    assert (found.statistic[0], found.p[0]) == (0, 0.5)


def test_five_by_two_by_hand() -> None:
    halves = np.asarray([[0.1, 0.06], [0.02, 0.04], [0.05, 0.03], [0.07, 0.01], [0.04, 0.04]])
    spread = ((halves - halves.mean(axis=1, keepdims=True)) ** 2).sum(axis=1)
    t = find_test("5x2-t")(halves.reshape(-1, 1))
    assert t.statistic[0] == pytest.approx(0.1 / np.sqrt(spread.mean()))
    assert t.p[0] == pytest.approx(2 * scipy.stats.t.sf(t.statistic[0], 5))
    f = find_test("5x2-F")(halves.reshape(-1, 1))
    assert f.statistic[0] == pytest.approx((halves**2).sum() / (2 * spread.sum()))
    assert f.p[0] == pytest.approx(scipy.stats.f.sf(f.statistic[0], 10, 5))
    with pytest.raises(UsageError, match="ten units"):
        find_test("5x2-t")(np.zeros((9, 1)))


@pytest.mark.parametrize("name", sorted(paired_tests()))
def test_identical_systems_have_p_one(name: str) -> None:
    found = find_test(name)(np.zeros((10, 3)), ComparisonSettings(permutations=100))
    np.testing.assert_array_equal(found.p, 1.0)


@pytest.mark.parametrize("name", SIGNED)
def test_one_unit_shows_nothing(name: str) -> None:
    p = find_test(name)(np.asarray([[0.3]]), ComparisonSettings(permutations=100)).p[0]
    assert np.isnan(p) or p > 0.05


def test_a_constant_difference_is_settled() -> None:
    d = np.full((20, 1), 0.1)
    assert find_test("t")(d).p[0] == 0
    assert find_test("wilcoxon")(d).p[0] == pytest.approx(2 / 2**20)
    assert find_test("randomization")(d, ComparisonSettings(permutations=999)).p[
        0
    ] == pytest.approx(0.001)


def test_unknown_tests_are_refused_with_a_hint() -> None:
    with pytest.raises(UsageError, match="Did you mean wilcoxon"):
        find_test("wilcoxn")
    with pytest.raises(UsageError, match="two-sided"):
        ComparisonSettings(alternative="both")


@pytest.fixture
def adhoc8(shared_data: Path) -> np.ndarray:
    path = shared_data / "significance" / "adhoc8_ap.csv"
    return np.genfromtxt(path, delimiter=",", skip_header=1)


@pytest.mark.shared
def test_published_p_values(adhoc8: np.ndarray, shared_data: Path) -> None:
    """Columns 125 and 126 of the ad hoc runs of TREC-8; the resampled ones within their noise."""
    content = json.loads((shared_data / "significance" / "expected.json").read_text())
    published = content["one_and_two_tailed"]
    d = adhoc8[:, [125]] - adhoc8[:, [124]]
    named = {
        "t": ("t", 1e-6),
        "wilcoxon-normal": ("wilcoxon(normal approx, continuity corrected)", 1e-6),
        "sign": ("sign(|d|<=0.01 counted as tie and dropped)", 1e-6),
        "bootstrap-plain": ("bootstrap_1e6", 0.2),
        "randomization": ("permutation_1e6", 0.2),
    }
    for name, (key, tolerance) in named.items():
        for alternative, expected in zip(("greater", "two-sided"), published[key], strict=True):
            setup = ComparisonSettings(
                alternative=alternative, tie_width=0.01, permutations=200_000
            )
            found = find_test(name)(d, setup).p[0]
            assert found == pytest.approx(expected, rel=tolerance), (name, alternative)


@pytest.mark.shared
def test_the_textbook_example(shared_data: Path) -> None:
    """Croft, Metzler and Strohman, 8.6.1. The book keeps the tied query in the sign test's n."""
    text = (shared_data / "textbook" / "worked_examples.json").read_text()
    example = json.loads(text)["cms_significance"]
    a, b = (np.asarray(example["input"][name], dtype=float) for name in "AB")
    d = (b - a)[:, None]
    one_sided = ComparisonSettings(alternative="greater")
    t = find_test("t")(d, one_sided)
    assert t.statistic[0] == pytest.approx(example["published"]["t"], abs=0.005)
    assert t.p[0] == pytest.approx(example["computed"]["t_p"], rel=1e-9)
    sign = find_test("sign")(d, one_sided)
    assert sign.statistic[0] == example["published"]["sign_wins"]
    assert sign.p[0] == pytest.approx(example["computed"]["sign_p_drop_ties_n9"], rel=1e-9)
    wilcoxon = find_test("wilcoxon-plain")(d, one_sided)
    ranks = 45 - wilcoxon.statistic[0]
    assert wilcoxon.statistic[0] - ranks == example["published"]["wilcoxon_w"]
    assert wilcoxon.p[0] == pytest.approx(example["computed"]["wilcoxon_approx_p"], rel=1e-9)
