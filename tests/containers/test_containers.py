"""Every container gives the same bits in every task, with whatever libraries are installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import polars as pl
import pytest

import assay

HAS_PANDAS = importlib.util.find_spec("pandas") is not None
HAS_ARROW = importlib.util.find_spec("pyarrow") is not None
DRAW = np.random.default_rng(7)
ITEMS = 60
TRUE = [str(each) for each in DRAW.choice(["cat", "dog", "owl"], ITEMS)]
PREDICTED = [str(each) for each in DRAW.choice(["cat", "dog", "owl"], ITEMS)]
BINARY = [int(each) for each in DRAW.integers(0, 2, ITEMS)]
SCORES = [float(each) for each in DRAW.random(ITEMS)]
NUMBERS = [float(each) for each in DRAW.normal(size=ITEMS)]
MATRIX = [[float(cell) for cell in row] for row in DRAW.dirichlet([1, 1, 1], ITEMS)]
INDICATORS = [[int(cell) for cell in row] for row in DRAW.integers(0, 2, (ITEMS, 3))]
OTHERS = [[int(cell) for cell in row] for row in DRAW.integers(0, 2, (ITEMS, 3))]


class Tensor:
    """What a CPU tensor of another library offers: the array interface, and no more."""

    def __init__(self, values: Any) -> None:
        self.values = np.asarray(values)
        self.shape = self.values.shape

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return self.values if dtype is None else self.values.astype(dtype)

    def __len__(self) -> int:
        return len(self.values)


def _pandas(values: Any, **options: Any) -> Any:
    import pandas as pd

    return pd.Series(values, **options)


def _arrow(values: Any) -> Any:
    import pyarrow as pa

    return pa.array(values)


def _chunked(values: Any) -> Any:
    import pyarrow as pa

    return pa.chunked_array([values[:20], values[20:]])


COLUMNS: dict[str, Callable[[Any], Any]] = {
    "tuple": tuple,
    "numpy": np.asarray,
    "numpy objects": lambda values: np.asarray(values, dtype=object),
    "polars": pl.Series,
    "tensor": Tensor,
}
if HAS_PANDAS:
    COLUMNS |= {
        "pandas": _pandas,
        "pandas objects": lambda values: _pandas(values, dtype=object),
        "pandas categories": lambda values: _pandas(
            values, dtype=None if isinstance(values[0], float) else "category"
        ),
        "pandas index": lambda values: _pandas(values, index=range(ITEMS, 0, -1)),
    }
if HAS_ARROW:
    COLUMNS |= {"arrow": _arrow, "arrow chunks": _chunked}
MATRICES: dict[str, Callable[[Any], Any]] = {
    "numpy": np.asarray,
    "polars": lambda rows: pl.DataFrame(rows, schema=list("012"), orient="row"),
    "tensor": Tensor,
}
if HAS_PANDAS:
    MATRICES["pandas"] = lambda rows: __import__("pandas").DataFrame(rows)

Column = Callable[[Any], Any]
TASKS: dict[str, Callable[[Column], assay.Scores]] = {
    "decisions": lambda to: assay.classification(to(TRUE), to(PREDICTED), by={"g": to(BINARY)}),
    "scores": lambda to: assay.classification(to(BINARY), y_score=to(SCORES), positive=1),
    "weights": lambda to: assay.classification(
        to(BINARY), to(BINARY[::-1]), "F MCC", weight=to(SCORES)
    ),
    "systems": lambda to: assay.classification(
        to(TRUE), {"one": to(PREDICTED), "two": to(TRUE[::-1])}, ["MCC"]
    ),
    "regression": lambda to: assay.regression(to(NUMBERS), {"a": to(SCORES), "b": to(NUMBERS)}),
    "clustering": lambda to: assay.clustering(to(TRUE), {"a": to(BINARY), "b": to(PREDICTED)}),
    "agreement": lambda to: assay.agreement(to(TRUE), to(PREDICTED)),
    "correlation": lambda to: assay.correlation(to(NUMBERS), to(SCORES), "tau rho"),
}
MATRIX_TASKS: dict[str, Callable[[Column], assay.Scores]] = {
    "probabilities": lambda to: assay.classification(
        TRUE, y_score={"a": to(MATRIX), "b": to(MATRIX[::-1])}, classes=["cat", "dog", "owl"]
    ),
    "labelsets": lambda to: assay.labelsets(to(INDICATORS), {"a": to(OTHERS)}),
    "agreement": lambda to: assay.agreement({"one": to(INDICATORS), "two": to(OTHERS)}, "alpha"),
    "points": lambda to: assay.clustering(to(MATRIX), BINARY),
}


def _bits(scores: assay.Scores) -> list[Any]:
    """Everything that was measured, with floats as their bits."""
    return [
        (
            each.system,
            each.slice,
            each.measure,
            each.units,
            each.values.tobytes(),
            np.float64([each.value, each.low, each.high]).tobytes(),
        )
        for each in scores.results
    ]


@pytest.mark.parametrize("task", TASKS)
@pytest.mark.parametrize("container", COLUMNS)
def test_columns(container: str, task: str) -> None:
    assert _bits(TASKS[task](COLUMNS[container])) == _bits(TASKS[task](list))


@pytest.mark.parametrize("task", MATRIX_TASKS)
@pytest.mark.parametrize("container", MATRICES)
def test_matrices(container: str, task: str) -> None:
    expected = _bits(MATRIX_TASKS[task](lambda rows: [list(row) for row in rows]))
    assert _bits(MATRIX_TASKS[task](MATRICES[container])) == expected


def test_arrays_are_the_columns_of_a_table() -> None:
    table = {"t": TRUE, "one": PREDICTED, "two": TRUE[::-1], "group": BINARY}
    named = assay.classification(table, truth="t", predicted=["one", "two"], by=["group"])
    arrays = assay.classification(TRUE, {"one": PREDICTED, "two": TRUE[::-1]}, by={"group": BINARY})
    assert _bits(arrays) == _bits(named)


class Qrel(NamedTuple):
    """A judgment as ir_measures has it."""

    query_id: str
    doc_id: str
    relevance: int
    iteration: str = "0"


class ScoredDoc(NamedTuple):
    """A line of a run as ir_measures has it."""

    query_id: str
    doc_id: str
    score: float


QUERIES = [f"q{n}" for n in range(9)]
GRADES = {q: {f"d{n}": int(DRAW.integers(0, 2)) for n in range(8)} | {"d9": 1} for q in QUERIES}
RUN = {q: {f"d{n}": float(DRAW.random()) for n in range(12)} for q in QUERIES}
JUDGED = [Qrel(q, d, g) for q, docs in GRADES.items() for d, g in docs.items()]
RETRIEVED = [ScoredDoc(q, d, s) for q, docs in RUN.items() for d, s in docs.items()]


class Ranx:
    """Judgments or a run of ranx, which has ``to_dict`` and a name."""

    def __init__(self, given: Any, name: str | None = None) -> None:
        self.given, self.name = given, name

    def to_dict(self) -> Any:
        """Return a dict of query to {document: number}."""
        return self.given


Ranx.__module__ = "ranx.data_structures.run"
_ROWS = [{"qid": q, "docno": d, "score": s, "query": f"text of {q}"} for q, d, s in RETRIEVED]
RETRIEVAL: dict[str, Callable[[], tuple[Any, Any]]] = {
    "tuples": lambda: (JUDGED, RETRIEVED),
    "generators": lambda: (iter(JUDGED), {"run": iter(RETRIEVED)}),
    "row dicts": lambda: ([each._asdict() for each in JUDGED], _ROWS),
    "ranx": lambda: (Ranx(GRADES), Ranx(RUN, "run")),
    "columns": lambda: (
        {
            "query": [e[0] for e in JUDGED],
            "doc": [e[1] for e in JUDGED],
            "rel": [e[2] for e in JUDGED],
        },
        {"run": pl.DataFrame(_ROWS)},
    ),
    "lists": lambda: (
        GRADES,
        {q: sorted(docs, key=lambda d, docs=docs: -docs[d]) for q, docs in RUN.items()},  # type: ignore[misc]
    ),
    "pairs": lambda: (
        {q: list(docs.items()) for q, docs in GRADES.items()},
        {"run": {q: [*map(tuple, docs.items())] for q, docs in RUN.items()}},
    ),
    "rows of a query": lambda: (
        {q: [{"docno": d, "label": g} for d, g in docs.items()] for q, docs in GRADES.items()},
        {q: [{"docno": d, "score": s} for d, s in docs.items()] for q, docs in RUN.items()},
    ),
    "arrays": lambda: (
        GRADES,
        {q: np.array(sorted(docs, key=lambda d: -docs[d])) for q, docs in RUN.items()},
    ),
    "users and items": lambda: (
        {
            "user": [e[0] for e in JUDGED],
            "item": [e[1] for e in JUDGED],
            "rating": [e[2] for e in JUDGED],
        },
        {
            "user": [e[0] for e in RETRIEVED],
            "item": [e[1] for e in RETRIEVED],
            "prediction": [e[2] for e in RETRIEVED],
        },
    ),
}
if HAS_PANDAS:
    RETRIEVAL["PyTerrier"] = lambda: (
        __import__("pandas")
        .DataFrame(JUDGED)
        .rename(columns={"query_id": "qid", "doc_id": "docno"}),
        {"run": __import__("pandas").DataFrame(_ROWS)},
    )


@pytest.mark.parametrize("container", RETRIEVAL)
def test_judgments_and_runs(container: str) -> None:
    measures = ["nDCG@5", "AP", "P@3", "RR"]
    qrels, run = RETRIEVAL[container]()
    expected = _bits(assay.retrieval(GRADES, {"run": RUN}, measures))
    assert _bits(assay.retrieval(qrels, run, measures)) == expected


def test_relevant_documents_alone() -> None:
    relevant = {q: {d for d, g in docs.items() if g} for q, docs in GRADES.items()}
    rows = [{"user": q, "item": d} for q, docs in relevant.items() for d in sorted(docs)]
    expected = _bits(assay.retrieval(GRADES, RUN, "AP RR"))
    for judged in (relevant, {q: sorted(docs) for q, docs in relevant.items()}, pl.DataFrame(rows)):
        assert _bits(assay.retrieval(judged, RUN, "AP RR")) == expected
    assert "every row counts as relevant" in assay.retrieval(rows, RUN, "AP").warnings[0]


def test_one_relevant_document_is_a_string() -> None:
    expected = _bits(assay.retrieval({q: {"d9"} for q in QUERIES}, RUN, "RR"))
    assert _bits(assay.retrieval(dict.fromkeys(QUERIES, "d9"), RUN, "RR")) == expected


@pytest.mark.parametrize("ranking", [[("d1", "x")], [("d1", 2.0, 1)], [["d1"]], [{"a": ["d1"]}]])
def test_what_is_no_document_is_refused(ranking: list[Any]) -> None:
    with pytest.raises(assay.AssayError, match="q0"):
        assay.retrieval({"q0": {"d1"}}, {"q0": ranking}, "RR")


def test_frames_with_missing_text() -> None:
    if not HAS_PANDAS:
        pytest.skip("pandas is not installed")
    import pandas as pd

    frame = pd.DataFrame({"truth": [*TRUE[:-1], None], "guess": PREDICTED})
    scores = assay.classification(frame, "ACC", predicted="guess", missing="drop")
    expected = assay.classification(TRUE[:-1], PREDICTED[:-1], "ACC")
    assert scores["ACC"] == expected["ACC"]


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "lengths": (lambda: assay.classification(TRUE, PREDICTED[:9]), "9 values for 60 true values"),
    "scores": (lambda: assay.classification(BINARY, SCORES), "as `y_score`"),
    "classes": (lambda: assay.classification(BINARY, y_score=MATRIX), "3 columns for 2 classes"),
    "column": (lambda: assay.classification(TRUE, PREDICTED, by="age"), "names a column"),
    "matrix": (lambda: assay.classification(BINARY, np.asarray(MATRIX)), "as `y_score`"),
    "cells": (lambda: assay.labelsets(np.asarray(MATRIX), np.asarray(MATRIX)), "1 where the item"),
    "assessors": (
        lambda: assay.agreement(np.asarray(INDICATORS), assessors=["a"]),
        "1 names of assessors",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_arrays_that_do_not_fit(case: str) -> None:
    call, message = REFUSED[case]
    with pytest.raises(assay.AssayError, match=message):
        call()


def test_nan_is_no_rating() -> None:
    ratings = np.asarray(INDICATORS, dtype=float)
    ratings[::5, 1] = np.nan
    rows = [[None if cell != cell else int(cell) for cell in row] for row in ratings.tolist()]
    columns = {str(at): [row[at] for row in rows] for at in range(3)}
    expected = _bits(assay.agreement(columns, "alpha", assessors=["0", "1", "2"], scale="ordinal"))
    names = ["0", "1", "2"]
    found = assay.agreement(ratings, "alpha", assessors=names, scale="ordinal")
    assert _bits(found) == expected
    frame = pl.DataFrame(ratings, schema=names)
    assert _bits(assay.agreement(frame, "alpha", assessors=names, scale="ordinal")) == expected


def test_arrays_in_matrices_thresholds_and_figures() -> None:
    table = {"truth": BINARY, "predicted": BINARY[::-1], "score": SCORES}
    named = assay.confusion(table, truth="truth", predicted="predicted")
    assert np.array_equal(assay.confusion(BINARY, np.asarray(BINARY[::-1])).matrix, named.matrix)
    found = assay.threshold(np.asarray(BINARY), score=np.asarray(SCORES), positive=1)
    assert found.table.equals(assay.threshold(table).table)
    title = assay.plot("roc", BINARY, score=np.asarray(SCORES)).title
    assert title == assay.plot("roc", table, score="score").title
