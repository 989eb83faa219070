"""The number of threads changes no bit of values and intervals, from files read in parts."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
import pytest

ROWS = 120_000
"""More than Polars reads in one piece, and than is added up in one block."""
PROGRAM = """
import sys
import assay

folder, bootstrap = sys.argv[1], assay.Bootstrap(resamples=50)
runs = [
    assay.classification(f"{folder}/classes.csv", predicted="guess", score="score", by=["part"]),
    assay.classification(f"{folder}/classes.parquet", "Brier LogLoss AP", score="score"),
    assay.regression(f"{folder}/values.csv", interval=bootstrap),
    assay.regression(f"{folder}/values.csv", "Pearson CCC Spearman", interval=None),
    assay.correlation(f"{folder}/orders.parquet", "tau rho r"),
    assay.clustering(f"{folder}/classes.csv", cluster="guess", classes="truth"),
    assay.agreement(f"{folder}/ratings.csv", interval=bootstrap),
    assay.retrieval(f"{folder}/qrels.txt", f"{folder}/run.txt", "nDCG@10 AP RR"),
]
for scores in runs:
    for each in scores.results:
        numbers = each.value, each.low, each.high, float(each.values.sum())
        print(each.slice, each.measure, *(number.hex() for number in numbers))
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write tables with many ties, and a run with its lines in no order."""
    place, random = tmp_path_factory.mktemp("threads"), np.random.default_rng(8)
    truth = random.random(ROWS) < 0.3
    score = np.round(1 / (1 + np.exp(-random.normal(size=ROWS) - truth)), 4)
    words = np.asarray(["no", "yes"])
    classes = pl.DataFrame(
        {
            "truth": words[truth.astype(int)],
            "guess": words[(score > 0.5).astype(int)],
            "score": score,
            "part": words[random.integers(0, 2, ROWS)],
        }
    )
    classes.write_csv(place / "classes.csv")
    classes.write_parquet(place / "classes.parquet", row_group_size=10_000)
    values = np.round(random.normal(size=ROWS), 3)
    noisy = np.round(values + random.normal(size=ROWS), 3)
    pl.DataFrame({"truth": values, "predicted": noisy}).write_csv(place / "values.csv")
    orders = pl.DataFrame({"item": np.arange(ROWS), "first": values, "second": noisy})
    orders.write_parquet(place / "orders.parquet", row_group_size=10_000)
    items = random.permutation(np.repeat(np.arange(ROWS // 6), 3))
    ratings = pl.DataFrame({"item": items, "label": random.integers(1, 4, len(items))})
    numbered = ratings.with_columns(assessor=pl.int_range(pl.len()).over("item"))
    numbered.write_csv(place / "ratings.csv")
    lines = [
        f"q{query} Q0 d{doc} {doc} {random.integers(0, 30)} tag"
        for query in range(200)
        for doc in range(100)
    ]
    random.shuffle(lines)
    (place / "run.txt").write_text("\n".join(lines) + "\n")
    judged = [f"q{query} 0 d{3 * doc} {doc % 3}" for query in range(200) for doc in range(20)]
    (place / "qrels.txt").write_text("\n".join(judged) + "\n")
    return place


def evaluate(folder: Path, threads: int) -> str:
    environment = os.environ | {"POLARS_MAX_THREADS": str(threads)}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.slow
def test_one_two_and_eight_threads(folder: Path) -> None:
    one = evaluate(folder, 1)
    assert len(one.splitlines()) > 20
    assert evaluate(folder, 2) == one
    assert evaluate(folder, 8) == one
