"""A campaign with a million pool items: assigning, the next item, a judgment, the status.

python bench/campaign.py                   SQLite, then PostgreSQL, which is started for it
python bench/campaign.py postgres          PostgreSQL only
python bench/campaign.py --topics 100      a tenth of the items

Wall-clock times of one process, start-up not included, and in parentheses what the process itself
used of a processor; p95 over 200 calls.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import polars as pl

from assay.benchmark.campaign.campaign import Campaign

sys.path.insert(0, str(Path(__file__).parents[1]))
DEPTH, ASSESSORS, CALLS = 1000, 50, 200


def fill(place: str, topics: int) -> Campaign:
    """A campaign with ``topics`` × 1,000 items and 50 assessors."""
    campaign = Campaign.new(place, "large")
    for number in range(ASSESSORS):
        campaign.join(f"a{number}", "assessor")
    campaign.propose_topics({str(topic): {"title": f"topic {topic}"} for topic in range(topics)})
    campaign.choose_topics("all")
    pool = pl.DataFrame({"query": [str(topic) for topic in range(topics)]}).join(
        pl.DataFrame({"doc": [f"doc{number}" for number in range(DEPTH)]}), how="cross"
    )
    columns = {"stratum": "1", "probability": 1.0, "best_rank": 1, "runs": "r"}
    campaign.phase("runs")
    campaign.add_to_pool(pool.with_columns(**{key: pl.lit(each) for key, each in columns.items()}))
    campaign.phase("judging")
    return campaign


def timed(what: str, act: Callable[[], object]) -> None:
    start, busy = time.perf_counter(), time.process_time()
    act()
    wall, used = time.perf_counter() - start, time.process_time() - busy
    print(f"{what:<22}{wall:8.2f} s ({used:.2f} s of this process)", flush=True)


def p95(what: str, act: Callable[[], object]) -> None:
    times, used = [], []
    for _ in range(CALLS):
        start, busy = time.perf_counter(), time.process_time()
        act()
        times.append(time.perf_counter() - start)
        used.append(time.process_time() - busy)
    wall, own = (sorted(each)[int(0.95 * CALLS)] * 1000 for each in (times, used))
    print(f"{what:<22}{wall:8.1f} ms (p95; {own:.1f} ms of this process)", flush=True)


def measure(place: str, topics: int) -> None:
    start = time.perf_counter()
    campaign = fill(place, topics)
    print(
        f"{'postgres' if '://' in place else 'sqlite'}: {topics * DEPTH:,} items filled in"
        f" {time.perf_counter() - start:.1f} s (load {os.getloadavg()[0]:.1f})",
        flush=True,
    )
    timed("assign, 10 % overlap", lambda: campaign.assign(overlap=0.1))
    ann = Campaign.open(place, "a1")

    def judge() -> None:
        task = ann.next()
        if task is not None:
            ann.judge(task.query, task.doc, 1)

    p95("next item", ann.next)
    p95("next and judge", judge)
    p95("status", campaign.status)
    print(f"load {os.getloadavg()[0]:.1f} at the end", flush=True)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("databases", nargs="*", default=["sqlite", "postgres"])
    options.add_argument("--topics", type=int, default=1000)
    given = options.parse_args()
    if "sqlite" in given.databases:
        with tempfile.TemporaryDirectory() as folder:
            measure(str(Path(folder, "campaign.db")), given.topics)
    if "postgres" in given.databases:
        from tests.benchmark.campaign.postgres_server import Server

        server = Server(durable=True)
        try:
            measure(server.database("campaign"), given.topics)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
