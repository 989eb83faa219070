"""Whether the cost per row stays the same, and memory flat: ``python bench/scaling.py --help``.

``assay retrieval`` on runs of growing length, 1,000 documents per query. Start-up, measured on 20
queries with 50 documents and intervals, is taken off. ``--gigabytes 5`` adds a run of that size,
once, for its memory.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl

DOCUMENTS = 1_000
MEASURES = "nDCG@10 nDCG AP RR P@10 R@100 R@1000 Rprec"
ASSAY = str(Path(sys.executable).parent / "assay")
MOST_SPREAD, MOST_MEMORY = 1.3, 400
JUDGED = 10
"""Judged documents per query."""
QUERIES_AT_ONCE = 1000


def write(folder: Path, name: str, queries: int, documents: int = DOCUMENTS) -> tuple[Path, Path]:
    """Write judgments and a run of so many queries, unless they are there."""
    qrels, run = folder / f"scaling.{name}.qrels", folder / f"scaling.{name}.run"
    if qrels.exists() and run.exists():
        return qrels, run
    folder.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(1)
    draft = run.with_suffix(".part")
    with qrels.open("w") as judgments, draft.open("wb") as answers:
        for start in range(0, queries, QUERIES_AT_ONCE):
            names = range(1_000_000 + start, 1_000_000 + min(start + QUERIES_AT_ONCE, queries))
            lists = []
            for query in names:
                docs = draw.choice(8_841_823, documents, replace=False)
                lists.append((docs, np.sort(draw.gamma(3, 4, documents) + 5)[::-1]))
                judged = draw.choice(docs, JUDGED, replace=False).tolist()
                judgments.writelines(f"{query} 0 {doc} {1 + doc % 3}\n" for doc in judged)
            columns = {
                "query": np.repeat(np.asarray(names), documents),
                "q0": pl.Series(["Q0"]).gather(np.zeros(len(names) * documents, dtype=int)),
                "doc": np.concatenate([docs for docs, _ in lists]),
                "rank": np.tile(np.arange(1, documents + 1), len(names)),
                "score": np.concatenate([scores for _, scores in lists]),
            }
            frame = pl.DataFrame(columns).with_columns(tag=pl.lit("bench"))
            frame.write_csv(answers, include_header=False, separator=" ", float_precision=6)
    draft.rename(run)
    return qrels, run


def measured(qrels: Path, run: Path) -> tuple[float, float, float]:
    """Return seconds, seconds of all cores and peak MB of one evaluation."""
    environment = {n: v for n, v in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    words = [ASSAY, "retrieval", str(qrels), str(run), "-m", MEASURES, "--quiet"]
    begun = time.perf_counter()
    process = os.posix_spawn(
        ASSAY,
        words,
        environment,
        file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
    )
    _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"assay failed on {run}")
    seconds = time.perf_counter() - begun
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def median(qrels: Path, run: Path, repeat: int) -> list[float]:
    """Return the medians of seconds, CPU and MB."""
    found = [measured(qrels, run) for _ in range(repeat)]
    return [statistics.median(each) for each in zip(*found, strict=True)]


def main() -> None:
    """Print a row for each length, and how far the costs per row are apart."""
    parser = argparse.ArgumentParser(description=__doc__)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "assay-bench"
    parser.add_argument("--folder", type=Path, default=cache, help="where generated data is kept")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--powers", nargs="*", type=int, default=(6, 7, 8), help="of ten, rows")
    parser.add_argument("--gigabytes", type=float, help="one more run, of this size")
    asked = parser.parse_args()
    start = median(*write(asked.folder, "start", 20, 50), asked.repeat)
    print(f"start-up{start[0]:>20.3f} s{start[1]:>10.3f} s CPU{start[2]:>8.0f} MB")
    print(f"{'rows':>12}{'seconds':>10}{'CPU':>10}{'MB':>7}{'ns per row':>12}{'CPU':>8}")
    costs, cores = [], []
    for power in asked.powers:
        rows = 10**power
        taken = median(*write(asked.folder, f"e{power}", rows // DOCUMENTS), asked.repeat)
        costs.append((taken[0] - start[0]) / rows * 1e9)
        cores.append((taken[1] - start[1]) / rows * 1e9)
        row = f"{rows:>12,}{taken[0]:>10.2f}{taken[1]:>10.2f}{taken[2]:>7.0f}"
        print(f"{row}{costs[-1]:>12.0f}{cores[-1]:>8.0f}", flush=True)
    spread = max(costs) / min(costs)
    print(f"largest over smallest cost per row: {spread:.2f} (wanted at most {MOST_SPREAD})")
    print(f"of CPU: {max(cores) / min(cores):.2f}")
    if asked.gigabytes:
        rows = int(asked.gigabytes * 1e9 / 39) // DOCUMENTS * DOCUMENTS
        qrels, run = write(asked.folder, f"{asked.gigabytes:g}gb", rows // DOCUMENTS)
        seconds, cpu, memory = measured(qrels, run)
        size = run.stat().st_size / 1e9
        row = f"{size:.2f} GB, {rows:,} rows: {seconds:.1f} s, {cpu:.1f} s CPU"
        print(f"{row}, {memory:.0f} MB (wanted at most {MOST_MEMORY})")


if __name__ == "__main__":
    main()
