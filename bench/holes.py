"""What holes and ties cost beside the plain evaluation: 100 runs × 50 topics × 1,000 documents.

python bench/holes.py                all of it
python bench/holes.py --systems 20   fewer runs

The engine: every measure over views in memory, plain, bounded, condensed and over ties. The
commands: ``assay holes`` and ``assay ties`` together, beside ``assay retrieval`` without intervals,
each from files, with start-up. Times are medians of the processors' time.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from assay.core.names import Measure, measure
from assay.engine.bounds import Bounding
from assay.engine.filled import Factors
from assay.engine.local import aggregate, measured
from assay.engine.ties import Tying
from assay.evidence.drawing import rankings as drawn
from assay.evidence.rankings import Hits, Rankings

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


def plain(view: Rankings, asked: Sequence[Measure]) -> None:
    """Every measure of one run."""
    for each in asked:
        now = measured(view, each)
        aggregate(each, now.values, now.parts, now.view.support)


FACTORS = Factors()


def bounded(view: Rankings, asked: Sequence[Measure]) -> None:
    """The bounds of every measure."""
    shared = Bounding(view, factors=FACTORS)
    for each in asked:
        shared.bounds(each)


def condensed(view: Rankings, asked: Sequence[Measure]) -> None:
    """Every measure without the unjudged documents."""
    plain(view.select("judged_only"), asked)


def tied_orders(view: Rankings, asked: Sequence[Measure]) -> None:
    """Every measure over the orders of tied documents."""
    shared = Tying(view)
    for each in asked:
        shared.values(each)


def seconds(work: Callable[[Rankings, Sequence[Measure]], None], made: list[Rankings]) -> float:
    """The processors' time for all runs, as the median of a few repetitions."""
    asked = [measure(name, "retrieval") for name in MEASURES]
    work(drawn("+-2?|1"), asked)
    taken = []
    for _ in range(5):
        begun = time.process_time()
        for view in made:
            work(view, asked)
        taken.append(time.process_time() - begun)
    return statistics.median(taken)


def write(systems: int, tied: int, folder: Path) -> Path:
    """Judgments and runs as files, made once; scores are such that groups of documents tie."""
    place = folder / f"holes-{systems}-{tied}"
    if (place / "done").exists():
        return place
    place.mkdir(parents=True, exist_ok=True)
    draw = np.random.default_rng(2)
    pools = [draw.choice(500_000, POOL, replace=False) for _ in range(TOPICS)]
    with (place / "qrels.txt").open("w") as judgments:
        for topic, pool in enumerate(pools):
            grades = draw.choice(4, POOL, p=CHANCES)
            judgments.writelines(
                f"{topic} 0 D{doc} {grade}\n" for doc, grade in zip(pool, grades, strict=True)
            )
    for system in range(systems):
        with (place / f"s{system:03}.run").open("w") as run:
            for topic, pool in enumerate(pools):
                found = pool[draw.random(POOL) < SHARE * DOCUMENTS / POOL]
                others = draw.choice(500_000, DOCUMENTS - len(found), replace=False) + 500_000
                listed = draw.permutation(np.concatenate((found, others))).tolist()
                run.writelines(
                    f"{topic} Q0 D{doc} {rank} {100 - (rank - 1) // tied * 0.05:.2f} s{system:03}\n"
                    for rank, doc in enumerate(listed, 1)
                )
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
    return statistics.median(taken)


def engine(systems: int) -> None:
    """A row for each size of tied groups."""
    head = f"{'ties of':>8}{'plain':>8}{'bounds':>8}{'condensed':>11}{'ties':>8}{'ratio':>8}"
    print(f"engine\n{head}", flush=True)
    for tied in (1, 2, 10):
        made = views(systems, tied)
        base, *parts = (seconds(each, made) for each in (plain, bounded, condensed, tied_orders))
        cells = f"{parts[0]:>8.2f}{parts[1]:>11.2f}{parts[2]:>8.2f}{sum(parts) / base:>8.2f}"
        print(f"{tied:>8}{base:>8.2f}{cells}", flush=True)


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
    asked = parser.parse_args()
    size = f"{asked.systems} runs × {TOPICS} topics × {DOCUMENTS:,} documents"
    print(f"{size}, {len(MEASURES)} measures; seconds")
    engine(asked.systems)
    commands(asked.systems, asked.folder)


if __name__ == "__main__":
    main()
