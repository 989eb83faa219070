"""Clusterings beside scikit-learn: time, processor time and extra memory, each in its own process.

python bench/clustering.py            all
python bench/clustering.py NAME       one of the cases below, in this process
"""

from __future__ import annotations

import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

ITEMS, POINTS, MANY, WIDTH, GROUPS = 5_000_000, 20_000, 200_000, 32, 10


def _labels() -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    truth = random.integers(0, 50, ITEMS)
    return truth, np.where(random.random(ITEMS) < 0.5, truth, random.integers(0, 50, ITEMS))


def _points(size: int) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(0)
    codes = random.integers(0, GROUPS, size)
    return random.normal(size=(size, WIDTH)) + codes[:, None] * 0.3, codes


def _ours(names: str) -> Callable[[], object]:
    import assay

    truth, found = _labels()
    data = {"cluster": found, "class": truth}
    assay.clustering({"cluster": [1, 2], "class": [1, 2]}, names, interval=None)
    return lambda: assay.clustering(data, names, interval=None).summary()["value"].to_list()


def _ours_by_points(size: int, name: str) -> Callable[[], object]:
    from assay import measure
    from assay.evidence.views.points import Points

    features, codes = _points(size)
    names = tuple(str(n) for n in range(GROUPS))
    return lambda: measure(name)(Points.of(names, codes, features=features)).mean()


def _theirs(*names: str) -> Callable[[], object]:
    from sklearn import metrics

    truth, found = _labels()
    [getattr(metrics, name)([1, 2], [1, 2]) for name in names]
    return lambda: [getattr(metrics, name)(truth, found) for name in names]


def _theirs_by_points() -> Callable[[], object]:
    from sklearn.metrics import silhouette_score

    features, codes = _points(POINTS)
    return lambda: silhouette_score(features, codes)


CASES: dict[str, Callable[[], Callable[[], object]]] = {
    "NMI, 5 M items": lambda: _ours("NMI"),
    "NMI, 5 M items, scikit-learn": lambda: _theirs("normalized_mutual_info_score"),
    "ARI, 5 M items": lambda: _ours("ARI"),
    "ARI, 5 M items, scikit-learn": lambda: _theirs("adjusted_rand_score"),
    "silhouette, 20,000 × 32": lambda: _ours_by_points(POINTS, "silhouette"),
    "silhouette, 20,000 × 32, scikit-learn": _theirs_by_points,
    "squared silhouette, 200,000 × 32": lambda: _ours_by_points(
        MANY, "silhouette(distance=squared)"
    ),
}


def one(name: str) -> None:
    """Run one case here, after imports and a small one, and print what it took."""
    work = CASES[name]()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, processor = time.perf_counter(), time.process_time()
    value = work()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    extra = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    print(f"{name:40} {wall:7.2f} s  (processor {processor:6.2f} s)  +{extra:5.0f} MB  {value}")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        one(sys.argv[1])
    else:
        for each in CASES:
            subprocess.run([sys.executable, __file__, each], check=True)
