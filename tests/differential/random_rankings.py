"""Random small rankings: ties, unanswered queries, unjudged documents and negative grades."""

from __future__ import annotations

from typing import Any

import numpy as np

Table = dict[str, dict[str, Any]]
DOCS = [f"d{number:02}" for number in range(16)]


def draw_rankings(seed: int) -> tuple[Table, Table]:
    """Return judgments and a run that share at least one query."""
    random = np.random.default_rng(seed)
    qrels: Table = {}
    run: Table = {}
    for query in "abcd"[: random.integers(1, 5)]:
        if random.random() < 0.9:
            qrels[query] = _draw_grades(random)
        if random.random() < 0.85:
            listed = random.permutation(DOCS)[: random.integers(1, 16)].tolist()
            run[query] = {doc: float(random.integers(1, 7)) for doc in listed}
    if not set(qrels) & set(run):
        qrels["a"], run["a"] = _draw_grades(random), {DOCS[0]: 1.0}
    return qrels, run


def _draw_grades(random: np.random.Generator) -> dict[str, int]:
    """Return grades by rising id, at least one of them not negative (trec_eval needs it)."""
    chosen = sorted(random.permutation(DOCS)[: random.integers(1, 12)].tolist())
    levels = [-2, -1, 0, 0, 1, 2, 3] if random.random() < 0.85 else [-1, 0]
    grades = {doc: int(random.choice(levels)) for doc in chosen}
    if max(grades.values()) < 0:
        grades[chosen[0]] = 0
    return grades


def draw_subtopics(seed: int) -> tuple[list[tuple[str, str, str, int]], Table]:
    """Return judgments of subtopics as rows, and a run."""
    random = np.random.default_rng(seed)
    rows: list[tuple[str, str, str, int]] = []
    run: Table = {}
    for query in "abcd"[: random.integers(1, 5)]:
        levels = [-1, 0, 0, 1, 2] if random.random() < 0.85 else [-1, 0]
        for subtopic in "123"[: random.integers(1, 4)]:
            chosen = random.permutation(DOCS)[: random.integers(1, 9)].tolist()
            rows += [(query, subtopic, doc, int(random.choice(levels))) for doc in chosen]
        if query == "a" or random.random() < 0.85:
            listed = random.permutation(DOCS)[: random.integers(1, 16)].tolist()
            run[query] = {doc: float(random.integers(1, 9)) for doc in listed}
    return rows, run


def describe(seed: int, qrels: Any, run: Table, *what: object) -> str:
    """Return a failing case in a few lines that can be pasted into Python."""
    return f"seed {seed}: {' '.join(map(str, what))}\nqrels = {qrels}\nrun = {run}"
