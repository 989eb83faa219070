"""What holes and ties cost beside the plain evaluation: 100 runs × 50 topics × 1,000 documents.

python bench/holes.py                all of it
python bench/holes.py --systems 20   fewer runs

Plain is the engine over the same views; times are medians of the processors' time.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence

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


def views(systems: int, tied: int) -> list[Rankings]:
    """Runs of one track: about a fifth of each list is judged; groups of ``tied`` documents tie."""
    draw = np.random.default_rng(1)
    grades = [
        np.sort(draw.choice([0.0, 1.0, 2.0, 3.0], POOL, p=[0.75, 0.15, 0.07, 0.03]))[::-1]
        for _ in range(TOPICS)
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--systems", type=int, default=100)
    asked = parser.parse_args()
    print(
        f"{asked.systems} runs × {TOPICS} topics × {DOCUMENTS:,} documents, {len(MEASURES)} measures"
    )
    print(f"{'ties of':>8}{'plain':>8}{'bounds':>8}{'condensed':>11}{'ties':>8}{'ratio':>8}")
    for tied in (1, 2, 10):
        made = views(asked.systems, tied)
        base, *parts = (seconds(each, made) for each in (plain, bounded, condensed, tied_orders))
        low, middle, high = parts
        print(
            f"{tied:>8}{base:>8.2f}{low:>8.2f}{middle:>11.2f}{high:>8.2f}{sum(parts) / base:>8.2f}"
        )


if __name__ == "__main__":
    main()
