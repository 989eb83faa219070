"""The published table of TREC-COVID, round 1: eleven runs."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import assay

pytestmark = pytest.mark.shared

COLUMNS = {
    "ndcg@10": "nDCG@10",
    "p@5": "P@5",
    "RBP(p=.5)": "RBP(p=0.5,gmax=2)",
    "bpref": "bpref",
    "MAP": "AP",
}


def test_published_table(shared_data: Path) -> None:
    folder = shared_data / "trec_covid_round1"
    with (folder / "published.csv").open() as lines:
        published = {row["run"]: row for row in csv.DictReader(lines)}
    runs = {name: str(folder / "runs" / f"{name}.gz") for name in published}
    names = list(COLUMNS.values())
    scores = assay.retrieval(str(folder / "qrels.txt"), runs, names, interval=None)
    for column, name in COLUMNS.items():
        for run, row in published.items():
            assert scores[name][run] == pytest.approx(float(row[column]), abs=5.1e-5), (run, name)
