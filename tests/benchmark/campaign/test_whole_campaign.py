"""A whole campaign on Cranfield, from proposed topics to two published versions."""

from __future__ import annotations

import hashlib
import io
import math
import random
from collections import Counter
from pathlib import Path

import polars as pl
import pytest

import assay
from assay.benchmark.campaign.campaign import Campaign

PARTICIPANTS = ("north", "south", "east", "west")
ASSESSORS = (*PARTICIPANTS, "ann", "ben")
ERRORS = 0.15
"""How often an assessor is wrong."""


def _relevant(shared_data: Path) -> tuple[assay.Collection, dict[tuple[str, str], int]]:
    """Return the collection and its judgments as grades from 0 to 2 (published: 1 best to 4)."""
    collection = assay.Collection.read(shared_data / "cranfield")
    judged = collection.judgments
    assert judged is not None
    rows = judged.frame.select("query", "doc", "grade").iter_rows()
    return collection, {(query, doc): int(grade > 0) + int(grade > 2) for query, doc, grade in rows}


def _write_runs(folder: Path, topics: list[str], truth: dict, documents: list[str]) -> list[Path]:
    """Write eight runs that find relevant documents with different probabilities."""
    paths = []
    for number in range(8):
        draw = random.Random(number)
        lines = []
        for topic in topics:
            good = [doc for (query, doc), grade in truth.items() if query == topic and grade]
            found = [doc for doc in good if draw.random() < 0.3 + number / 12]
            others = draw.sample([doc for doc in documents if doc not in found], 40 - len(found))
            ranked = found + others
            draw.shuffle(ranked)
            lines += [
                f"{topic} Q0 {doc} {rank} {100 - rank} run{number}\n"
                for rank, doc in enumerate(ranked, 1)
            ]
        path = folder / f"run{number}.txt"
        path.write_text("".join(lines))
        paths.append(path)
    return paths


def _grade(name: str, query: str, doc: str, truth: dict[tuple[str, str], int]) -> int:
    """Return what an assessor says: the truth, with errors that depend on all three."""
    chance = int.from_bytes(hashlib.blake2b(f"{name} {query} {doc}".encode()).digest()[:4]) / 2**32
    right = truth.get((query, doc), 0)
    return right if chance > ERRORS else (right + 1) % 3


def _expected_alpha(judged: pl.DataFrame, truth: dict) -> tuple[float, float]:
    """Return the alpha that the errors of ``_grade`` lead to, and its standard error.

    Two assessors agree where both are right or both are wrong; what they agree on by chance follows
    from the true grades of the items that several of them judged.
    """
    several = judged.filter(pl.col("kind") == "judgment").group_by("query", "doc").len()
    keys = several.filter(pl.col("len") > 1).select("query", "doc").rows()
    share = Counter(truth.get((str(query), str(doc)), 0) for query, doc in keys)
    said = [
        ((1 - ERRORS) * share[grade] + ERRORS * share[(grade - 1) % 3]) / len(keys)
        for grade in range(3)
    ]
    chance = 1 - sum(each**2 for each in said)
    agree = (1 - ERRORS) ** 2 + ERRORS**2
    error = math.sqrt(agree * (1 - agree) / len(keys)) / chance
    return 1 - (1 - agree) / chance, error


def _has_reusability(files: dict[str, bytes], paths: list[Path], folder: Path) -> None:
    """The published reusability is that of ``assay pool reuse`` on the exported files."""
    (folder / "judged.txt").write_bytes(files["qrels.txt"])
    teams = {
        "run": [path.stem for path in paths],
        "team": [PARTICIPANTS[number % 4] for number in range(len(paths))],
    }
    found = assay.pool_reuse(folder / "judged.txt", paths, "nDCG@10", teams=teams, depth=4)
    assert files["reusability.csv"].decode() == found.runs.write_csv()
    assert files["reusability-orders.csv"].decode() == found.orders.write_csv()


