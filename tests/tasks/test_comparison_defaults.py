"""The default test of a comparison: the same for tables and pages, and able to find something."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import assay
from assay.reports.pages.task_page import significance_letters
from assay.tasks.scores.read_scores import read_scores


def forty(units: int = 50, systems: int = 40) -> pl.DataFrame:
    """Systems whose means lie .01 apart, a query hard for one being hard for all."""
    random = np.random.default_rng(1)
    hard = random.normal(0, 0.1, units)
    rows = [
        {"system": f"s{system:02}", "query": f"q{unit}", "value": 0.3 + 0.01 * system + noise}
        for system in range(systems)
        for unit, noise in enumerate(hard + random.normal(0, 0.05, units))
    ]
    return pl.DataFrame(rows)


def test_forty_systems_get_the_permutations_that_holm_needs() -> None:
    found = assay.compare(forty(), interval=assay.Bootstrap(resamples=20))
    assert found.conventions["permutations"] == 31_200  # twice 780 pairs over .05
    by_system = dict(found.systems.select("system", "letters").iter_rows())
    assert len(set(by_system.values())) > 20
    assert not set(by_system["s00"]) & set(by_system["s39"])
    asked = assay.compare(forty(12, 5), permutations=500)
    assert asked.conventions["permutations"] == 500


def test_very_many_pairs_are_tested_together_and_the_table_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("assay.statistics.significance_tests._MOST_EXCHANGES", 100_000)
    table = forty(20, 8)
    found = assay.compare(table)
    assert found.conventions["test"] == "randomized-tukey"
    assert any("tested together by the randomized Tukey test" in each for each in found.warnings)
    assert "randomized Tukey HSD" in repr(found)
    assert assay.compare(table, baseline="s00").conventions["test"] == "randomization"
    assert assay.compare(table, correct="holm").conventions["test"] == "randomization"


def test_the_former_name_of_a_test_is_an_alias_with_a_note() -> None:
    table = forty(6, 3)
    former = assay.compare(table, test="randomised-tukey", permutations=200)
    current = assay.compare(table, test="randomized-tukey", permutations=200)
    assert former.conventions == current.conventions
    assert former.pairs.equals(current.pairs)
    assert {*former.warnings} - {*current.warnings} == {
        "the test randomised-tukey is called randomized-tukey here: randomized Tukey HSD"
    }


def test_letters_do_not_depend_on_other_measures_and_are_those_of_a_page() -> None:
    one = forty(25, 9).rename({"value": "AP"})
    both = one.with_columns(nDCG=1 - pl.col("AP"))
    alone, beside = (
        assay.compare(table, "AP").systems.select("system", "letters") for table in (one, both)
    )
    assert alone.equals(beside)
    together = assay.compare(both)
    assert together.systems.filter(measure="AP").select("system", "letters").equals(alone)
    assert any("not over the 2 measures" in each for each in together.warnings)
    assert significance_letters(read_scores(both)).of == dict(alone.iter_rows())


def test_predictions_given_as_folds_are_pointed_out() -> None:
    random = np.random.default_rng(1)
    two = {name: random.normal(size=101) for name in ("one", "other")}
    assert "101 numbers of each system" in assay.compare(two).warnings[0]
    folds = {name: values[:100] for name, values in two.items()}
    assert not any("predictions" in each for each in assay.compare(folds).warnings)
