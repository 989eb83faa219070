"""Tables from files beside pandas, scikit-learn and SciPy: ``python bench/tables.py --help``.

Every program runs in a process of its own, start-up and reading included. Times are medians of
wall clock and of the processor time of all cores, of runs in turn; memory is the greatest peak.
Intervals are compared with the same command without them: they take so many times as long.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import polars as pl

ASSAY = str(Path(sys.executable).parent / "assay")
SCORED = ["--predicted", "guess", "--score", "score", "-m", "ACC F MCC AUC AP Brier"]
PEERS = {
    "scores": """
import sys
import pandas as pd
import sklearn.metrics as m
path, columns = sys.argv[1], ["truth", "guess", "score"]
csv = path.endswith("csv")
frame = pd.read_csv(path, usecols=columns) if csv else pd.read_parquet(path, columns=columns)
truth, guess, score = frame["truth"] == "yes", frame["guess"] == "yes", frame["score"]
for decided in (m.accuracy_score, m.f1_score, m.matthews_corrcoef):
    print(decided(truth, guess))
for scored in (m.roc_auc_score, m.average_precision_score, m.brier_score_loss):
    print(scored(truth, score))
""",
    "classes": """
import sys
import pandas as pd
import sklearn.metrics as m
frame = pd.read_csv(sys.argv[1])
print(m.classification_report(frame["truth"], frame["predicted"]))
print(m.cohen_kappa_score(frame["truth"], frame["predicted"]))
print(m.matthews_corrcoef(frame["truth"], frame["predicted"]))
""",
    "regression": """
import sys
import pandas as pd
import sklearn.metrics as m
frame = pd.read_csv(sys.argv[1])
truth, predicted = frame["truth"], frame["predicted"]
for error in (m.mean_absolute_error, m.mean_squared_error, m.r2_score):
    print(error(truth, predicted))
print(m.root_mean_squared_error(truth, predicted))
""",
    "correlation": """
import sys
import pandas as pd
from scipy import stats
frame = pd.read_csv(sys.argv[1])
for correlation in (stats.spearmanr, stats.pearsonr, stats.kendalltau):
    print(correlation(frame["first"], frame["second"]))
""",
    "agreement": """
import sys
from itertools import combinations
import numpy as np
import pandas as pd
import sklearn.metrics as m
frame = pd.read_csv(sys.argv[1])
counts = frame.groupby(["item", "label"]).size().unstack(fill_value=0).to_numpy()
size, labels = counts.sum(axis=1), counts.sum(axis=0)
agreeing = (counts * (counts - 1)).sum(axis=1)
expected = ((labels / labels.sum()) ** 2).sum()
print(((agreeing / (size * (size - 1))).mean() - expected) / (1 - expected))
by_chance = (labels * (labels - 1)).sum() / (labels.sum() * (labels.sum() - 1))
print(((agreeing / (size - 1)).sum() / labels.sum() - by_chance) / (1 - by_chance))
wide = frame.pivot(index="item", columns="assessor", values="label")
for one, two in combinations(wide.columns, 2):
    print(one, two, (wide[one] == wide[two]).mean())
    print(m.cohen_kappa_score(wide[one], wide[two]))
