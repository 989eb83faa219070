"""What holes and ties cost beside the plain evaluation: 100 runs × 50 topics × 1,000 documents.

python bench/holes.py                     all of it
python bench/holes.py --systems 20        fewer runs
python bench/holes.py --levels library    one level only

The engine: every measure over views in memory, plain, condensed, and from its plain values bounded
and over ties. The library: ``holes`` and ``ties`` together, beside ``retrieval`` without intervals,
on frames in memory. The commands: the same from files, with start-up. Times are the processors',
the least of a few repetitions (five in the engine); whatever a view keeps is made anew for each, on
every side. In the engine, bounds and ties are given the plain values, whose time is therefore not
in theirs: quote the figures of the library, where everything is counted.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import polars as pl

import assay
from assay.core.names import Measure, measure
from assay.engine.bounds import BoundsFinder
from assay.engine.document_weights import Factors
from assay.engine.local import Measurement, aggregate, measure_view
from assay.engine.tie_values import TieAnalysis
from assay.evidence.batched_systems import SystemBatch, batch_systems
from assay.evidence.views.rankings import Hits, Rankings

MEASURES = ("AP", "nDCG@10", "nDCG", "P@10", "RR", "R@100", "ERR(gmax=3)@20", "RBP(p=0.8)")
TOPICS, DOCUMENTS, POOL, SHARE = 50, 1_000, 400, 0.2
CHANCES = (0.75, 0.15, 0.07, 0.03)
"""Of the grades 0 to 3."""


def views(systems: int, tied: int) -> list[Rankings]:
    """Runs of one track: about a fifth of each list is judged; groups of ``tied`` documents tie."""
    draw = np.random.default_rng(1)
    grades = [
        np.sort(draw.choice([0.0, 1.0, 2.0, 3.0], POOL, p=CHANCES))[::-1] for _ in range(TOPICS)
    ]
    return [_view(draw, grades, tied) for _ in range(systems)]


def _view(draw: np.random.Generator, pool: Sequence[np.ndarray], tied: int) -> Rankings:
    found = [np.flatnonzero(draw.random(POOL) < SHARE * DOCUMENTS / POOL) for _ in pool]
    count = np.asarray([len(each) for each in found])
    rank = np.concatenate(
        [np.sort(draw.choice(DOCUMENTS, n, replace=False)) + 1 for n in count.tolist()]
    )
    grade = np.concatenate(
        [draw.permutation(grades[chosen]) for grades, chosen in zip(pool, found, strict=True)]
    )
    offsets = np.concatenate(([0], np.cumsum(count)))
    known = np.concatenate(pool)
    place = np.tile(np.arange(1, POOL + 1), TOPICS)
    first = (rank - 1) // tied * tied + 1
    return Rankings(
        queries=tuple(f"q{n:02}" for n in range(TOPICS)),
        retrieved=np.full(TOPICS, DOCUMENTS),
        hits=Hits(offsets, rank, grade),
        pool=Hits(np.arange(TOPICS + 1) * POOL, place, known),
        missing=np.zeros(TOPICS, dtype=bool),
        tie_first=first,
        tie_last=np.minimum(first + tied - 1, DOCUMENTS),
        row=np.arange(len(rank)),
    )


def plain(view: Rankings, asked: Sequence[Measure]) -> list[Measurement]:
    """Every measure of a view."""
    return [measure_view(view, each) for each in asked]


def summed_up(asked: Sequence[Measure], values: Sequence[Measurement]) -> None:
    """The value of every measure over the queries."""
    for each, now in zip(asked, values, strict=True):
        aggregate(each, now.values, now.parts, now.view.support)


class Work:
    """What is done with one stack of runs after another, as the library does it."""

    def __init__(self) -> None:
        self.factors = Factors()

    def plain(
        self, stack: SystemBatch, asked: Sequence[Measure], values: list[Measurement]
    ) -> None:
        """Every measure, run by run."""
        for view in stack.views:
            summed_up(asked, plain(view, asked))

    def bounds(
        self, stack: SystemBatch, asked: Sequence[Measure], values: list[Measurement]
    ) -> None:
        """The bounds of every measure, beside values that are known."""
        shared = BoundsFinder(stack.whole, factors=self.factors)
        for each, now in zip(asked, values, strict=True):
            found = shared.bounds(each, now)
            for view, own in zip(stack.views, stack.parts, strict=True):
                found.of(own).summary(each, now.of(view, own))

    def condensed(
        self, stack: SystemBatch, asked: Sequence[Measure], values: list[Measurement]
    ) -> None:
        """Every measure without the unjudged documents."""
        found = plain(stack.whole.select("judged_only"), asked)
        for view, own in zip(stack.views, stack.parts, strict=True):
            summed_up(asked, [each.of(view, own) for each in found])

    def ties(self, stack: SystemBatch, asked: Sequence[Measure], values: list[Measurement]) -> None:
        """Every measure over the orders of tied documents, beside values that are known."""
        shared = TieAnalysis(stack.whole)
        for each, now in zip(asked, values, strict=True):
            found = shared.values(each, now.values)
            for view, own in zip(stack.views, stack.parts, strict=True):
                found.of(own).summary(each, now.of(view, own))


def as_new(view: Rankings) -> Rankings:
    """The same rankings without anything that was kept of them."""
    return replace(view, hits=replace(view.hits), pool=replace(view.pool))


def seconds(kind: str, made: list[Rankings]) -> float:
    """The processors' time for all runs, the least of a few repetitions."""
    asked = [measure(name, "retrieval") for name in MEASURES]
    taken = []
    # The first repetition fills caches of weights: it is not counted.
    for _ in range(6):
        work, known = getattr(Work(), kind), []
        for stack in batch_systems((str(n), as_new(view)) for n, view in enumerate(made)):
            known.append(plain(stack.whole, asked))
        fresh = [(str(n), as_new(view)) for n, view in enumerate(made)]
        begun = time.process_time()
        for stack, values in zip(batch_systems(fresh), known, strict=True):
            work(stack, asked, values)
        taken.append(time.process_time() - begun)
    return min(taken[1:])


