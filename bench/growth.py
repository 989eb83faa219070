"""Cost per row of ``assay classification`` as files grow: ``python bench/growth.py --help``.

The rows have two text labels and a score with 6 digits. Each run is a process of its own; the time
of a table of a hundred rows, start-up and all, is taken off. The last row is a file of 5 GB. Flat
means: the highest cost per row is at most 1.3 times the lowest.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import polars as pl
from tables import ASSAY, run_once, summarize

BLOCK = 1_000_000
"""Rows that are drawn and written at once."""
ROWS = (1_000_000, 10_000_000, 100_000_000)
BYTES = 5_000_000_000
"""The size of the largest file."""
COLUMNS = ["--predicted", "guess", "--score", "score", "--positive", "yes"]
WORDS = [*COLUMNS, "-m", "ACC F MCC AUC AP", "--resamples", "0", "--quiet"]


def write_rows(path: Path, rows: int, size: int = sys.maxsize) -> None:
    """Write so many rows, or as many as a file of that size has; unless the file is there."""
    if path.exists():
        return
    random, words = np.random.default_rng(1), pl.Series(["no", "yes"])
    draft = path.with_suffix(".part")
    with draft.open("wb") as file:
        for start in range(0, rows, BLOCK):
            truth = random.random(min(BLOCK, rows - start)) < 0.3
            score = 1 / (1 + np.exp(1 - random.normal(size=len(truth)) - 2 * truth))
            frame = pl.DataFrame({"truth": words.gather(truth.astype(int))})
            guess = words.gather((score > 0.5).astype(int))
            frame = frame.with_columns(guess=guess, score=pl.Series(score))
            frame.write_csv(file, include_header=start == 0, float_precision=6)
            if file.tell() >= size:
                break
    draft.rename(path)


def files(folder: Path, most: int, in_gigabytes: bool) -> list[tuple[str, Path, int, int]]:
    """Return the title, the path, the rows and the bytes of each file."""
    folder.mkdir(parents=True, exist_ok=True)
    found = [(f"{rows:,} rows", folder / f"{rows}.csv", rows, 0) for rows in ROWS if rows <= most]
    if in_gigabytes:
        found.append(("5 GB", folder / "gigabytes.csv", sys.maxsize, BYTES))
    return found


def main() -> None:
    """Print a row for each file, and how flat the cost is."""
    parser = argparse.ArgumentParser(description=__doc__)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "assay-bench"
    parser.add_argument("--folder", type=Path, default=cache / "growth")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--most", type=int, default=ROWS[-1], help="most rows of a file")
    parser.add_argument("--no-gigabytes", action="store_true", help="leave the file of 5 GB out")
    parser.add_argument("--engine", default="streaming", choices=["auto", "local", "streaming"])
    parser.add_argument("--write", action="store_true", help="only write the files")
    asked = parser.parse_args()
    known = files(asked.folder, asked.most, not asked.no_gigabytes)
    small = asked.folder / "100.csv"
    if asked.write:
        write_rows(small, 100)
        for _, path, rows, size in known:
            write_rows(path, rows, size or sys.maxsize)
        return
    subprocess.run([sys.executable, __file__, *sys.argv[1:], "--write"], check=True)

    def measure(path: Path) -> tuple[float, float, float]:
        """Return the median seconds and CPU seconds of a file, and the greatest memory."""
        words = [ASSAY, "classification", str(path), *WORDS, "--engine", asked.engine]
        return summarize([run_once(words) for _ in range(asked.repeat)])

    started, started_cores, _ = measure(small)
    print(f"start-up {started:.2f} s, CPU {started_cores:.2f} s; taken off below")
    print(f"{'table':20}{'GB':>8}{'seconds':>9}{'CPU':>9}{'MB':>7}{'ns/row':>9}{'CPU ns/row':>12}")
    costs = []
    for title, path, _, _ in known:
        seconds, cores, memory = measure(path)
        with path.open("rb") as lines:
            rows = sum(piece.count(b"\n") for piece in iter(lambda: lines.read(1 << 24), b"")) - 1
        wall, own = ((each / rows * 1e9) for each in (seconds - started, cores - started_cores))
        costs.append((wall, own))
        print(
            f"{title:20}{path.stat().st_size / 1e9:8.2f}{seconds:9.2f}{cores:9.2f}{memory:7.0f}"
            f"{wall:9.0f}{own:12.0f}",
            flush=True,
        )
    flat = [max(each) / min(each) for each in zip(*costs, strict=True)]
    print(f"highest cost per row by the lowest: {flat[0]:.2f} (CPU {flat[1]:.2f}); flat: 1.30")


if __name__ == "__main__":
    main()