""",
}
"""What somebody writes without this library, by task."""


def write_tables(folder: Path, small: int) -> None:
    """Write the tables that are not there yet; in a process of its own, for its memory."""
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    size = 5_000_000 // small
    if not (folder / "scores.parquet").exists():
        truth = random.random(size) < 0.3
        score = np.round(1 / (1 + np.exp(1 - random.normal(size=size) - 2 * truth)), 6)
        words = pl.Series(["no", "yes"])
        frame = pl.DataFrame({"id": np.arange(size), "truth": words.gather(truth.astype(int))})
        guess = words.gather((score > 0.5).astype(int))
        frame = frame.with_columns(guess=guess, score=pl.Series(score))
        frame.write_csv(folder / "scores.csv", float_precision=6)
        frame.write_parquet(folder / "scores.parquet")
    size = 1_000_000 // small
    if not (folder / "classes.csv").exists():
        truth = random.integers(0, 100, size)
        said = np.where(random.random(size) < 0.7, truth, random.integers(0, 100, size))
        names = pl.Series([f"class {n:02d}" for n in range(100)])
        frame = pl.DataFrame({"truth": names.gather(truth), "predicted": names.gather(said)})
        frame.write_csv(folder / "classes.csv")
    size = 10_000_000 // small
    if not (folder / "pairs.csv").exists():
        one = random.normal(size=size)
        two = one + random.normal(size=size) / 2
        pairs = pl.DataFrame({"truth": one, "predicted": two})
        pairs.write_csv(folder / "pairs.csv", float_precision=6)
        named = {"item": np.arange(size), "first": one, "second": two}
        pl.DataFrame(named).write_csv(folder / "orders.csv", float_precision=6)
    if not (folder / "ratings.csv").exists():
        right = np.repeat(random.integers(0, 4, size // 5), 5)
        said = np.where(random.random(len(right)) < 0.7, right, random.integers(0, 4, len(right)))
        labels = pl.Series(["bad", "fair", "good", "perfect"])
        item = np.repeat(np.arange(size // 5), 5)
        assessor = pl.Series(list("ABCDE")).gather(np.tile(np.arange(5), size // 5))
        frame = pl.DataFrame({"item": item, "assessor": assessor, "label": labels.gather(said)})
        frame.write_csv(folder / "ratings.csv")


def rows(folder: Path, small: int) -> list[tuple[str, list[str], list[str]]]:
    """Return the title, our program and theirs, or our own without intervals, of each row."""

    def size(millions: int) -> str:
        return f"{millions} M" if small == 1 else f"{millions * 1_000_000 // small:,}"

    def theirs(task: str, file: str) -> list[str]:
        return [sys.executable, "-c", PEERS[task], str(folder / file)]

    def ours(task: str, file: str, *words: str) -> list[str]:
        return [ASSAY, task, str(folder / file), *words, "--quiet"]

    found: list[tuple[str, list[str], list[str]]] = []
    for ending in ("csv", "parquet"):
        file = f"scores.{ending}"
        plain = ours("classification", file, *SCORED, "--resamples", "0")
        found.append((f"{size(5)} scores, {ending}", plain, theirs("scores", file)))
        found.append(("1,000 resamples beside none", [*plain[:-3], "--quiet"], plain))
    classes = ours("classification", "classes.csv", "--predicted", "predicted")
    found.append(
        (f"{size(1)} of 100 classes, intervals", classes, theirs("classes", "classes.csv"))
    )
    plain = ours("regression", "pairs.csv", "--resamples", "0")
    found.append((f"{size(10)} values", plain, theirs("regression", "pairs.csv")))
    columns = [
        "--item",
        "item",
        "--first",
        "first",
        "--second",
        "second",
        "-m",
        "rho r tau(ties=b)",
    ]
    orders = ours("correlation", "orders.csv", *columns, "--resamples", "0")
    found.append((f"{size(10)} orders", orders, theirs("correlation", "orders.csv")))
    plain = ours("agreement", "ratings.csv", "--resamples", "0")
    found.append((f"{size(10)} ratings", plain, theirs("agreement", "ratings.csv")))
    return found


def run_once(words: list[str]) -> tuple[float, float, float]:
    """Return the seconds, the seconds of all cores and the peak MB of one process."""
    begun = time.perf_counter()
    with Path(os.devnull).open("wb") as nothing:
        action = [(os.POSIX_SPAWN_DUP2, nothing.fileno(), 1)]
        process = os.posix_spawn(words[0], words, os.environ, file_actions=action)
        _, status, usage = os.wait4(process, 0)
    if status:
        raise SystemExit(f"failed: {' '.join(words)}")
    taken = time.perf_counter() - begun
    return taken, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def summarize(runs: Sequence[tuple[float, float, float]]) -> tuple[float, float, float]:
    """Return the median times, and the greatest memory, of the runs of one program."""
    seconds, cores, memory = zip(*runs, strict=True)
    return statistics.median(seconds), statistics.median(cores), max(memory)


def main() -> None:
    """Print a row for each table."""
    parser = argparse.ArgumentParser(description=__doc__)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "assay-bench"
    parser.add_argument("--folder", type=Path, default=cache / "tables")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--small", type=int, default=1, help="divide the sizes by this")
    parser.add_argument("--only", default="", help="rows whose title contains this")
    parser.add_argument("--write", action="store_true", help="only write the tables")
    asked = parser.parse_args()
    if asked.write:
        write_tables(asked.folder, asked.small)
        return
    words = ["--write", "--folder", str(asked.folder), "--small", str(asked.small)]
    subprocess.run([sys.executable, __file__, *words], check=True)
    head = ("table", "ours s", "CPU", "MB", "theirs s", "CPU", "MB", "faster", "by CPU")
    print(f"{head[0]:32}" + "".join(f"{each:>9}" for each in head[1:]), flush=True)
    for title, ours, theirs in rows(asked.folder, asked.small):
        if asked.only not in title:
            continue
        taken = [[run_once(each) for each in (ours, theirs)] for _ in range(asked.repeat)]
        found = [summarize(runs) for runs in zip(*taken, strict=True)]
        cells = [f"{seconds:9.2f}{cores:9.2f}{memory:9.0f}" for seconds, cores, memory in found]
        if theirs[0] == ASSAY:
            cells += [f"{found[0][n] / found[1][n]:8.2f}×" for n in (0, 1)] + [" as long"]
        else:
            cells += [f"{found[1][n] / found[0][n]:8.1f}×" for n in (0, 1)]
        print(f"{title:32}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main()