@pytest.mark.shared
def test_a_campaign_from_topics_to_two_versions(
    place: str, tmp_path: Path, shared_data: Path
) -> None:
    collection, truth = _relevant(shared_data)
    assert collection.documents is not None
    assert collection.topics is not None
    documents = [(each.id, each.title, None, each.text) for each in collection.documents]
    topics = {each.id: each.fields for each in list(collection.topics)[:20]}
    campaign = Campaign.new(place, "Cranfield again", documents=documents, relevant=1)
    campaign.join("carla", "coordinator")
    for name in ASSESSORS:
        roles = ("participant", "assessor") if name in PARTICIPANTS else ("assessor",)
        campaign.join(name, *roles, team=name)
    for number, name in enumerate(PARTICIPANTS):
        mine = list(topics)[number * 5 : number * 5 + 5]
        Campaign.open(place, name).propose_topics({key: topics[key] for key in mine})
    campaign.choose_topics("all")
    campaign.phase("runs")
    paths = _write_runs(tmp_path, list(topics), truth, [each[0] for each in documents])
    for number, path in enumerate(paths):
        Campaign.open(place, PARTICIPANTS[number % 4]).submit(path)
    campaign.pool(4)
    campaign.phase("judging")
    known = campaign.items().select("query", "doc").rows()
    campaign.set_gold({key: truth.get(key, 0) for key in known[::25]})
    campaign.assign(overlap=0.2, gold=4, seed=2)
    for name in ASSESSORS:
        _judge_all(place, name, truth)
    left = campaign.status()["by_assessor"]["left"]
    assert left.to_list() == [0] * len(ASSESSORS)
    agreed = campaign.agreement("alpha")["alpha"]["assessors"]
    campaign.phase("adjudication")
    differing = campaign.disagreements()
    assert differing.height > 5
    carla = Campaign.open(place, "carla")
    for query, doc in differing.select("query", "doc").iter_rows():
        carla.adjudicate(query, doc, truth.get((query, doc), 0))
    campaign.aggregate("v1", "mean")
    campaign.aggregate("v2")
    first, second = campaign.publish("v1"), campaign.publish("v2")
    expected, error = _expected_alpha(pl.read_csv(first["judgments.csv"]), truth)
    assert abs(agreed - expected) < 4 * error
    assert dict(pl.read_csv(first["agreement.csv"])["measure", "value"].iter_rows())["alpha"] == (
        pytest.approx(agreed)
    )
    _has_reusability(second, paths, tmp_path)
    assert first["qrels.txt"] != second["qrels.txt"]
    assert all(campaign.reproduce("v1").values())
    assert all(campaign.reproduce("v2").values())
    assert campaign.published("v1") == first
    _equal_to_retrieval(second, paths, tmp_path)
    orders = campaign.system_orders()
    assert orders.filter(judgments="adjudicated")["tau"].item() == pytest.approx(1)
    assert set(campaign.review()["assessor"]) == set(ASSESSORS)


def _judge_all(place: str, name: str, truth: dict[tuple[str, str], int]) -> None:
    assessor = Campaign.open(place, name)
    while task := assessor.next():
        assessor.judge(task.query, task.doc, _grade(name, task.query, task.doc, truth), seconds=3)
    assessor.close()


def _equal_to_retrieval(files: dict[str, bytes], paths: list[Path], folder: Path) -> None:
    """The published leaderboard is that of ``assay retrieval`` on the exported files."""
    (folder / "qrels.txt").write_bytes(files["qrels.txt"])
    scores = assay.retrieval(folder / "qrels.txt", paths, ["nDCG@10", "AP", "P@10"])
    published = pl.read_csv(io.BytesIO(files["leaderboard.csv"]))
    expected = scores.summary().select("system", "measure", "value", "low", "high")
    assert published.select(expected.columns).rows() == expected.rows()
    assert {"rank_low", "rank_high"} <= set(published.columns)
