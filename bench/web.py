"""The web app under load: 50 assessors who judge at once, while a large import runs.

python bench/web.py                        SQLite, then PostgreSQL with one and with two workers
python bench/web.py sqlite --seconds 20    SQLite only, shorter
python bench/web.py postgres --workers 2   PostgreSQL with two workers

For each database: assessors who think 1 s, while 30 MB are imported, then assessors who think
0.2 s. A request stores a judgment and returns the next item. The generator and the import run on
the same machine, in processes of their own; PostgreSQL is started for the measurement, with fsync.
At the end every acknowledged judgment is looked for in the database. Wall-clock times of requests,
and what the server and the generator used of the processors for each save. About eight minutes.
"""

from __future__ import annotations

import argparse
import asyncio
import json
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
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import polars as pl

from assay.benchmark.campaign.accounts import Accounts
from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.store.topics import add_documents

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
ASSESSORS = 50
ITEMS = 60_000
THINK = (1.0, 0.2)
"""Seconds between judgments; during the first time an import runs."""
TEXT = "The wing in a supersonic flow, and how heat moves through a plate. " * 30


def fill(place: str, items: int = ITEMS) -> list[dict[str, str]]:
    """Create a campaign; return a link for each assessor, for each think time."""
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
    names = [f"a{number}" for number in range(ASSESSORS)]
    links = [{name: accounts.entry_link(name) for name in names} for _ in THINK]
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


