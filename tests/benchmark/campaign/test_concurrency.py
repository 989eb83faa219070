"""Eight processes judge while one imports and processes are killed: nothing is lost or doubled."""

from __future__ import annotations

import collections
import multiprocessing
import os
import random
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.benchmark.campaign.postgres_server import Server

from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.judging import Answer
from assay.benchmark.store import judgments, topics
from assay.core.errors import DataError

WRITERS = 8
DEPTH = 100
DEADLINE = 600.0
"""Seconds after which a writer that still runs is stuck."""
LONGEST_WAIT = 1.0
"""Seconds that a write may take while others write and one imports, on a machine without other
work: `make simulate` measures it."""


def _prepare(place: str, folder: Path, size: int) -> int:
    campaign = Campaign.new(place, "load", documents=[])
    campaign.join("carla", "coordinator", "participant")
    for number in range(WRITERS):
        campaign.join(f"a{number}", "assessor")
    campaign.propose_topics({str(topic): {"title": "t"} for topic in range(size)})
    campaign.choose_topics("all")
    campaign.phase("runs")
    run = folder / "big.run"
    run.write_text(
        "".join(
            f"{topic} Q0 d{rank} {rank} {1000 - rank} big\n"
            for topic in range(size)
            for rank in range(1, DEPTH + 1)
        )
    )
    Campaign.open(place, "carla").submit(run)
    campaign.pool(DEPTH)
    campaign.phase("judging")
    count = campaign.assign(shared=True)
    campaign.close()
    return count


def _write(place: str, name: str, log: str) -> None:
    """Judge until nothing is left; log each call with its time, and what was acknowledged."""
    campaign: Campaign | None = None

    def timed(kind: str, act: Callable[[], Any]) -> Any:
        start = time.time()
        found = act()
        lines.write(f"{kind} {start} {time.time()}\n")
        lines.flush()
        return found

    with Path(log).open("a") as lines:
        while True:
            try:
                campaign = campaign or Campaign.open(place, name)
                task = timed("next", campaign.next)
                if task is None:
                    return
                lines.write(f"holds {task.query} {task.doc}\n")
                answer = Answer(task.query, task.doc, 1, request=f"{task.query} {task.doc}")
                timed("judge", partial(campaign.judge_all, [answer]))
            except DataError:  # the server is gone for a while: ask again
                time.sleep(0.2)
                continue
            lines.write(f"done {task.query} {task.doc}\n")
            lines.flush()


def _import(place: str, prefix: str) -> None:
    """Import 30 MB of documents."""
    campaign = Campaign.open(place)
    rows = ((f"{prefix}{number}", None, None, "x" * 3000) for number in range(10_000))
    topics.add_documents(campaign.session.database, rows)


class Crowd:
    """Eight writers, of whom some are killed and start again."""

    def __init__(self, place: str, folder: Path) -> None:
        self._spawn = multiprocessing.get_context("spawn")
        self._place, self._folder, self._draw = place, folder, random.Random(1)
        self.kills: list[float] = []
        self._writers = {number: self._start(number) for number in range(WRITERS)}
        self._end = time.monotonic() + DEADLINE

    def _start(self, number: int) -> Any:
        log = str(self._folder / f"log{number}")
        process = self._spawn.Process(target=_write, args=(self._place, f"a{number}", log))
        process.start()
        return process

    def start_import(self, prefix: str) -> Any:
        """Start to import documents."""
        process = self._spawn.Process(target=_import, args=(self._place, prefix))
        process.start()
        return process

    @property
    def is_busy(self) -> bool:
        """Whether somebody still judges."""
        assert time.monotonic() < self._end, "a writer is stuck"
        return any(each.is_alive() for each in self._writers.values())

    def kill_one(self) -> None:
        """Kill a writer that still judges, and start it again."""
        number = self._draw.randrange(WRITERS)
        if self._writers[number].is_alive():
            self.kills.append(time.time())
            os.kill(self._writers[number].pid or 0, signal.SIGKILL)
            self._writers[number].join()
            self._writers[number] = self._start(number)

    def stop(self) -> None:
        """End those that are left."""
        for each in self._writers.values():
            each.kill()


@pytest.mark.parametrize(
    ("size", "most", "longest"),
    [
        pytest.param(5, 8, DEADLINE, marks=pytest.mark.slow, id="small"),
        pytest.param(100, 50, LONGEST_WAIT, marks=pytest.mark.simulate, id="large"),
    ],
)
def test_nothing_acknowledged_is_lost_or_stored_twice(
    place: str, tmp_path: Path, request: pytest.FixtureRequest, size: int, most: int, longest: float
) -> None:
    """First an import without kills, then one with kills; then the server is killed."""
    count = _prepare(place, tmp_path, size)
    crowd = Crowd(place, tmp_path)
    try:
        quiet = crowd.start_import("i")
        quiet.join()
        assert quiet.exitcode == 0
        disturbed = crowd.start_import("j")
        while crowd.is_busy and len(crowd.kills) < most:
            crowd.kill_one()
            time.sleep(0.3)
        disturbed.join()
        assert disturbed.exitcode == 0
        if not place.endswith(".db") and crowd.is_busy:
            crowd.kills.append(time.time())
            server: Server = request.getfixturevalue("server")
            server.kill()
            server.start()
            crowd.kills.append(time.time())
        while crowd.is_busy:
            time.sleep(0.3)
    finally:
        crowd.stop()
    assert len(crowd.kills) >= most // 2
    _check_judgments(place, tmp_path, count)
    waits = _waits(tmp_path, crowd.kills)
    assert max(waits) <= longest, sorted(waits)[-10:]


def _lines(folder: Path, kind: str) -> list[tuple[str, str]]:
    """Return the lines of one kind of all writers, with the name of the log."""
    return [
        (path.name, line.partition(" ")[2])
        for path in folder.glob("log*")
        for line in path.read_text().splitlines()
        if line.startswith(f"{kind} ")
    ]


def _check_judgments(place: str, folder: Path, count: int) -> None:
    """Everything acknowledged is stored once, and nobody got an item that another holds."""
    acknowledged = [text for _, text in _lines(folder, "done")]
    with Campaign.open(place).session.database.read() as connection:
        stored = [f"{row['query']} {row['doc']}" for row in judgments.list_judgments(connection)]
    assert not [key for key, times in collections.Counter(stored).items() if times > 1]
    assert set(acknowledged) <= set(stored)
    assert len(acknowledged) == len(set(acknowledged))
    assert len(stored) == count
    holders = collections.defaultdict(set)
    for name, text in _lines(folder, "holds"):
        holders[text].add(name)
    assert all(len(names) == 1 for names in holders.values())


def _waits(folder: Path, kills: list[float]) -> list[float]:
    """Return how long each write took, of those during which nothing was killed."""
    found = []
    for kind in ("next", "judge"):
        for _, text in _lines(folder, kind):
            start, end = map(float, text.split())
            if not any(start - 1 <= each <= end for each in kills):
                found.append(end - start)
    return found