def tables(systems: int, tied: int) -> Iterator[tuple[str, pl.DataFrame]]:
    """Judgments under the name ``qrels``, then runs; scores are such that groups of documents tie.

    The documents of a list stand in the order of their ranks.
    """
    draw = np.random.default_rng(2)
    pools = [draw.choice(500_000, POOL, replace=False) for _ in range(TOPICS)]
    grades = [draw.choice(4, POOL, p=CHANCES) for _ in range(TOPICS)]
    topic = np.arange(TOPICS).astype(str)
    yield (
        "qrels",
        pl.DataFrame(
            {
                "query": np.repeat(topic, POOL),
                "doc": [f"D{doc}" for pool in pools for doc in pool.tolist()],
                "grade": np.concatenate(grades),
            }
        ),
    )
    scores = 100 - np.arange(DOCUMENTS) // tied * 0.05
    for system in range(systems):
        docs = []
        for pool in pools:
            found = pool[draw.random(POOL) < SHARE * DOCUMENTS / POOL]
            others = draw.choice(500_000, DOCUMENTS - len(found), replace=False) + 500_000
            docs += draw.permutation(np.concatenate((found, others))).tolist()
        yield (
            f"s{system:03}",
            pl.DataFrame(
                {
                    "query": np.repeat(topic, DOCUMENTS),
                    "doc": [f"D{doc}" for doc in docs],
                    "score": np.tile(scores.round(2), TOPICS),
                }
            ),
        )


