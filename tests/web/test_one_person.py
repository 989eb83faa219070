"""``assay judge`` and ``assay demo --campaign``: one person, without accounts."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from tests.cli.terminal import call
from tests.conftest import ROOT

POOL = "query,doc\n1,d1\n1,d2\n2,d1\n"


@contextmanager
def _started(folder: Path, *words: str) -> Iterator[tuple[Any, str]]:
    """Run a command that serves; yield the process and the link that it prints."""
    process = subprocess.Popen(
        [sys.executable, "-m", "assay", *words], cwd=folder, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")}, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().split()[0]
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(30)


def _open(link: str) -> httpx.Client:
    """Open a link as soon as the server answers."""
    base = link.partition("/enter")[0]
    opened = httpx.Client(base_url=base, follow_redirects=True, timeout=30)
    for _ in range(200):
        try:
            opened.get("/health")
            break
        except httpx.TransportError:
            time.sleep(0.1)
    page = opened.get(link)
    assert page.status_code == 200
    assert "token" not in str(page.url), "the address is clean"
    return opened


def _fields(page: str) -> dict[str, str]:
    """Return the hidden fields of the form of the answer."""
    form = page.partition('id="answer"')[2].partition("</form>")[0]
    return dict(re.findall(r'name="(csrf|request|query|doc)"[^>]* value="([^"]*)"', form))


def test_one_person_judges_stops_and_goes_on(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_text(POOL)
    (tmp_path / "docs.jsonl").write_text(
        "".join(json.dumps({"_id": f"d{n}", "title": f"Heading {n}", "text": f"text {n}"}) + "\n"
                for n in (1, 2))
    )  # fmt: skip
    (tmp_path / "topics.tsv").write_text("1\tfirst topic\n2\tsecond topic\n")
    command = ["judge", "pool.csv", "--documents", "docs.jsonl", "--topics", "topics.tsv",
               "-o", "qrels.txt", "--no-browser"]  # fmt: skip
    seen = []
    for grades in ((2,), (0, 1)):
        with _started(tmp_path, *command) as (_, link):
            opened = _open(link)
            assert httpx.get(link).status_code == 403, "the link works once"
            for grade in grades:
                page = opened.get("/judge").text
                fields = _fields(page)
                shown = page.partition("<script")[0].count(f"Heading {fields['doc'][1:]}")
                assert shown == 1, "the title stands above the text, not in it"
                seen.append((fields["query"], fields["doc"], grade))
                answer = opened.post("/judge", data={**fields, "act": f"grade:{grade}"})
                assert answer.status_code == 200
    lines = sorted(f"{query} 0 {doc} {grade}" for query, doc, grade in seen)
    assert (tmp_path / "qrels.txt").read_text().splitlines() == lines
    assert {(query, doc) for query, doc, _ in seen} == {("1", "d1"), ("1", "d2"), ("2", "d1")}


def test_a_pool_without_its_columns_is_refused(tmp_path: Path) -> None:
    (tmp_path / "pool.csv").write_text("topic,document\n1,d1\n")
    done = call("judge", str(tmp_path / "pool.csv"), "-o", str(tmp_path / "qrels.txt"))
    assert done.code == 2
    assert "the pool has no column 'query'" in done.err


def test_serve_names_what_is_wrong(tmp_path: Path) -> None:
    done = call("serve", str(tmp_path / "nothing.db"))
    assert done.code == 2
    assert "there is no such file" in done.err


@pytest.mark.slow
def test_the_demo_is_judged_with_its_gold_grades(tmp_path: Path) -> None:
    from assay.demo.campaign import GOLD

    with _started(tmp_path, "demo", "--campaign", "--folder", "demo") as (_, link):
        opened = _open(link)
        judged = 0
        while (fields := _fields(opened.get("/judge").text))["doc"] and judged < 100:
            grade = GOLD.get((fields["query"], fields["doc"]), 0)
            answer = opened.post("/judge", data={**fields, "act": f"grade:{grade}"})
            assert answer.status_code == 200
            judged += 1
        assert 20 <= judged < 100
        assert "you" in opened.get("/tables/review.csv").text
