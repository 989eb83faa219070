"""Versions of the judgments: named aggregations, and what they do to the order of systems."""

from __future__ import annotations

import hashlib
import io
import itertools
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl
from sqlalchemy import Connection

from assay.benchmark.aggregation import METHODS, aggregate
from assay.benchmark.campaign.open_questions import open_questions
from assay.benchmark.campaign.permissions import KINDS, check_words
from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.campaign.submissions import run_files, valid_runs
from assay.benchmark.store import judgments, versions
from assay.benchmark.store.people import excluded_people
from assay.benchmark.store.topics import campaign_row
from assay.core.errors import AlignmentError, DataError, UsageError, unknown_name
from assay.engine.scores import Scores
from assay.tasks.agreement import agreement
from assay.tasks.retrieval.retrieval import retrieval

ADJUDICATED = "adjudicated"
"""Adjudicated grades where there are some, and the majority of the others."""


@dataclass(frozen=True)
class AggregationSettings:
    """How the judgments of several assessors become one grade for each document."""

    method: str = ADJUDICATED
    kinds: tuple[str, ...] = ("person",)
    """Whose judgments count; kinds are mixed only where that is asked for."""

    def __post_init__(self) -> None:
        known = (ADJUDICATED, *METHODS)
        if self.method not in known:
            raise unknown_name("method", self.method, known)
        check_words("kind of assessor", self.kinds, KINDS)


@dataclass(frozen=True)
class JudgmentVersion:
    """Aggregated judgments with the digest of what they were made from."""

    name: str
    settings: AggregationSettings
    qrels: pl.DataFrame
    """query, doc, grade, posterior."""
    judgments: pl.DataFrame
    notes: tuple[str, ...]
    warnings: tuple[str, ...] = ()
    """What was still open in the judgments."""

    @property
    def digest(self) -> str:
        """The digest of the judgments and how they were aggregated."""
        text = json.dumps([self.settings.method, list(self.settings.kinds)])
        return hashlib.sha256((text + self.judgments.write_csv()).encode()).hexdigest()


def counted_judgments(
    connection: Connection, kinds: Iterable[str]
) -> tuple[pl.DataFrame, list[str]]:
    """Return the judgments that count, and notes on those that do not."""
    schema = {"id": pl.Int64, "query": pl.String, "doc": pl.String, "assessor": pl.String,
              "assessor_kind": pl.String, "kind": pl.String, "grade": pl.Int64,
              "seconds": pl.Float64, "gold": pl.Int64}  # fmt: skip
    rows = judgments.list_judgments(connection)
    frame = pl.DataFrame([{name: row[name] for name in schema} for row in rows], schema=schema)
    excluded = excluded_people(connection)
    notes = [f"left out: {name} ({reason})" for name, reason in excluded.items()]
    graded = frame.filter(pl.col("grade").is_not_null() & (pl.col("kind") != "practice"))
    graded = graded.filter(~pl.col("assessor").is_in(list(excluded)))
    others = graded.filter(~pl.col("assessor_kind").is_in(list(kinds)))
    for kind, count in others["assessor_kind"].value_counts(sort=True).iter_rows():
        notes.append(
            f"left out: {count} judgments of the kind {kind} (`kinds` names those that count)"
        )
    return graded.filter(pl.col("assessor_kind").is_in(list(kinds))).sort(
        "query", "doc", "id"
    ), notes


def aggregate_judgments(
    connection: Connection, settings: AggregationSettings, name: str = "draft"
) -> JudgmentVersion:
    """Return one grade for each judged document."""
    frame, notes = counted_judgments(connection, settings.kinds)
    if frame.is_empty():
        raise DataError("there is no judgment to aggregate")
    warnings = tuple(open_questions(connection, frame))
    grades = combine_grades(frame, settings)
    return JudgmentVersion(name, settings, grades, frame, tuple(notes), warnings)


def combine_grades(frame: pl.DataFrame, settings: AggregationSettings) -> pl.DataFrame:
    """Return query, doc, grade and posterior of judgments: query, doc, assessor, kind, grade."""
    decided = frame.filter(pl.col("kind") == "adjudication").sort("id")
    decided = decided.group_by("query", "doc", maintain_order=True).last()
    decided = decided.select(
        "query", "doc", pl.col("grade").cast(pl.Float64), posterior=pl.lit(1.0)
    )
    assessed = frame.filter(pl.col("kind") == "judgment")
    found = pl.DataFrame(schema=decided.schema)
    if not assessed.is_empty():
        method = "majority" if settings.method == ADJUDICATED else settings.method
        ratings = assessed.select(
            pl.struct("query", "doc").struct.json_encode().alias("item"),
            "assessor",
            pl.col("grade").alias("label"),
        )
        labels = aggregate(ratings, method).labels
        keys = labels["item"].str.json_decode(pl.Struct({"query": pl.String, "doc": pl.String}))
        found = (
            pl.DataFrame({"key": keys})
            .unnest("key")
            .with_columns(
                grade=labels["label"].cast(pl.Float64),
                posterior=labels["posterior"].cast(pl.Float64),
            )
        )
    if settings.method == ADJUDICATED:
        found = pl.concat([decided, found.join(decided, on=["query", "doc"], how="anti")])
    return found.sort("query", "doc")