class Browser:
    """One connection to the server: requests as bytes, which costs the generator little."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.headers = f"Host: 127.0.0.1:{port}\r\n"

    async def connect(self) -> None:
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)

    async def ask(self, line: str, body: bytes = b"") -> tuple[int, str, bytes]:
        """Send a request; return the status, the headers and the body."""
        about = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n" if body else ""
        self._writer.write(f"{line} HTTP/1.1\r\n{self.headers}{about}\r\n".encode() + body)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = re.search(r"content-length: (\d+)", head)
        content = await self._reader.readexactly(int(length[1]) if length else 0)
        return int(head[9:12]), head, content

    async def enter(self, token: str) -> None:
        """Sign in by a link and read the token of forms."""
        _, head, _ = await self.ask(f"GET /enter?token={token}")
        cookie = re.search(r"set-cookie: ([^;]+)", head)
        self.headers += f"Cookie: {cookie[1] if cookie else ''}\r\n"
        _, _, page = await self.ask("GET /judge")
        csrf = re.findall(r'name="csrf" value="(\w+)"', page.decode())[0]
        self.headers += f"X-CSRF-Token: {csrf}\r\n"

    async def save(self, **sent: Any) -> tuple[int, dict[str, Any]]:
        """Store actions and return the next items."""
        status, _, content = await self.ask("POST /api/save", json.dumps(sent).encode())
        return status, json.loads(content) if status == 200 else {}


async def assess(
    port: int, token: str, think: float, clock: Clock, times: list[float], saved: list[str]
) -> int:
    """Sign in, wait for the others, judge until the end; return how many requests failed."""
    failures = 0
    browser = Browser(port)
    await browser.connect()
    await browser.enter(token)
    tasks = (await browser.save(actions=[], count=2))[1]["tasks"]
    end = await clock.begin()
    await asyncio.sleep(random.random() * think)
    while time.time() < end and tasks:
        task = tasks.pop(0)
        after = tasks[-1]["position"] if tasks else task["position"]
        action = {"action": "judge", "query": task["query"], "doc": task["doc"], "grade": 1,
                  "request": os.urandom(12).hex(), "seconds": think}  # fmt: skip
        begun = time.perf_counter()
        status, answer = await browser.save(actions=[action], after=after, count=1)
        times.append(time.perf_counter() - begun)
        if status == 200 and answer["outcomes"][0]["saved"]:
            saved.append(action["request"])
            tasks += answer["tasks"]
        else:
            failures += 1
        await asyncio.sleep(think * (0.5 + random.random()))
    return failures


async def generate(port: int, links: list[str], think: float, seconds: float) -> dict[str, Any]:
    """Let all assessors judge; return times, requests that were acknowledged, and failures."""
    times: list[float] = []
    saved: list[str] = []
    clock = Clock(len(links), seconds)
    found = await asyncio.gather(
        *(assess(port, token, think, clock, times, saved) for token in links)
    )
    used = time.process_time()
    return {"times": times, "saved": saved, "failures": sum(found), "used": used}


def load(port: int, links: list[str], think: float, seconds: float, pipe: Any) -> None:
    pipe.send(asyncio.run(generate(port, links, think, seconds)))


def import_documents(place: str, megabytes: int) -> None:
    """Add documents of so many megabytes, as an import does."""
    begun = time.perf_counter()
    campaign = Campaign.open(place)
    rows = ((f"new{n}", None, None, TEXT) for n in range(megabytes * 1_000_000 // len(TEXT)))
    add_documents(campaign.session.database, rows)
    print(f"  {megabytes} MB imported in {time.perf_counter() - begun:.1f} s", flush=True)


def serve(place: str, workers: int) -> tuple[Any, int]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "assay", "serve", place, "--port", str(port)]
    process = subprocess.Popen(
        [*command, "--workers", str(workers)], stdout=subprocess.DEVNULL, start_new_session=True
    )
    for _ in range(300):
        try:
            urlopen(f"http://127.0.0.1:{port}/health", timeout=1).read()
            return process, port
        except OSError:
            time.sleep(0.2)
    raise SystemExit("the server did not start")


def processor_seconds(belongs: Callable[[int, int], bool]) -> float:
    """Return what processes have used, chosen by their parent and their process group."""
    ticks = 0
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if belongs(int(fields[1]), int(fields[2])):
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def measure(
    place: str, links: list[str], think: float, seconds: float, port: int, busy: Callable[[], float]
) -> None:
    """Let the assessors judge and print what was measured."""
    spawn = multiprocessing.get_context("spawn")
    receiver, sender = spawn.Pipe()
    before = os.getloadavg()[0]
    generator = spawn.Process(target=load, args=(port, links, think, seconds, sender))
    used = busy()
    generator.start()
    sender.close()  # a generator that fails ends the wait
    importer = spawn.Process(target=import_documents, args=(place, 30))
    if think == THINK[0]:
        time.sleep(5)
        importer.start()
    found = receiver.recv()
    used = busy() - used
    generator.join()
    if think == THINK[0]:
        importer.join()
    times = sorted(found["times"])
    count = len(times)
    with Campaign.open(place).session.database.read() as connection:
        stored = {row[0] for row in connection.exec_driver_sql("SELECT request FROM judgment")}
    quantiles = ", ".join(
        f"{name} {times[min(int(count * share), count - 1)] * 1000:.0f} ms"
        for name, share in (("p50", 0.5), ("p95", 0.95), ("p99", 0.99), ("longest", 1))
    )
    print(
        f"  think {think:g} s: {count:,} saves in {seconds:g} s, {count / seconds:.0f} a second,"
        f" {quantiles}, {sum(each > 1 for each in times)} over 1 s, failures {found['failures']},"
        f" acknowledged but not stored {len(set(found['saved']) - stored)}; processor time of a"
        f" save {used / count * 1000:.1f} ms server, {found['used'] / count * 1000:.1f} ms"
        f" generator; load {before:.1f} before, {os.getloadavg()[0]:.1f} after",
        flush=True,
    )


def measure_all(place: str, workers: int, seconds: float, postmaster: int = 0) -> None:
    """Fill a campaign, serve it, and measure with each think time."""
    begun = time.perf_counter()
    links = fill(place)
    print(
        f"{place.partition(':')[0] if '://' in place else 'sqlite'}, workers {workers};"
        f" filled in {time.perf_counter() - begun:.0f} s",
        flush=True,
    )
    server, port = serve(place, workers)

    def busy() -> float:
        return processor_seconds(
            lambda parent, group: group == server.pid or parent == postmaster > 0
        )

    try:
        for think, tokens in zip(THINK, links, strict=True):
            measure(place, list(tokens.values()), think, seconds, port, busy)
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.wait()


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("databases", nargs="*", default=["sqlite", "postgres"])
    options.add_argument("--seconds", type=float, default=60)
    options.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    given = options.parse_args()
    if "sqlite" in given.databases:
        with tempfile.TemporaryDirectory() as folder:
            measure_all(str(Path(folder, "campaign.db")), 1, given.seconds)
    if "postgres" in given.databases:
        from tests.benchmark.campaign.postgres_server import Server

        postgres = Server(durable=True)
        try:
            for workers in given.workers:
                place = postgres.database(f"workers{workers}")
                measure_all(place, workers, given.seconds, postgres.pid)
        finally:
            postgres.stop()


if __name__ == "__main__":
    main()
