"""Publishing a version: topics, judgments, pool, leaderboard; and making the same bytes again."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import polars as pl
from sqlalchemy import Connection

from assay.benchmark.campaign.pooling import pool_table
from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.campaign.submissions import plain_reason, run_files
from assay.benchmark.campaign.versions import (
    AggregationSettings,
    JudgmentVersion,
    assessor_agreement,
    combine_grades,
    find_version,
    read_judgments,
    version_contents,
)
from assay.benchmark.pools.make_pool import DEPTH
from assay.benchmark.reusability.reuse import pool_reuse
from assay.benchmark.store import items, runs, topics, versions
from assay.benchmark.store.runs import SubmittedRun
from assay.core.errors import DataError, UsageError
from assay.core.names import measure as named_measure
from assay.core.scratch_files import scratch_folder
from assay.engine.scores import Scores
from assay.tasks.power import power
from assay.tasks.retrieval.retrieval import retrieval
from assay.version import VERSION


def publish(session: Session, name: str) -> dict[str, bytes]:
    """Publish a version; return its files. What is published does not change any more."""
    with session.database.read() as connection:
        session.require(connection, "publish")
        version = find_version(connection, name)
        if version["published"]:
            raise UsageError(f"the version '{name}' is published already")
        stored = versions.version_files(connection, version["id"])
        frozen = _frozen_files(connection, version["settings"].get("warnings", []))
        results = _result_files(connection, stored, frozen)
    with session.database.write() as connection:
        versions.publish_version(connection, version["id"], {**frozen, **results})
        session.record(connection, "publish", version=name, digest=version["digest"])
    return {**stored, **frozen, **results}


def published_files(session: Session, name: str) -> dict[str, bytes]:
    """Return the files of a version; of one that is not published only to who may see results."""
    with session.database.read() as connection:
        version = find_version(connection, name)
        session.require(connection, "see-published" if version["published"] else "see-results")
        return versions.version_files(connection, version["id"])


def reproduce(session: Session, name: str) -> dict[str, bool]:
    """Make the files of a published version again; return which have the same bytes."""
    with session.database.read() as connection:
        session.require(connection, "reproduce")
        version = find_version(connection, name)
        if not version["published"]:
            raise UsageError(f"the version '{name}' is not published")
        stored = versions.version_files(connection, version["id"])
        again = _grade_files(stored, version["settings"])
        again |= _result_files(connection, stored | again, stored)
        return {each: again[each] == stored[each] for each in again if each in stored}


def _frozen_files(connection: Connection, warnings: list[str]) -> dict[str, bytes]:
    """Return the topics, the runs and the log of the pool as they are now."""
    chosen = topics.list_topics(connection, ("chosen",))
    listed = [{"query": each.name, **each.fields, "author": each.author} for each in chosen]
    pool = pool_table(connection).drop("gold")
    submitted = [each for each in runs.list_runs(connection) if each.state == "submitted"]
    pools = [settings.get("depth") for settings in items.pool_settings(connection)]
    about = {
        "campaign": topics.campaign_row(connection)["name"],
        "scale": campaign_scale(connection).to_json(),
        "measures": topics.campaign_row(connection)["measures"],
        "runs": [
            {
                "id": each.id,
                "name": each.name,
                "digest": each.digest,
                "team": each.team or each.owner,
            }
            for each in submitted
        ],
        "depth": max((int(each) for each in pools if each), default=DEPTH),
        "assay": VERSION,
        "warnings": warnings,
    }
    return {
        "topics.jsonl": "".join(json.dumps(each) + "\n" for each in listed).encode(),
        "pool.csv": pool.write_csv().encode(),
        "about.json": (json.dumps(about, indent=1) + "\n").encode(),
    }


def _grade_files(stored: Mapping[str, bytes], settings: Mapping[str, Any]) -> dict[str, bytes]:
    """Aggregate the judgments of a version again."""
    wanted = AggregationSettings(settings["method"], tuple(settings["kinds"]))
    frame = read_judgments(stored["judgments.csv"])
    grades = combine_grades(frame, wanted)
    return version_contents(JudgmentVersion("", wanted, grades, frame, ()))


def _result_files(
    connection: Connection, grades: Mapping[str, bytes], frozen: Mapping[str, bytes]
) -> dict[str, bytes]:
    """Evaluate the runs of a version with its judgments."""
    about = json.loads(frozen["about.json"])
    numbers = {each["id"] for each in about["runs"]}
    wanted = [each for each in runs.list_runs(connection) if each.id in numbers]
    if not wanted:
        return {}
    scores = evaluate_runs(connection, wanted, grades["qrels.txt"], about)
    tables = {
        "leaderboard.csv": leaderboard(scores),
        "scores.csv": scores.per_unit(),
        "agreement.csv": _agreement(grades["judgments.csv"]),
        **_reusability(connection, wanted, grades["qrels.txt"], about),
    }
    return {name: table.write_csv().encode() for name, table in tables.items()}


def _agreement(stored: bytes) -> pl.DataFrame:
    """Return the agreement of the assessors on the items that several of them judged."""
    frame = read_judgments(stored).filter(pl.col("kind") == "judgment")
    try:
        return (
            assessor_agreement(frame).summary().select("measure", "value", "low", "high", "units")
        )
    except (DataError, UsageError) as reason:  # no item has two assessors
        return pl.DataFrame({"reason": [plain_reason(reason)]})


def _reusability(
    connection: Connection, wanted: list[SubmittedRun], qrels: bytes, about: Mapping[str, Any]
) -> dict[str, pl.DataFrame]:
    """Return how far the judgments depend on each run and team that was pooled."""
    teams = pl.DataFrame(
        {
            "run": [each["name"] for each in about["runs"]],
            "team": [each.get("team") or each["name"] for each in about["runs"]],
        }
    )
    judged = scratch_folder({"qrels.txt": qrels})
    with judged as folder, run_files(connection, wanted) as files:
        try:
            found = pool_reuse(
                folder / "qrels.txt", files, about["measures"][0], teams=teams,
                depth=about.get("depth", DEPTH), rel=about["scale"]["relevant"],
            )  # fmt: skip
        except (DataError, UsageError) as reason:  # one run, or too few queries
            return {"reusability.csv": pl.DataFrame({"reason": [plain_reason(reason)]})}
    return {
        "reusability.csv": found.runs,
        "reusability-teams.csv": found.teams,
        "reusability-orders.csv": found.orders,
    }


def evaluate_runs(
    connection: Connection,
    wanted: list[SubmittedRun],
    qrels: bytes,
    about: Mapping[str, Any],
) -> Scores:
    """Return the scores of runs, as ``assay retrieval`` computes them from the same files."""
    judged = scratch_folder({"qrels.txt": qrels})
    with judged as folder, run_files(connection, wanted) as files:
        rel = about["scale"]["relevant"]
        return retrieval(folder / "qrels.txt", files, about["measures"], rel=rel)


def leaderboard(scores: Scores) -> pl.DataFrame:
    """Return a row for each system and measure: value, interval and range of ranks."""
    table = scores.summary().select("system", "measure", "value", "low", "high", "units")
    try:
        ranks = power(scores).leaderboard().select("system", "measure", "rank_low", "rank_high")
    except DataError:  # one system, or too few queries
        ranks = table.select("system", "measure", rank_low=None, rank_high=None)
    joined = table.join(ranks, on=["system", "measure"], how="left", maintain_order="left")
    return joined.with_columns(pl.col("rank_low", "rank_high").cast(pl.Int64))


def read_leaderboard(files: Mapping[str, bytes]) -> pl.DataFrame | None:
    """Return the leaderboard of a version, the best system by the first measure first."""
    if "leaderboard.csv" not in files:
        return None
    text = io.BytesIO(files["leaderboard.csv"])
    table = pl.read_csv(text, schema_overrides={"system": pl.String}, infer_schema_length=None)
    if table.is_empty():
        return table
    first = table.filter(pl.col("measure") == pl.col("measure").first())
    falling = named_measure(str(first["measure"][0]), "retrieval").definition.better != "lower"
    best_first = first.sort("value", descending=falling)["system"]
    order = {name: place for place, name in enumerate(best_first)}
    return table.sort(pl.col("system").replace_strict(order), maintain_order=True)