def write(systems: int, tied: int, folder: Path) -> Path:
    """The tables as files, made once."""
    place = folder / f"holes-{systems}-{tied}-frames"
    if (place / "done").exists():
        return place
    place.mkdir(parents=True, exist_ok=True)
    for name, table in tables(systems, tied):
        if name == "qrels":
            columns = table.select("query", pl.lit(0), "doc", "grade")
        else:
            rank = pl.int_range(pl.len()) % DOCUMENTS + 1
            columns = table.select(
                "query",
                pl.lit("Q0").alias("zero"),
                "doc",
                rank.alias("rank"),
                "score",
                tag=pl.lit(name),
            )
        file = place / ("qrels.txt" if name == "qrels" else f"{name}.run")
        columns.write_csv(file, separator=" ", include_header=False, float_precision=2)
    (place / "done").touch()
    return place


def command(place: Path, *words: str) -> float:
    """The processors' time of one command over all files of a folder."""
    runs = sorted(str(each) for each in place.glob("*.run"))
    asked = [sys.executable, "-m", "assay", words[0], str(place / "qrels.txt"), *runs]
    taken = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(
            [*asked, "-m", " ".join(MEASURES), "--quiet", *words[1:]],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        taken.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return min(taken)


def engine(systems: int, folder: Path) -> None:
    """A row for each size of tied groups."""
    head = f"{'ties of':>8}{'plain':>8}{'bounds':>8}{'condensed':>11}{'ties':>8}{'ratio':>8}"
    print(f"engine\n{head}", flush=True)
    for tied in (1, 2, 10):
        made = views(systems, tied)
        base, *parts = (seconds(each, made) for each in ("plain", "bounds", "condensed", "ties"))
        cells = f"{parts[0]:>8.2f}{parts[1]:>11.2f}{parts[2]:>8.2f}{sum(parts) / base:>8.2f}"
        print(f"{tied:>8}{base:>8.2f}{cells}", flush=True)


def library(systems: int, folder: Path) -> None:
    """The functions that a user calls."""
    print(
        f"library\n{'ties of':>8}{'retrieval':>11}{'holes':>8}{'ties':>8}{'ratio':>8}", flush=True
    )
    for tied in (1, 10):
        runs = dict(tables(systems, tied))
        qrels, asked = runs.pop("qrels"), list(MEASURES)
        base = call(assay.retrieval, qrels, runs, asked, interval=None)
        both = [call(each, qrels, runs, asked) for each in (assay.holes, assay.ties)]
        cells = f"{both[0]:>8.2f}{both[1]:>8.2f}{sum(both) / base:>8.2f}"
        print(f"{tied:>8}{base:>11.2f}{cells}", flush=True)


def call(work: Callable[..., object], *given: object, **options: object) -> float:
    """The processors' time of one call."""
    work(*given, **options)
    taken = []
    for _ in range(3):
        begun = time.process_time()
        work(*given, **options)
        taken.append(time.process_time() - begun)
    return min(taken)


def commands(systems: int, folder: Path) -> None:
    """The same from files."""
    print(
        f"commands\n{'ties of':>8}{'retrieval':>11}{'holes':>8}{'ties':>8}{'ratio':>8}", flush=True
    )
    for tied in (1, 10):
        place = write(systems, tied, folder)
        base = command(place, "retrieval", "--resamples", "0")
        both = command(place, "holes"), command(place, "ties")
        cells = f"{both[0]:>8.2f}{both[1]:>8.2f}{sum(both) / base:>8.2f}"
        print(f"{tied:>8}{base:>11.2f}{cells}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "assay-bench"
    parser.add_argument("--folder", type=Path, default=cache, help="where generated data is kept")
    parser.add_argument("--systems", type=int, default=100)
    parser.add_argument("--levels", nargs="+", default=["engine", "library", "commands"])
    asked = parser.parse_args()
    size = f"{asked.systems} runs × {TOPICS} topics × {DOCUMENTS:,} documents"
    print(f"{size}, {len(MEASURES)} measures; seconds")
    for level in (engine, library, commands):
        if level.__name__ in asked.levels:
            level(asked.systems, asked.folder)


if __name__ == "__main__":
    main()
