"""What ranx says of drawn rankings, for tests/oracles/ranx.json: python scripts/values_from_ranx.py

ranx compiles itself at its first use (minutes) and weighs half a gigabyte with its compiler: so the
tests compare with what it said instead of asking it. `make bench` installs it.
"""

from __future__ import annotations

import json
import math
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import ranx

KEPT = Path(__file__).resolve().parent.parent / "tests" / "oracles" / "ranx.json"
NORMS = ["min-max", "max", "sum", "zmuv", "rank"]
SCORE_METHODS = ["sum", "mnz", "anz", "min", "max", "med"]
RANK_METHODS: dict[str, dict[str, float]] = {
    "rrf": {"k": 60},
    "isr": {},
    "rbc": {"phi": 0.8},
    "bordafuse": {},
}
MEASURES = [
    *("hits@5", "hit_rate@5", "precision@5", "recall@5", "f1@5", "r-precision", "mrr@5"),
    *("map", "map@5", "map@5-l2", "dcg@5", "dcg_burges@5", "ndcg", "ndcg@5", "ndcg_burges@5"),
    *("bpref", "rbp.8"),
]
Table = dict[str, dict[str, float]]


def drawn_runs() -> list[Table]:
    """Three runs without ties, each with some of twelve documents."""
    draw = np.random.default_rng(3)
    docs = [f"d{n}" for n in range(12)]
    return [
        {
            f"q{q}": dict(
                zip(
                    draw.choice(docs, 8, replace=False).tolist(),
                    map(float, draw.permutation(40)[:8]),
                    strict=True,
                )
            )
            for q in range(4)
        }
        for _ in range(3)
    ]


def drawn_judgments() -> tuple[Table, Table]:
    """Judgments with grades up to 3, and a run that lacks some of the documents."""
    draw = np.random.default_rng(8)
    qrels: Table = {}
    run: Table = {}
    for query in "abcdef":
        grades = [0, 0, 3, 2, *draw.choice([0, 1, 2, 3], 8).tolist()]
        qrels[query] = {f"d{n}": int(grade) for n, grade in enumerate(grades)}
        listed = draw.permutation(16)[:11].tolist()
        run[query] = {f"d{n}": float(100 - place) for place, n in enumerate(listed)}
    return qrels, run


def fused(runs: list[Table], norm: str | None, method: str, **params: float) -> dict[str, Any]:
    lists = [ranx.Run(run) for run in runs]
    scores = ranx.fuse(lists, norm=norm, method=method, params=params).to_dict()
    ordered = {query: dict(sorted(docs.items())) for query, docs in sorted(scores.items())}
    return {"method": method, "norm": norm, "params": params, "scores": ordered}


def evaluated(qrels: Table, run: Table) -> dict[str, Any]:
    values: dict[str, list[float | None]] = {}
    for name in MEASURES:
        found = ranx.Run({query: dict(docs) for query, docs in run.items()})
        truth = ranx.Qrels({query: dict(docs) for query, docs in qrels.items()})
        ranx.evaluate(truth, found, name)
        scores = [float(found.scores[name][query]) for query in run]
        values[name] = [None if math.isnan(score) else score for score in scores]
    return {"qrels": qrels, "run": run, "values": values}


def main() -> None:
    runs = drawn_runs()
    content = {
        "provenance": f"ranx {version('ranx')}, by scripts/values_from_ranx.py",
        "runs": runs,
        "fused": [fused(runs, norm, method) for method in SCORE_METHODS for norm in NORMS]
        + [fused(runs, None, method, **params) for method, params in RANK_METHODS.items()],
        "drawn": evaluated(*drawn_judgments()),
        # Nothing is judged not relevant, and the grades are above 1.
        "small": evaluated({"1": {"a": 3, "b": 3}}, {"1": {"a": 2.0, "b": 1.0}}),
    }
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
