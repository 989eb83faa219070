"""Scores from tables and files: what does not fit together is told."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.statistics.table_of_scores import drawn

import assay
from assay.core.errors import DataError, UsageError
from assay.tasks.score_sources import scores_of, unit_facts

ROWS = {"system": ["a", "a", "b", "b"], "query": ["1", "2", "1", "2"]}


@pytest.mark.parametrize("word", ["0,6", "x"])
def test_a_value_that_is_no_number_is_named_by_its_line(tmp_path: Path, word: str) -> None:
    file = tmp_path / "scores.csv"
    file.write_text(f'system,query,value\na,1,0.5\na,2,"{word}"\nb,1,0.4\nb,2,0.3\n')
    with pytest.raises(DataError, match=rf"scores.csv:3: the value '{word}' is not a number"):
        scores_of(file)


def test_an_empty_cell_is_no_value(tmp_path: Path) -> None:
    file = tmp_path / "scores.csv"
    file.write_text("system,query,value\na,1,0.5\na,2,\n")
    assert scores_of(file).results[0].reasons == (None, "no value")


def test_tasks_are_not_mixed() -> None:
    one = drawn({"a": [0.1, 0.2]})
    with pytest.raises(UsageError, match="different tasks, retrieval and regression"):
        scores_of([one, replace(one, task="regression")])


def test_differing_conventions_are_told() -> None:
    one = replace(drawn({"a": [0.1, 0.2]}), conventions={"profile": "assay", "items": 1})
    two = replace(drawn({"b": [0.1, 0.3]}), conventions={"profile": "trec_eval", "items": 2})
    said = "the scores were measured under different conventions: profile is assay and trec_eval"
    assert assay.compare([one, two]).warnings.count(said) == 1
    assert not scores_of([one, replace(two, conventions=one.conventions)]).warnings


def test_a_name_whose_direction_is_in_doubt_is_asked_for() -> None:
    table = ROWS | {"measure": ["ERR"] * 4, "value": [0.1, 0.2, 0.3, 0.4]}
    with pytest.raises(UsageError, match=r"classification.ERR \(lower is better\).*'better'"):
        scores_of(table)
    assert scores_of(table | {"measure": ["classification.ERR"] * 4}).results[0].better == "lower"
    assert scores_of(table | {"measure": ["retrieval.ERR@10"] * 4}).results[0].better == "higher"
    assert scores_of(table | {"better": ["lower"] * 4}).results[0].better == "lower"
    assert scores_of(table | {"measure": ["F"] * 4}).results[0].better == "higher"
    with pytest.raises(DataError, match="higher or lower is expected"):
        scores_of(table | {"better": ["up"] * 4})


def test_a_unit_listed_twice_is_refused() -> None:
    with pytest.raises(DataError, match=r"row 3: the query '1' is listed twice, first at .*row 1"):
        unit_facts({"query": ["1", "2", "1"], "weight": [1, 2, 3]}, "weight")
