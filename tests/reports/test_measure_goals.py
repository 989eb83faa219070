"""The measures for each goal exist, and the handbook has every goal."""

from __future__ import annotations

import doctest

import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

import assay
from assay.core.errors import AssayError
from assay.reports.measure_goals import GOALS

PAGE = ROOT / "docs" / "handbook" / "which-measure.md"


@pytest.mark.parametrize("goal", [each.name for each in GOALS])
def test_every_measure_of_a_goal_exists_and_the_page_has_it(goal: str) -> None:
    rows = assay.measures_for(goal).to_dicts()
    assert rows
    for row in rows:
        assert assay.measure(row["measure"], row["task"]).definition.task == row["task"]
        assert len(row["why"]) > 5
    assert f"**{goal}**" in PAGE.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("first answer", "RR"),
        ("web search", "RR"),
        ("patents", "R@1000"),
        ("is there a patent", "R@1000"),
        ("mushroom", "F(beta=0.5)"),
        ("fact check", "F(beta=0.5)"),
        ("sparse judgments", "RR"),
        ("Rule-out", "TPR"),
        ("cascade", "P@10"),
        ("position model", "P@10"),
    ],
)
def test_goals_by_the_words_of_the_lectures(words: str, first: str) -> None:
    assert assay.measures_for(words)["measure"][0] == first
    done = call("measures", "--for", words)
    assert done.code == 0
    assert first in done.out


def test_an_unknown_goal_names_those_that_there_are() -> None:
    with pytest.raises(AssayError, match="all relevant"):
        assay.measures_for("nonsense")
    assert call("measures", "--for", "goals").out.count("\n") == len(GOALS) + 1


def test_the_examples_of_the_page_run() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False)
    assert found.attempted > 5
    assert found.failed == 0
