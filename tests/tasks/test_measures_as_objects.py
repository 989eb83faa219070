"""Measures as objects: of ir_measures, of Assay, or any that print as their name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import polars as pl
import pytest

import assay
from assay.core.errors import UnknownMeasure, UsageError

QUERIES = [f"q{number}" for number in range(12)]
QRELS = {query: {"a": 2, "b": 1, "c": 0} for query in QUERIES}
GOOD = {query: {"a": 3.0, "z": 2.0, "b": 1.0 + at % 5} for at, query in enumerate(QUERIES)}
BAD = {query: {"c": 3.0, "y": 2.0, "b": 1.0 + at % 3} for at, query in enumerate(QUERIES)}
RUNS = {"good": GOOD, "bad": BAD}
NAME = "nDCG@10"


class Indexed:
    """An object that prints as a measure and, as those of ir_measures, is indexed by names."""

    def __str__(self) -> str:
        return NAME

    def __getitem__(self, key: str) -> object:
        raise KeyError(key)


def _of_ir_measures() -> Any:
    return pytest.importorskip("ir_measures").nDCG @ 10


OBJECTS: dict[str, Callable[[], Any]] = {
    "ir_measures": _of_ir_measures,
    "measure": lambda: assay.measure(NAME),
    "other": Indexed,
}
FORMS: dict[str, Callable[[Any], Any]] = {
    "alone": lambda one: one,
    "list": lambda one: [one],
    "tuple": lambda one: (one,),
    "set": lambda one: {one},
    "iterator": lambda one: iter([one]),
}
ENTRIES: dict[str, Callable[[assay.Scores, Any], Any]] = {
    "compare": lambda scores, one: assay.compare(scores, one),
    "gate": lambda scores, one: assay.gate(scores, one, floor=0.1),
    "power": lambda scores, one: assay.power(scores, one),
    "holes": lambda scores, one: assay.holes(scores, one),
    "ties": lambda scores, one: assay.ties(QRELS, RUNS, one),
    "risk": lambda scores, one: assay.risk(QRELS, GOOD, BAD, one).write_json(),
    "slice_gaps": lambda scores, one: assay.slice_gaps(scores, one).write_json(),
    "worst_slices": lambda scores, one: assay.worst_slices(scores, one).write_json(),
    "per_unit": lambda scores, one: scores.per_unit(one).write_json(),
}
SINGLE: dict[str, Callable[[assay.Scores, Any], Any]] = {
    "scores": lambda scores, one: scores[one],
    "comparison": lambda scores, one: assay.compare(scores)[one].write_json(),
    "margin": lambda scores, one: assay.gate(scores, one, baseline="good", margin={one: 0.01}),
    "floor": lambda scores, one: assay.gate(scores, one, floor={one: 0.01}),
    "next of runs": lambda scores, one: assay.next(QRELS, RUNS, one, count=10).write_json(),
    "next of two": lambda scores, one: assay.next(QRELS, GOOD, BAD, one, count=10).write_json(),
    "next of scores": lambda scores, one: assay.next(scores, one, count=10).write_json(),
    "explain": lambda scores, one: assay.explain(scores, one, "q1"),
    "gains": lambda scores, one: assay.gain_tables(scores, one).write_json(),
    "gains of pairs": lambda scores, one: assay.gain_tables(
        assay.compare(scores), one
    ).write_json(),
    "figure": lambda scores, one: assay.plot("per-query", scores, measure=one).title,
    "figure of pairs": lambda scores, one: assay.compare(scores).plot(measure=one).title,
    "figure of holes": lambda scores, one: assay.holes(scores).plot(measure=one).title,
}


@pytest.fixture(scope="module")
def scores() -> assay.Scores:
    """Return two measures of two runs, by slice, the one that is asked for last."""
    slices = {query: "odd" if at % 2 else "even" for at, query in enumerate(QUERIES)}
    return assay.retrieval(QRELS, RUNS, ["AP", NAME], by=slices)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("entry", ENTRIES)
def test_one_measure_or_several(scores: assay.Scores, entry: str, kind: str, form: str) -> None:
    call = ENTRIES[entry]
    assert call(scores, FORMS[form](OBJECTS[kind]())) == call(scores, NAME)


@pytest.mark.parametrize("kind", OBJECTS)
@pytest.mark.parametrize("entry", SINGLE)
def test_one_measure(scores: assay.Scores, entry: str, kind: str) -> None:
    call = SINGLE[entry]
    assert call(scores, OBJECTS[kind]()) == call(scores, NAME)


def test_a_comparison_finds_names_written_otherwise(scores: assay.Scores) -> None:
    found = assay.compare(scores)
    assert found["ndcg_cut_10"].equals(found[NAME])
    assert found["map"].equals(found["AP"])
    assert not found["AP"].equals(found[NAME])
    with pytest.raises(UsageError, match=r"no measure 'RR' \(there are AP, nDCG@10\)"):
        found["RR"]


def test_a_column_of_several_words_is_one_measure() -> None:
    rows = {"system": list("aabb"), "unit": list("1212"), "log loss": [0.1, 0.2, 0.3, 0.5]}
    assert assay.compare(rows, "log loss").pairs["measure"].to_list() == ["log loss"]


@pytest.mark.parametrize("other", [5, None, len, ["AP"]])
def test_what_prints_as_no_measure_is_refused(other: Any) -> None:
    with pytest.raises(UnknownMeasure, match="is not the name of a measure"):
        assay.measure(other)


def test_an_object_with_the_name_of_several_measures() -> None:
    precision = pytest.importorskip("ir_measures").P @ 1
    with pytest.raises(UnknownMeasure, match=r"could be .*retrieval\.P"):
        assay.measure(precision)
    assert assay.measure(precision, "retrieval").name == "P@1"


def test_a_scorer_of_a_measure() -> None:
    accuracy = assay.measure("ACC", "classification")
    assert repr(assay.scorer(accuracy)) == repr(assay.scorer("ACC")) == "assay.scorer('ACC')"
    with pytest.raises(UsageError, match="a scorer has one measure"):
        assay.scorer(len)


def test_costs_beside_one_measure() -> None:
    costs = {"system": ["good", "bad"], "cost": [2.0, 1.0]}
    found = assay.retrieval(QRELS, RUNS, ["AP", NAME], cost=costs)
    expected = assay.cost(found, [NAME])
    assert expected.columns[1] == NAME
    for given in (NAME, assay.measure(NAME), Indexed()):
        assert assay.cost(found, given).equals(expected)


def test_what_to_judge_next_comes_from_scores(scores: assay.Scores, tmp_path: Path) -> None:
    expected = assay.next(QRELS, RUNS, measure="P@3", count=5)
    assert expected.height
    assert assay.next(scores, "P@3", count=5).equals(expected)
    assert assay.next(scores, measure="P@3", count=5).equals(expected)
    assert assay.next(scores, count=5).equals(assay.next(QRELS, RUNS, count=5))
    scores.save(tmp_path / "scores.parquet")
    with pytest.raises(UsageError, match="Scores of rankings that were computed here, not loaded"):
        assay.next(assay.load(tmp_path / "scores.parquet"), NAME)
    with pytest.raises(UsageError, match="after Scores, which have their runs"):
        assay.next(scores, GOOD, BAD)
    with pytest.raises(UsageError, match="give judgments and two or more runs"):
        assay.next(QRELS)


def test_a_measure_after_a_pattern_of_files(tmp_path: Path) -> None:
    for name, run in RUNS.items():
        lines = (f"{q} Q0 {d} 1 {s} x\n" for q, own in run.items() for d, s in own.items())
        (tmp_path / f"{name}.run").write_text("".join(lines))
    pattern = str(tmp_path / "*.run")
    expected = assay.next(QRELS, pattern, measure="P@3")
    assert assay.next(QRELS, pattern, "P@3").equals(expected)
    assert assay.next(QRELS, pattern, assay.measure("P@3", "retrieval")).equals(expected)


@pytest.mark.parametrize("form", FORMS)
def test_measures_follow_a_frame(form: str) -> None:
    frame = pl.DataFrame({"truth": [1, 2, 3, 3], "predicted": [1, 2, 4, 3]})
    asked = FORMS[form](assay.measure("R2"))
    found = assay.regression(frame, asked, interval=None)
    assert found.results == assay.regression(frame, "R2", interval=None).results
