"""Trustworthiness and continuity beside scikit-learn: time and extra memory, each in its process.

python bench/reduction.py            both, with the ratios
python bench/reduction.py NAME       one of the two, in this process
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time

import numpy as np

POINTS, WIDTH, NEIGHBORS = 20_000, 50, 5


def _spaces() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    points = random.normal(size=(POINTS, WIDTH)) + random.integers(0, 10, POINTS)[:, None] * 0.5
    centered = points - points.mean(axis=0)
    return points, centered @ np.linalg.svd(centered, full_matrices=False)[2][:2].T


def _ours(points: np.ndarray, embedded: np.ndarray) -> list[float]:
    from assay.selection.learning_tasks.neighbor_ranks import neighbor_ranks

    ranks = neighbor_ranks(points, embedded, NEIGHBORS)
    return [float(ranks.trustworthiness().mean()), float(ranks.continuity().mean())]


def _theirs(points: np.ndarray, embedded: np.ndarray) -> list[float]:
    from sklearn.manifold import trustworthiness

    return [
        float(trustworthiness(points, embedded, n_neighbors=NEIGHBORS)),
        float(trustworthiness(embedded, points, n_neighbors=NEIGHBORS)),
    ]


CASES = {"assay": _ours, "scikit-learn": _theirs}


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def run(name: str) -> None:
    points, embedded = _spaces()
    CASES[name](points[:200], embedded[:200])  # imports
    before, start = _peak(), time.perf_counter()
    found = CASES[name](points, embedded)
    print(time.perf_counter() - start, _peak() - before, *found)


def main() -> None:
    print(f"Trustworthiness and continuity of {POINTS:,} × {WIDTH} points, k = {NEIGHBORS}")
    figures = {}
    for name in CASES:
        done = subprocess.run(
            [sys.executable, __file__, name], capture_output=True, text=True, check=True
        )
        seconds, memory, first, second = map(float, done.stdout.split())
        figures[name] = seconds, memory
        print(f"  {name:14} {seconds:7.1f} s  {memory:8.0f} MB  {first:.10f}  {second:.10f}")
    ours, theirs = figures["assay"], figures["scikit-learn"]
    print(f"  {theirs[0] / ours[0]:.1f} times as fast, {ours[1] / theirs[1]:.1%} of the memory")


if __name__ == "__main__":
    run(sys.argv[1]) if len(sys.argv) > 1 else main()
