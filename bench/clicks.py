"""Click models on large logs: time and peak memory, each case in its own process.

python bench/clicks.py            all
python bench/clicks.py NAME       one of the cases below, in this process

A case is a fit with one start, to a relative change of 1e-6 or 30 iterations, of so many lists of
ten results. Its cost is the processor time of the whole fit (all threads; reading apart), for each
impression and iteration: other programs hardly change it, unlike the seconds on the clock. Up to
100,000 lists it is the median of five fits, after one that loads everything. At the end the largest
cost of a model is divided by the smallest. The independent implementation has loops
over lists, with exact posteriors.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

DEPTH, DOCS = 10, 20
MODELS = ("pbm", "dbn")


def _log(lists: int, seed: int = 0) -> pl.DataFrame:
    """A log of a DBN: a query for every hundred lists, with twenty documents in random order."""
    random = np.random.default_rng(seed)
    queries = max(1, lists // 100)
    query = random.integers(0, queries, lists)
    order = np.argsort(random.random((lists, DOCS), dtype=np.float32), axis=1)[:, :DEPTH]
    attractive = random.uniform(0.05, 0.6, (queries, DOCS))
    satisfying = random.uniform(0.1, 0.7, (queries, DOCS))
    here = query[:, None]
    a, s = attractive[here, order], satisfying[here, order]
    examined = np.ones(lists, dtype=bool)
    click = np.zeros(order.shape, dtype=bool)
    for rank in range(DEPTH):
        click[:, rank] = examined & (random.random(lists) < a[:, rank])
        going = np.where(click[:, rank], 0.9 * (1 - s[:, rank]), 0.9)
        examined &= random.random(lists) < going
    names = pl.Series([f"d{n}" for n in range(DOCS)])
    return pl.DataFrame(
        {
            "session": np.repeat(np.arange(lists), DEPTH),
            "query": np.repeat(query, DEPTH),
            "rank": np.tile(np.arange(1, DEPTH + 1), lists),
            "doc": names.gather(order.ravel()),
            "click": click.ravel().astype(np.int8),
        }
    )


def _fit(model: str, lists: int) -> None:
    """Read a log from a Parquet file and fit a model to it; print what it took."""
    from assay.behavior.clicks.expectation_maximization import FitSettings
    from assay.behavior.clicks.fit_clicks import fit_lists
    from assay.behavior.clicks.list_builder import click_lists
    from assay.behavior.logs.click_log import open_log

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "log.parquet"
        program = f"import clicks; clicks._log({lists}).write_parquet({str(path)!r})"
        subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parent)
        begun, cores = time.perf_counter(), time.process_time()
        found = click_lists(open_log(path).pieces())
        read, read_cores = time.perf_counter() - begun, time.process_time() - cores
    settings = FitSettings(starts=1, tolerance=1e-6, iterations=30)
    fit_lists(found.part(slice(0, 100)), model, settings, errors=False)
    times = []
    for _ in range(5 if lists <= 100_000 else 1):
        fresh = replace(found)  # without what an earlier fit has kept
        begun, cores = time.perf_counter(), time.process_time()
        model_ = fit_lists(fresh, model, settings, errors=False)
        times.append((time.process_time() - cores, time.perf_counter() - begun))
    cores, seconds = sorted(times)[len(times) // 2]
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    steps = model_.fit["iterations"]
    cost = 1e9 * cores / (lists * DEPTH * max(steps, 1))
    print(
        f"{model}  {lists:>9,} lists: read {read:6.1f} s (processor {read_cores:.1f} s), fit"
        f" {seconds:6.1f} s (processor {cores:.1f} s, {steps} iterations),"
        f" {memory:5.0f} MB, cost {cost:6.1f} ns"
    )


def _plain_dbn(log: list[tuple[list[str], list[int]]], steps: int) -> tuple[dict, dict, float]:
    """A DBN fitted by loops: the posterior of where a user stopped, list by list."""
    a: dict[str, float] = defaultdict(lambda: 0.5)
    s: dict[str, float] = defaultdict(lambda: 0.5)
    gamma = 0.5
    for _ in range(steps):
        seen, hits, sat, unsat = (defaultdict(float) for _ in range(4))
        on = off = 0.0
        for docs, clicks in log:
            last = max((r for r, c in enumerate(clicks) if c), default=-1)
            for r in range(last):
                seen[docs[r]] += 1
                hits[docs[r]] += clicks[r]
                on += 1
                if clicks[r]:
                    unsat[docs[r]] += 1
            # After the last click: satisfied there, or stopped after one of the next documents.
            ways = []
            if last >= 0:
                doc = docs[last]
                seen[doc] += 1
                hits[doc] += 1
                if last + 1 < len(docs):
                    ways.append((s[doc], last, True))
            chance = 1.0 if last < 0 else 1 - s[docs[last]]
            for r in range(max(last, 0), len(docs)):
                if r > last:
                    chance *= 1 - a[docs[r]]
                if r + 1 < len(docs):
                    ways.append((chance * (1 - gamma), r, False))
                    chance *= gamma
                else:
                    ways.append((chance, r, False))
            total = sum(way[0] for way in ways)
            for weight, end, satisfied in ways:
                p = weight / total
                if last >= 0 and last + 1 < len(docs):
                    (sat if satisfied else unsat)[docs[last]] += p
                if satisfied:
                    continue
                for r in range(last + 1, end + 1):
                    seen[docs[r]] += p
                on += p * (end - max(last, 0))
                off += p * (end + 1 < len(docs))
        for doc, times in seen.items():
            a[doc] = (hits[doc] + 1) / (times + 2)
            s[doc] = (sat[doc] + 1) / (sat[doc] + unsat[doc] + 2)
        gamma = (on + 1) / (on + off + 2)
    return dict(a), dict(s), gamma


def _ratio(lists: int = 2000, steps: int = 20) -> None:
    """Time ours and the loops on the same small log, one query, and compare the parameters."""
    from assay.behavior.clicks.expectation_maximization import FitSettings, maximize
    from assay.behavior.clicks.list_builder import click_lists
    from assay.behavior.clicks.model_structure import find_structure

    table = _log(lists).with_columns(query=pl.lit("q"), list=pl.col("session"))
    by_list = table.group_by("session", maintain_order=True).agg("doc", "click")
    log = [(docs, clicks) for _, docs, clicks in by_list.iter_rows()]
    begun = time.perf_counter()
    a, _, gamma = _plain_dbn(log, steps)
    theirs = time.perf_counter() - begun
    found, dbn = click_lists([table]), find_structure("dbn")
    start = {each.name: np.full(dbn.shape(each, found), 0.5) for each in dbn.parameters}
    begun = time.perf_counter()
    ours = maximize(dbn, found, start, FitSettings((1, 1), tolerance=0, iterations=steps))
    taken = time.perf_counter() - begun
    docs = found.pairs["doc"].to_list()
    away = max(abs(ours.values["attractiveness"][n] - a[doc]) for n, doc in enumerate(docs))
    away = max(away, abs(float(ours.values["continuation"][0]) - gamma))
    print(
        f"dbn  {lists:,} lists, {steps} iterations: {taken:.2f} s, loops in Python {theirs:.2f} s"
        f" ({theirs / taken:.0f} times), largest difference {away:.1e}"
    )


CASES = {
    "loops": _ratio,
    **{
        f"{model}-{lists}": (lambda model=model, lists=lists: _fit(model, lists))
        for model in MODELS
        for lists in (10_000, 100_000, 1_000_000)
    },
}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        CASES[sys.argv[1]]()
    else:
        costs: dict[str, list[float]] = {model: [] for model in MODELS}
        for each in CASES:
            done = subprocess.run(
                [sys.executable, __file__, each], check=True, capture_output=True, text=True
            )
            print(done.stdout, end="", flush=True)
            if each != "loops":
                costs[each.partition("-")[0]].append(float(done.stdout.split()[-2]))
        for model, found in costs.items():
            print(f"{model}  cost: largest / smallest {max(found) / min(found):.2f}")
