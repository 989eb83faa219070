"""Many systems at once: analysis of variance, Tukey, Friedman, Cochran, letters, corrections."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.anova import AnovaRM
from statsmodels.stats.contingency_tables import cochrans_q
from statsmodels.stats.multitest import multipletests

from assay.core.errors import DataError, UsageError
from assay.statistics.corrections import adjust_p_values
from assay.statistics.joint import tukey as tukey_module
from assay.statistics.significance_tests import ComparisonSettings, joint_tests
from assay.statistics.studentized_range import upper_tail
from assay.statistics.variance import two_way_anova
from assay.tasks.comparison.comparison_tables import compact_letters, letter_name


def _table(units: int = 25, systems: int = 4, seed: int = 2) -> np.ndarray:
    random = np.random.default_rng(seed)
    effects = np.linspace(0, 0.3, systems)
    return random.normal(size=(units, 1)) + effects + random.normal(0, 0.4, (units, systems))


def test_two_way_analysis_equals_statsmodels() -> None:
    table = _table()
    rows = [(unit, system, table[unit, system]) for unit in range(25) for system in range(4)]
    frame = pd.DataFrame(rows, columns=["unit", "system", "value"])
    theirs = AnovaRM(frame, "value", "unit", within=["system"]).fit().anova_table
    mine = two_way_anova(table)
    assert mine.f_systems == pytest.approx(theirs["F Value"].iloc[0], rel=1e-10)
    assert mine.p_systems == pytest.approx(theirs["Pr > F"].iloc[0], rel=1e-9)
    assert mine.freedom == theirs["Den DF"].iloc[0]


@pytest.mark.parametrize(("groups", "freedom"), [(2, 1), (3, 4), (5, 60), (40, 2000), (7, np.inf)])
def test_the_studentized_range_equals_scipy(groups: int, freedom: float) -> None:
    q = np.asarray([0.1, 1.0, 2.5, 4.0, 7.0, 15.0])
    expected = scipy.stats.studentized_range.sf(q, groups, freedom)
    np.testing.assert_allclose(upper_tail(q, groups, freedom), expected, atol=2e-10)


def test_many_studentized_ranges_equal_few() -> None:
    q = np.linspace(0.01, 30, 3000)
    few = np.concatenate([upper_tail(part, 10, 300) for part in np.split(q, 6)])
    np.testing.assert_allclose(upper_tail(q, 10, 300), few, atol=1e-9)


def test_tukey_by_its_definition() -> None:
    table = _table()
    found = joint_tests()["tukey"](table)
    means = table.mean(axis=0)
    residual = two_way_anova(table)
    q = abs(means[3] - means[1]) / np.sqrt(residual.residual / 25)
    expected = scipy.stats.studentized_range.sf(q, 4, 72)
    assert found.pairs[1, 3] == pytest.approx(expected, abs=1e-9)


def test_tukey_of_two_systems_is_the_paired_t_test() -> None:
    table = _table(systems=2)
    expected = scipy.stats.ttest_rel(table[:, 0], table[:, 1]).pvalue
    assert joint_tests()["tukey"](table).pairs[0, 1] == pytest.approx(expected, abs=1e-9)


def test_randomized_tukey_comes_near_tukey() -> None:
    table = _table(units=40)
    drawn = joint_tests()["randomized-tukey"](table, ComparisonSettings(permutations=20_000)).pairs
    np.testing.assert_allclose(drawn, joint_tests()["tukey"](table).pairs, atol=0.04)


def test_friedman_equals_scipy() -> None:
    table = np.round(_table(), 1)
    mine = joint_tests()["friedman"](table)
    theirs = scipy.stats.friedmanchisquare(*table.T)
    assert mine.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert mine.p == pytest.approx(theirs.pvalue, rel=1e-9)


def test_nemenyi_by_demsar() -> None:
    """Demšar 2006, section 3.2.2: 4 classifiers over 14 data sets differ from a mean rank
    difference of 2.569 · √(4 · 5 / (6 · 14)) = 1.25 on, at the level 5 %."""
    critical = scipy.stats.studentized_range.isf(0.05, 4, np.inf) / np.sqrt(2)
    assert critical == pytest.approx(2.569, abs=5e-4)
    assert upper_tail(np.asarray([2.569 * np.sqrt(2)]), 4, np.inf)[0] == pytest.approx(
        0.05, abs=1e-4
    )


def test_cochran_equals_statsmodels() -> None:
    table = (_table() > 0.2).astype(float)
    mine = joint_tests()["cochran"](table)
    theirs = cochrans_q(table)
    assert mine.statistic == pytest.approx(theirs.statistic, rel=1e-10)
    assert mine.p == pytest.approx(theirs.pvalue, rel=1e-9)
    with pytest.raises(DataError, match="0 or 1"):
        joint_tests()["cochran"](_table())


@pytest.mark.parametrize("name", sorted(joint_tests()))
def test_identical_systems_are_not_told_apart(name: str) -> None:
    column = (np.random.default_rng(1).random((20, 1)) < 0.5).astype(float)
    found = joint_tests()[name](np.repeat(column, 3, axis=1), ComparisonSettings(permutations=50))
    np.testing.assert_allclose(found.pairs, 1.0)
    assert found.p == pytest.approx(1.0)


@pytest.mark.parametrize("name", ["tukey", "randomized-tukey", "friedman"])
def test_all_ties_are_not_told_apart(name: str) -> None:
    found = joint_tests()[name](np.full((12, 3), 0.1), ComparisonSettings(permutations=50))
    np.testing.assert_allclose(found.pairs, 1.0)


NAMES = {
    "holm": "holm",
    "hochberg": "simes-hochberg",
    "bonferroni": "bonferroni",
    "bh": "fdr_bh",
    "by": "fdr_by",
}


@pytest.mark.parametrize("name", sorted(NAMES))
@given(p=st.lists(st.floats(0, 1), min_size=1, max_size=30))
def test_corrections_equal_statsmodels(name: str, p: list[float]) -> None:
    expected = multipletests(p, method=NAMES[name])[1]
    np.testing.assert_allclose(
        adjust_p_values(np.asarray(p), name), expected, rtol=1e-12, atol=1e-15
    )


def test_undefined_p_values_stay_out_of_the_family() -> None:
    found = adjust_p_values(np.asarray([0.01, np.nan, 0.02]), "holm")
    np.testing.assert_allclose(found, [0.02, np.nan, 0.02])
    with pytest.raises(UsageError, match="Did you mean holm"):
        adjust_p_values(np.asarray([0.1]), "hlm")


@given(st.data())
def test_letters_say_exactly_what_differs(data: st.DataObject) -> None:
    size = data.draw(st.integers(1, 9))
    upper = data.draw(st.lists(st.booleans(), min_size=size * size, max_size=size * size))
    differ = np.triu(np.asarray(upper).reshape(size, size), 1)
    differ = differ | differ.T
    letters = compact_letters(differ)
    for first in range(size):
        assert letters[first]
        for second in range(first + 1, size):
            shared = set(letters[first]) & set(letters[second])
            assert bool(shared) != bool(differ[first, second])


def test_letters_of_three() -> None:
    """Only the extremes differ: the middle shares a letter with both."""
    differ = np.zeros((3, 3), dtype=bool)
    differ[0, 2] = differ[2, 0] = True
    assert compact_letters(differ) == ["a", "ab", "b"]


def test_letters_never_run_out() -> None:
    assert [letter_name(n) for n in (0, 25, 26, 27, 701, 702)] == [
        "a",
        "z",
        "aa",
        "ab",
        "zz",
        "aaa",
    ]
    assert len(set(compact_letters(~np.eye(100, dtype=bool)))) == 100


def test_tables_that_are_exchanged_in_place_give_the_same_ranges() -> None:
    table = np.random.default_rng(4).normal(size=(50, 21))
    settings = ComparisonSettings(permutations=3000, seed=5)
    drawn = np.random.default_rng(5).permuted(np.broadcast_to(table, (3000, 50, 21)), axis=2)
    expected = np.ptp(drawn.mean(axis=1), axis=1)
    assert tukey_module._ranges(table, settings).tobytes() == expected.tobytes()
