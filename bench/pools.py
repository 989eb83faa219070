"""Pools of many runs: 100 runs × 1,000 topics × 100 documents, in under 60 s and 2 GB.

python bench/pools.py                 the pool, its log and its file
python bench/pools.py --runs 20       fewer runs
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from pathlib import Path

import numpy as np
import polars as pl

import assay

CORPUS = 1_000
"""Documents of each topic that runs choose from."""
SECONDS, BYTES = 60, 2 << 30


def make_run(number: int, topics: int, depth: int) -> pl.DataFrame:
    """A run that orders documents by a shared quality and a noise of its own."""
    draw = np.random.default_rng([1, number])
    quality = np.random.default_rng(0).normal(size=(topics, CORPUS))
    score = quality + draw.normal(scale=0.7, size=quality.shape)
    top = np.argsort(-score, axis=1)[:, :depth]
    return pl.DataFrame(
        {
            "query": np.repeat([f"q{n:04}" for n in range(topics)], depth),
            "doc": pl.Series([f"d{n:06}" for n in range(CORPUS)]).gather(top.ravel()),
            "score": np.take_along_axis(score, top, 1).ravel(),
        }
    )


def write_runs(folder: Path, runs: int, topics: int, depth: int) -> list[str]:
    """Write the runs as Parquet files, which are read as quickly as any."""
    names = []
    for number in range(runs):
        path = folder / f"run{number:03}.parquet"
        make_run(number, topics, depth).write_parquet(path)
        names.append(str(path))
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--topics", type=int, default=1_000)
    parser.add_argument("--depth", type=int, default=100)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        files = write_runs(Path(place), given.runs, given.topics, given.depth)
        start, used_before = time.perf_counter(), time.process_time()
        made = assay.pool(files, given.depth)
        made.write(Path(place) / "pool.csv")
        seconds, busy = time.perf_counter() - start, time.process_time() - used_before
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(
        f"{given.runs} runs × {given.topics:,} topics × {given.depth}: {len(made):,} documents,"
        f" {seconds:.1f} s ({busy:.1f} s of the processors), {used / 2**30:.2f} GB"
    )
    if given.runs == 100 and (min(seconds, busy) > SECONDS or used > BYTES):
        raise SystemExit(f"over the limit of {SECONDS} s and {BYTES / 2**30:g} GB")


if __name__ == "__main__":
    main()
