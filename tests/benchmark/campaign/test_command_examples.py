"""The example of every operation of ``assay campaign`` runs, in the course of one campaign."""

from __future__ import annotations

import json
import random
import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.cli.terminal import call

from assay.benchmark.campaign.campaign import Campaign
from assay.cli.commands.campaign import command

DOCS = ["FT911-3", *(f"d{number}" for number in range(20))]


def _example(name: str) -> list[str]:
    text = re.sub(r"\\\n\s*", "", command.commands[name].epilog or "")
    shown = re.search(r"^ *assay (campaign .+)$", text, re.MULTILINE)
    assert shown is not None, name
    return shlex.split(shown[1])


def _write_topics(*names: int) -> None:
    Path("topics.tsv").write_text("".join(f"{name}\twords of {name}\n" for name in names))


def _write_files() -> None:
    _write_topics(301, 302, 310)
    lines = [json.dumps({"_id": doc, "text": f"words of {doc}"}) + "\n" for doc in DOCS]
    Path("docs.jsonl").write_text("".join(lines))
    Path("guidelines.md").write_text("Read the whole document.\n")
    Path("known.txt").write_text("302 0 FT911-3 1\n310 0 FT911-3 0\n")
    draw = random.Random(3)
    for name in ("bm25", "dense"):
        ranked = {topic: ["FT911-3", *draw.sample(DOCS[1:], 9)] for topic in (301, 302, 310)}
        Path(f"{name}.run").write_text(
            "".join(
                f"{topic} Q0 {doc} {place} {20 - place} {name}\n"
                for topic, docs in ranked.items()
                for place, doc in enumerate(docs, 1)
            )
        )


def _let_others_join() -> None:
    campaign = Campaign.open("campaign.db")
    campaign.join("carla", "coordinator")
    for name in ("ben", "cem"):
        campaign.join(name, "participant", "assessor")


def _judge_the_rest() -> None:
    for number, name in enumerate(("ann", "ben", "cem")):
        campaign = Campaign.open("campaign.db", name)
        while task := campaign.next():
            campaign.judge(task.query, task.doc, (len(task.doc) + number) % 3)


def _begin(phase: str) -> Callable[[], None]:
    return lambda: (Campaign.open("campaign.db").phase(phase), None)[1]


COURSE: tuple[str | Callable[[], None], ...] = (
    *(_write_files, "new", "join", _let_others_join, "scale", "guidelines"),
    *(lambda: _write_topics(401, 402), "propose-topic", "choose-topics", "topics"),
    *(_begin("runs"), "submit", lambda: _submit_another(), "runs", "pool", "gold"),
    *("phase", "assign", "order", "status", "next", "judge", _judge_the_rest, "withdraw"),
    *(_begin("adjudication"), "agreement", "disagreements", "adjudicate", "review", "exclude"),
    *("aggregate", "orders", "publish", "page", "reproduce", "export", "backup", "import"),
    *(lambda: _set_aside(), "restore"),
)
"""The operations in their order, and what happens between them."""


def _submit_another() -> None:
    Campaign.open("campaign.db", "ann").submit("dense.run")


def _set_aside() -> None:
    Path("campaign.db").rename("earlier.db")


def test_every_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert {each for each in COURSE if isinstance(each, str)} == set(command.commands)
    for step in COURSE:
        if not isinstance(step, str):
            step()
            continue
        done = call(*_example(step))
        assert done.code == 0, (step, done.err)
    page = Path("v1.html").read_text()
    for title in ("Leaderboard", "Topics", "Judgments", "Pool", "Agreement", "Reusability"):
        assert f">{title}</h2>" in page
    assert "rank low" in page
    assert Campaign.open("campaign.db").status()["versions"] == ["v1"]


def test_the_scale_is_fixed_once_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for step in COURSE[: COURSE.index("judge") + 1]:
        if isinstance(step, str):
            assert call(*_example(step)).code == 0, step
        else:
            step()
    shown = call("campaign", "scale", "campaign.db")
    assert shown.out.splitlines() == ["0 = no", "1 = partly (relevant)", "2 = fully (relevant)"]
    refused = call("campaign", "scale", "campaign.db", "--relevant", "2")
    assert (refused.code, "the scale is fixed" in refused.err) == (2, True)
    assert call("campaign", "phase", "campaign.db").out.strip() == "judging"