def save_version(session: Session, name: str, settings: AggregationSettings) -> JudgmentVersion:
    """Aggregate the judgments and keep the result under a name."""
    with session.database.read() as connection:
        session.require(connection, "aggregate")
        if any(each["name"] == name for each in versions.list_versions(connection)):
            raise UsageError(f"there is a version '{name}' already; choose another name")
        found = aggregate_judgments(connection, settings, name)
    with session.database.write() as connection:
        values = {
            "name": name, "digest": found.digest, "published": False, "created": session.clock(),
            "settings": {"method": settings.method, "kinds": list(settings.kinds),
                         "warnings": list(found.warnings)},
        }  # fmt: skip
        versions.add_version(connection, values, version_contents(found))
        session.record(connection, "aggregate", version=name, digest=found.digest)
    return found


def version_contents(found: JudgmentVersion) -> dict[str, bytes]:
    """Return the files of a version: its judgments, and the aggregated ones."""
    lines = (
        f"{query} 0 {doc} {grade:g}\n"
        for query, doc, grade in found.qrels.select("query", "doc", "grade").iter_rows()
    )
    return {
        "qrels.txt": "".join(lines).encode(),
        "grades.csv": found.qrels.write_csv().encode(),
        "judgments.csv": found.judgments.write_csv().encode(),
    }


def read_judgments(content: bytes) -> pl.DataFrame:
    """Return the judgments of a version from its file."""
    text = dict.fromkeys(("query", "doc", "assessor"), pl.String)
    return pl.read_csv(io.BytesIO(content), schema_overrides=text)


def assessor_agreement(frame: pl.DataFrame, measures: Any = None) -> Scores:
    """Return the agreement of judgments: query, doc, assessor, grade."""
    ratings = frame.select(
        (pl.col("query") + " " + pl.col("doc")).alias("item"), "assessor", label="grade"
    )
    return agreement(ratings, measures, item="item", assessor="assessor", label="label")


def system_orders(session: Session, settings: AggregationSettings) -> pl.DataFrame:
    """Return the order of the systems under each assessor and each aggregation.

    One row for each: the systems from best to worst by the first measure, tau with the order of
    the given aggregation, and the pairs whose winner changes. An assessor none of whose queries a
    run answers has no order.
    """
    with session.database.read() as connection:
        session.require(connection, "agreement")
        frame, _ = counted_judgments(connection, settings.kinds)
        if frame.is_empty():
            raise UsageError("nothing has been judged yet")
        measure = campaign_row(connection)["measures"][0]
        relevant = campaign_scale(connection).relevant
        variants = {settings.method: combine_grades(frame, settings)}
        for method in (ADJUDICATED, "majority", "median", "dawid-skene", "mace"):
            variants.setdefault(method, combine_grades(frame, AggregationSettings(method)))
        for (assessor,), part in frame.filter(pl.col("kind") == "judgment").group_by(
            "assessor", maintain_order=True
        ):
            variants[f"assessor {assessor}"] = combine_grades(part, AggregationSettings("majority"))
        with run_files(connection, valid_runs(connection)) as files:
            values = {
                name: _values(qrels, files, measure, relevant) for name, qrels in variants.items()
            }
    return _order_table(values, settings.method)


def _values(
    qrels: pl.DataFrame, files: Mapping[str, Path], measure: str, relevant: int
) -> Mapping[str, float]:
    """Return the value of each system; none if judgments and runs share no query."""
    try:
        return retrieval(qrels.drop("posterior"), files, measure, rel=relevant, interval=None)[
            measure
        ]
    except AlignmentError:
        return {}


def _order_table(values: Mapping[str, Mapping[str, float]], base: str) -> pl.DataFrame:
    rows = [
        {
            "judgments": name,
            "order": _order(found),
            "tau": _tau(values[base], found),
            "changed": ", ".join(_changed_pairs(values[base], found)),
            "note": _missing_tau(values[base], found),
        }
        for name, found in values.items()
    ]
    return pl.DataFrame(rows)


def _order(values: Mapping[str, float]) -> str:
    """Return the systems from best to worst, with = between equal systems."""
    groups = itertools.groupby(
        sorted(values, key=lambda system: (-values[system], system)), key=lambda name: values[name]
    )
    return " ".join(" = ".join(names) for _, names in groups)


def _missing_tau(one: Mapping[str, float], other: Mapping[str, float]) -> str:
    """Return why there is no tau between two orders."""
    if not other:
        return "judgments and runs share no topic"
    if len(one) < 2:
        return "there is one system"
    if len(set(other.values())) == 1:
        return "no tau: all systems have the same value"
    return "no tau: all are equal in the order compared with" if len(set(one.values())) == 1 else ""


def _tau(one: Mapping[str, float], other: Mapping[str, float]) -> float | None:
    from scipy.stats import kendalltau

    systems = sorted(one)
    if not other or len(systems) < 2:
        return None
    found = kendalltau([one[each] for each in systems], [other[each] for each in systems])
    return None if found.statistic != found.statistic else float(found.statistic)


def _changed_pairs(one: Mapping[str, float], other: Mapping[str, float]) -> list[str]:
    if not other:
        return []
    return [
        f"{a}/{b}"
        for a, b in itertools.combinations(sorted(one), 2)
        if (one[a] - one[b]) * (other[a] - other[b]) < 0
    ]


def find_version(connection: Connection, name: str) -> Mapping[str, Any]:
    """Return a version by name."""
    known: Sequence[Mapping[str, Any]] = versions.list_versions(connection)
    found = next((each for each in known if each["name"] == name), None)
    if found is None:
        raise unknown_name("version", name, [each["name"] for each in known])
    return found
