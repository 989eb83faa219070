"""The same data gives the same bits: whatever the container, the order of lines, the hash seed."""

from __future__ import annotations

import gzip
import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from tests.conftest import ROOT

import assay
from assay.core.catalogue import catalogue
from assay.core.names import declared_variants
from assay.engine.scores import Scores
from assay.evidence.views.rankings import Rankings

Lines = list[tuple[str, str, float]]
MEASURES = [
    each.name
    for definition in catalogue().values()
    if definition.view is Rankings
    for each in declared_variants(definition)
]


def _evidence() -> tuple[Lines, Lines]:
    """Judgments and a run with ties, negative grades, unjudged documents and missing queries."""
    draw = random.Random(7)
    qrels: Lines = []
    run: Lines = []
    for number in range(12):
        query = f"q{number}"
        docs = [f"d{n}" for n in range(30)]
        qrels += [
            (query, doc, draw.choice([-1, 0, 0, 1, 1, 2, 3])) for doc in draw.sample(docs, 15)
        ]
        if number != 5:
            run += [(query, doc, draw.randrange(8) / 4) for doc in draw.sample(docs, 20)]
    return qrels, run


QRELS, RUN = _evidence()


def _nested(lines: Lines) -> dict[str, dict[str, float]]:
    nested: dict[str, dict[str, float]] = {}
    for query, doc, value in lines:
        nested.setdefault(query, {})[doc] = value
    return nested


def _numbers(scores: Scores) -> str:
    content = json.loads(scores.to_json())
    return json.dumps([content["summary"], content["per_unit"]])


def _frame(lines: Lines, value: str) -> pl.DataFrame:
    return pl.DataFrame(lines, schema=["query", "doc", value], orient="row")


@pytest.fixture(scope="module")
def expected() -> str:
    return _numbers(assay.retrieval(_nested(QRELS), {"a": _nested(RUN)}, MEASURES))


@pytest.mark.parametrize("kind", ["polars", "pandas", "arrow", "lazy"])
def test_frames(kind: str, expected: str) -> None:
    convert = {
        "polars": lambda frame: frame,
        "lazy": lambda frame: frame.lazy(),
        "pandas": lambda frame: pd.DataFrame(frame.to_dicts()),
        "arrow": lambda frame: pa.table(frame.to_dict(as_series=False)),
    }[kind]
    qrels, run = convert(_frame(QRELS, "grade")), convert(_frame(RUN, "score"))
    assert _numbers(assay.retrieval(qrels, {"a": run}, MEASURES)) == expected


@pytest.mark.parametrize("seed", [1, 2, 3])
@pytest.mark.parametrize("packed", [False, True])
def test_files_in_any_order_of_lines(
    seed: int, packed: bool, tmp_path: Path, expected: str
) -> None:
    qrels, run = list(QRELS), list(RUN)
    random.Random(seed).shuffle(qrels)
    random.Random(seed).shuffle(run)
    texts = {
        "qrels": "".join(f"{q} 0 {d} {g:g}\n" for q, d, g in qrels),
        "run": "".join(f"{q}\tQ0 {d}  1 {s} a\n" for q, d, s in run),
    }
    for name, text in texts.items():
        data = gzip.compress(text.encode()) if packed else text.encode()
        (tmp_path / name).write_bytes(data)
    scores = assay.retrieval(tmp_path / "qrels", {"a": tmp_path / "run"}, MEASURES)
    assert _numbers(scores) == expected


def test_one_measure_or_many(expected: str) -> None:
    together = json.loads(expected)[0]
    for name, row in zip(MEASURES, together, strict=True):
        alone = assay.retrieval(_nested(QRELS), {"a": _nested(RUN)}, name)
        assert json.loads(_numbers(alone))[0] == [row]


def test_one_run_or_many(expected: str) -> None:
    run = _nested(RUN)
    both = assay.retrieval(_nested(QRELS), {"b": run, "a": run}, MEASURES)
    rows = [row for row in json.loads(_numbers(both))[0] if row["system"] == "a"]
    assert rows == json.loads(expected)[0]


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_another_hash_seed(hash_seed: str, tmp_path: Path, expected: str) -> None:
    (tmp_path / "qrels.json").write_text(json.dumps(_nested(QRELS)))
    (tmp_path / "run.json").write_text(json.dumps(_nested(RUN)))
    program = (
        "import assay, json, sys; load = lambda name: json.load(open(name));"
        "scores = assay.retrieval(load('qrels.json'), {'a': load('run.json')}, sys.argv[1:]);"
        "content = json.loads(scores.to_json());"
        "print(json.dumps([content['summary'], content['per_unit']]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *MEASURES],
        cwd=tmp_path,
        env=os.environ | {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.strip() == expected
