"""Eight processes judge while one imports and processes are killed: nothing is lost or doubled."""

from __future__ import annotations

import collections
import multiprocessing
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from tests.benchmark.campaign.conftest import Server

from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.judging import Answer
from assay.benchmark.store import judgments, topics
from assay.core.errors import DataError

WRITERS = 8
DEPTH = 100
DEADLINE = 600.0
"""Seconds after which a writer that still runs is stuck."""


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


def _write(place: str, name: str, acknowledged: str) -> None:
    """Judge until nothing is left; write down each judgment after it was acknowledged."""
    campaign: Campaign | None = None
    with Path(acknowledged).open("a") as done:
        while True:
            try:
                campaign = campaign or Campaign.open(place, name)
                task = campaign.next()
                if task is None:
                    return
                answer = Answer(task.query, task.doc, 1, request=f"{task.query} {task.doc}")
                campaign.judge_all([answer])
            except DataError:  # the server is gone for a while: ask again
                time.sleep(0.2)
                continue
            done.write(f"{task.query} {task.doc}\n")
            done.flush()


def _import(place: str) -> None:
    campaign = Campaign.open(place)
    rows = ((f"i{number}", None, None, "x" * 3000) for number in range(10_000))
    topics.add_documents(campaign.session.database, rows)


@pytest.mark.parametrize(
    ("size", "most"),
    [
        pytest.param(5, 8, marks=pytest.mark.slow, id="small"),
        pytest.param(100, 50, marks=pytest.mark.simulate, id="large"),
    ],
)
def test_nothing_acknowledged_is_lost_or_stored_twice(
    place: str, tmp_path: Path, request: pytest.FixtureRequest, size: int, most: int
) -> None:
    count = _prepare(place, tmp_path, size)
    spawn = multiprocessing.get_context("spawn")
    draw = random.Random(1)

    def start(number: int) -> Any:
        done = str(tmp_path / f"done{number}")
        process = spawn.Process(target=_write, args=(place, f"a{number}", done))
        process.start()
        return process

    importer = spawn.Process(target=_import, args=(place,))
    importer.start()
    writers = {number: start(number) for number in range(WRITERS)}
    kills = 0
    server: Server | None = None if place.endswith(".db") else request.getfixturevalue("server")
    end = time.monotonic() + DEADLINE
    try:
        while any(each.is_alive() for each in writers.values()):
            assert time.monotonic() < end, "a writer is stuck"
            time.sleep(0.3)
            number = draw.randrange(WRITERS)
            if kills < most and writers[number].is_alive():
                os.kill(writers[number].pid or 0, signal.SIGKILL)
                writers[number].join()
                kills += 1
                writers[number] = start(number)
            if kills == most // 2 and server is not None:
                server.kill()
                server.start()
                server = None
                kills += 1
    finally:
        for each in writers.values():
            each.kill()
    importer.join()
    if place.endswith(".db"):  # the other server was killed while it ran
        assert importer.exitcode == 0
    assert kills >= 5
    acknowledged = [
        line for path in tmp_path.glob("done*") for line in path.read_text().splitlines()
    ]
    campaign = Campaign.open(place)
    with campaign.session.database.read() as connection:
        stored = [f"{row['query']} {row['doc']}" for row in judgments.list_judgments(connection)]
    assert not [key for key, times in collections.Counter(stored).items() if times > 1]
    assert set(acknowledged) <= set(stored)
    assert len(acknowledged) == len(set(acknowledged))
    assert len(stored) == count
