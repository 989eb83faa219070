"""The web app under load: assessors who judge at once, while a large import runs.

python bench/web.py                        SQLite, in a temporary folder
python bench/web.py postgresql://host/db   an empty PostgreSQL database
python bench/web.py --seconds 20 --think 0.2 --no-import

50 assessors save and go on, each after a think time; a request stores a judgment and gets the next
item. The generator runs on the same machine, in a process of its own. At the end every acknowledged
judgment is looked for in the database. Wall-clock times of requests.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import random
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import httpx
import polars as pl

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.store.topics import add_documents

ASSESSORS = 50
TEXT = "The wing in a supersonic flow, and how heat moves through a plate. " * 30


def fill(place: str, items: int) -> dict[str, str]:
    """Create a campaign; return a link for each assessor."""
    documents = [(f"d{n}", f"Title {n}", None, TEXT) for n in range(items // 10)]
    campaign = Campaign.new(place, "load", documents=documents)
    for number in range(ASSESSORS):
        campaign.join(f"a{number}", "assessor")
    topics = [str(number) for number in range(10)]
    campaign.propose_topics({topic: {"title": "supersonic heat"} for topic in topics})
    campaign.choose_topics("all")
    campaign.phase("runs")
    pool = pl.DataFrame({"query": topics}).join(
        pl.DataFrame({"doc": [each[0] for each in documents]}), how="cross"
    )
    columns = {"stratum": "1", "probability": 1.0, "best_rank": 1, "runs": "r"}
    campaign.add_to_pool(pool.with_columns(**{key: pl.lit(each) for key, each in columns.items()}))
    campaign.phase("judging")
    campaign.assign()
    accounts = Accounts(campaign.session.database)
    links = {f"a{n}": accounts.entry_link(f"a{n}") for n in range(ASSESSORS)}
    campaign.close()
    return links


class Clock:
    """Lets all assessors begin together, when the last one has signed in."""

    def __init__(self, people: int, seconds: float) -> None:
        self._missing, self._seconds = people, seconds
        self._ready = asyncio.Event()

    async def begin(self) -> float:
        """Wait for the others; return when the time is over."""
        self._missing -= 1
        if not self._missing:
            self._ready.set()
        await self._ready.wait()
        return time.time() + self._seconds


async def assess(
    base: str, token: str, think: float, clock: Clock, times: list[float], saved: list[str]
) -> int:
    """Sign in, wait for the others, judge until the end; return how many requests failed."""
    failures = 0
    limits = httpx.Limits(max_connections=1, max_keepalive_connections=1)
    async with httpx.AsyncClient(base_url=base, timeout=30, limits=limits) as client:
        await client.get(f"/enter?token={token}")
        page = (await client.get("/judge")).text
        headers = {"X-CSRF-Token": re.findall(r'name="csrf" value="(\w+)"', page)[0]}
        start = {"actions": [], "count": 2}
        tasks = (await client.post("/api/save", json=start, headers=headers)).json()["tasks"]
        end = await clock.begin()
        await asyncio.sleep(random.random() * think)
        while time.time() < end and tasks:
            task = tasks.pop(0)
            after = tasks[-1]["position"] if tasks else task["position"]
            action = {"action": "judge", "query": task["query"], "doc": task["doc"], "grade": 1,
                      "request": os.urandom(12).hex(), "seconds": think}  # fmt: skip
            begun = time.perf_counter()
            answer = await client.post(
                "/api/save", json={"actions": [action], "after": after, "count": 1}, headers=headers
            )
            times.append(time.perf_counter() - begun)
            if answer.status_code == 200 and answer.json()["outcomes"][0]["saved"]:
                saved.append(action["request"])
                tasks += answer.json()["tasks"]
            else:
                failures += 1
            await asyncio.sleep(think * (0.5 + random.random()))
    return failures


async def generate(base: str, links: list[str], think: float, seconds: float) -> dict[str, Any]:
    """Let all assessors judge; return times, requests that were acknowledged, and failures."""
    times: list[float] = []
    saved: list[str] = []
    clock = Clock(len(links), seconds)
    found = await asyncio.gather(
        *(assess(base, token, think, clock, times, saved) for token in links)
    )
    return {"times": times, "saved": saved, "failures": sum(found)}


def load(base: str, links: list[str], think: float, seconds: float, pipe: Any) -> None:
    pipe.send(asyncio.run(generate(base, links, think, seconds)))


def import_documents(place: str, megabytes: int) -> None:
    """Add documents of so many megabytes, as an import does."""
    campaign = Campaign.open(place)
    rows = ((f"new{n}", None, None, TEXT) for n in range(megabytes * 1_000_000 // len(TEXT)))
    add_documents(campaign.session.database, rows)


def serve(place: str, workers: int) -> tuple[Any, str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "assay", "serve", place, "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--workers", str(workers)], stdout=subprocess.DEVNULL, start_new_session=True
    )
    base = f"http://127.0.0.1:{port}"
    for _ in range(300):
        try:
            httpx.get(f"{base}/health", timeout=1)
            return process, base
        except httpx.HTTPError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("place", nargs="?")
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--think", type=float, default=1.0)
    options.add_argument("--items", type=int, default=60_000)
    options.add_argument("--workers", type=int, default=1)
    options.add_argument("--no-import", action="store_true")
    given = options.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        place = given.place or str(Path(folder, "campaign.db"))
        links = list(fill(place, given.items).values())
        server, base = serve(place, given.workers)
        try:
            report(given, place, links, base)
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.wait()


def report(given: argparse.Namespace, place: str, links: list[str], base: str) -> None:
    spawn = multiprocessing.get_context("spawn")
    receiver, sender = spawn.Pipe()
    arguments = (base, links, given.think, given.seconds, sender)
    generator = spawn.Process(target=load, args=arguments)
    generator.start()
    importer = spawn.Process(target=import_documents, args=(place, 30))
    if not given.no_import:
        time.sleep(8)
        importer.start()
    found = receiver.recv()
    generator.join()
    if not given.no_import:
        importer.join()
    times = sorted(found["times"])
    campaign = Campaign.open(place)
    with campaign.session.database.read() as connection:
        stored = {row[0] for row in connection.exec_driver_sql("SELECT request FROM judgment")}
    print(
        f"{len(times):,} saves in about {given.seconds:g} s: {len(times) / given.seconds:.0f} a"
        f" second, p50 {times[len(times) // 2] * 1000:.0f} ms, p95"
        f" {times[int(len(times) * 0.95)] * 1000:.0f} ms, longest {times[-1] * 1000:.0f} ms,"
        f" failures {found['failures']}, acknowledged but not stored"
        f" {len(set(found['saved']) - stored)}, load {os.getloadavg()[0]:.1f}"
    )


if __name__ == "__main__":
    main()
