"""Sets of labels and spans of one system or several: from columns, files, frames or records."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

import assay
from assay.core.errors import DataError, UsageError
from assay.tasks.label_sets import LabelSetEvidence
from assay.tasks.spans import SpanEvidence

# Items with the true labels {a, b}, {c}, {a}. The first system has 1 of 3 sets right, the second 2.
SETS = [
    {"id": "1", "truth": ["a", "b"], "one": ["a"], "two": ["a", "b"]},
    {"id": "2", "truth": ["c"], "one": ["c"], "two": ["c"]},
    {"id": "3", "truth": ["a"], "one": ["b", "a"], "two": ["b"]},
]
# Recall of the types A and B: 1 of 2 and 0 of 1 for system one, 1 of 2 and 1 of 1 for two.
SPANS = [
    {"truth": [[0, 3, "A"], [5, 7, "B"]], "one": [[0, 3, "A"]], "two": [[0, 3, "A"], [5, 7, "B"]]},
    {"truth": [[1, 4, "A"]], "one": [[1, 3, "A"]], "two": []},
]


def _write(path: Path, rows: list[dict[str, object]], column: str) -> str:
    lines = [json.dumps({**row, "predicted": row[column]}) for row in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


def test_columns_of_sets_are_systems() -> None:
    for data in (SETS, pl.DataFrame(SETS)):
        scores = assay.labelsets(data, "subset", predicted=["one", "two"], bootstrap=None)
        assert scores["subset"] == pytest.approx({"one": 1 / 3, "two": 2 / 3})
        assert scores.conventions["labels"] == 3
        assert scores.conventions["items"] == 3


def test_files_of_sets_are_systems(tmp_path: Path) -> None:
    files = [_write(tmp_path / f"{name}.jsonl", SETS, name) for name in ("one", "two")]
    scores = assay.labelsets(files, "subset", item="id", bootstrap=None)
    assert scores["subset"] == pytest.approx({"one": 1 / 3, "two": 2 / 3})
    assert scores.conventions["sources"] == dict(zip(("one", "two"), files, strict=True))
    pair = assay.compare(scores, test="t").pairs.row(0, named=True)
    assert abs(pair["difference"]) == pytest.approx(1 / 3)
    with pytest.raises(DataError, match="name the column of items"):
        assay.compare(assay.labelsets(files, "subset", bootstrap=None))


def test_one_system_keeps_its_name_and_its_numbers() -> None:
    beside = assay.labelsets(SETS, "F", predicted=["one", "two"]).results
    for result, column in zip(beside, ("one", "two"), strict=True):
        alone = assay.labelsets(SETS, "F", predicted=column)
        assert alone.systems == ("classifier",)
        assert "sources" not in alone.conventions
        own = alone.results[0]
        assert (own.value, own.low, own.high) == (result.value, result.low, result.high)


def test_named_frames_of_sets() -> None:
    frame = pl.DataFrame(SETS)
    data = {name: frame.with_columns(predicted=pl.col(name)) for name in ("one", "two")}
    found = LabelSetEvidence.read(data, item="id")
    assert found.systems == ("one", "two")
    assert len(set(found.scores("F").conventions["inputs"])) == 2


def test_no_rows_are_refused() -> None:
    for evaluate in (assay.labelsets, assay.spans):
        with pytest.raises(DataError, match="there are no rows to evaluate"):
            evaluate([])
        with pytest.raises(UsageError, match="there is no 'guess' among"):
            evaluate(SPANS, predicted="guess")


def test_spans_of_several_systems(tmp_path: Path) -> None:
    scores = assay.spans(SPANS, "R", predicted=["one", "two"], bootstrap=None)
    files = [_write(tmp_path / f"{name}.jsonl", SPANS, name) for name in ("one", "two")]
    from_files = assay.spans(files, "R", bootstrap=None)
    for found in (scores, from_files):
        assert found.systems == ("one", "two")
        assert found.conventions["documents"] == 2
        assert found["R"] == {"one": 0.25, "two": 0.75}
    assert from_files.conventions["sources"] == dict(zip(("one", "two"), files, strict=True))
    assert SpanEvidence.read(SPANS, predicted="one").systems == ("tagger",)
