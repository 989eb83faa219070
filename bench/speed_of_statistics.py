"""How fast, and how sure: the figures that the statistics part promises.

python bench/speed_of_statistics.py              speed and memory
python bench/speed_of_statistics.py coverage     a table of docs/handbook/statistics.md
python bench/speed_of_statistics.py sizes        the other one
"""

from __future__ import annotations

import resource
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def _systems(systems: int = 129, topics: int = 50) -> pl.DataFrame:
    """Values like those of an ad hoc track: topics differ more than systems."""
    random = np.random.default_rng(1)
    topic, system = random.normal(0, 1, topics), random.normal(0, 0.6, systems)
    noise = random.normal(0, 0.8, (systems, topics))
    values = 1 / (1 + np.exp(1.2 - topic - system[:, None] - noise))
    return pl.DataFrame(
        {
            "system": np.repeat([f"s{n}" for n in range(systems)], topics),
            "unit": [f"t{n}" for n in range(topics)] * systems,
            "value": values.ravel(),
        }
    )


class Clock:
    """Seconds on the wall and of the processors since it was made, and the most memory so far."""

    def __init__(self) -> None:
        self.wall, self.processor = time.perf_counter(), time.process_time()

    def __str__(self) -> str:
        wall, processor = time.perf_counter() - self.wall, time.process_time() - self.processor
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        return f"{wall:6.2f} s  (processor {processor:5.2f} s)  {memory:5.0f} MB"


def pairs() -> None:
    import assay

    scores = _systems()
    for test in ("randomization", "tukey", "randomized-tukey", "wilcoxon"):
        clock = Clock()
        found = assay.compare(scores, test=test)
        print(f"{len(found.pairs):,} pairs, {test:17} {clock}")


def replicates() -> None:
    from assay.statistics.intervals.interval_settings import Bootstrap
    from assay.statistics.intervals.unit_intervals import mean_ends

    columns = np.random.default_rng(2).beta(0.5, 1.5, (7000, 12))
    for method in ("expanded", "percentile", "bca"):
        clock = Clock()
        mean_ends(columns, Bootstrap(resamples=10_000, method=method))
        print(f"10,000 × 7,000 × 12, {method:15} {clock}")


def coverage() -> None:
    from tests.statistics.simulation import METHODS, SHAPES, UNITS
    from tests.statistics.simulation import coverage as covered

    print("| of | method | " + " | ".join(f"n = {units}" for units in UNITS) + " |")
    print("|---" * (len(UNITS) + 2) + "|")
    for shape in SHAPES:
        for method in METHODS:
            cells = (f"{100 * covered(shape, units, method):.1f}" for units in UNITS)
            print(f"| {shape} | {method} | {' | '.join(cells)} |")


def sizes() -> None:
    from tests.statistics.simulation import TESTS, UNITS, largest_size

    print("| test | " + " | ".join(f"n = {units}" for units in UNITS) + " |")
    print("|---" * (len(UNITS) + 1) + "|")
    for name in TESTS:
        print(f"| {name} | {' | '.join(f'{100 * largest_size(name, n):.1f}' for n in UNITS)} |")


if __name__ == "__main__":
    if "coverage" in sys.argv[1:]:
        coverage()
    elif "sizes" in sys.argv[1:]:
        sizes()
    else:
        pairs()
        replicates()
