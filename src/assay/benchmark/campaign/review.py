"""How a campaign stands: progress, agreement, disagreements, assessors to review."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import polars as pl

from assay.benchmark.campaign.judging import known_item
from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.campaign.submissions import run_files, valid_runs
from assay.benchmark.campaign.versions import (
    AggregationSettings,
    assessor_agreement,
    combine_grades,
    counted_judgments,
)
from assay.benchmark.store import judgments, people, progress, topics, versions
from assay.benchmark.unreliable_assessors import unreliable_assessors
from assay.core.errors import UsageError
from assay.engine.scores import Scores
from assay.tasks.inputs.rating_columns import RatingColumns
from assay.tasks.retrieval.retrieval import retrieval


def status(session: Session) -> dict[str, Any]:
    """Return the phase, what there is, and the progress by topic and by assessor.

    Who does not coordinate sees the own progress only.
    """
    with session.database.read() as connection:
        phase = session.require(connection, "status")
        row = topics.campaign_row(connection)
        names = {each.id: each.name for each in people.list_people(connection)}
        listed = topics.topic_names(connection)
        mine = None if session.may(connection, "see-judgments") else session.acting().id
        by_topic = progress.progress_sums(connection, "topic", mine)
        by_person = progress.progress_sums(connection, "person", mine)
        counts = {
            "topics": topics.count_topics(connection, "chosen"),
            "runs": len(valid_runs(connection)) if session.may(connection, "see-runs") else None,
            "versions": [each["name"] for each in versions.list_versions(connection, True)],
        }
    names[progress.ANYBODY] = "anybody"
    return {
        "campaign": row["name"],
        "phase": phase,
        **{key: value for key, value in counts.items() if value is not None},
        "by_topic": _progress_table(by_topic, "topic", listed),
        "by_assessor": _progress_table(by_person, "assessor", names),
    }


def _progress_table(
    rows: list[tuple[int, int, int, float]], name: str, names: Mapping[int, str]
) -> pl.DataFrame:
    table = [
        (names[number], assigned, done, max(assigned - done, 0),
         seconds / done if done and seconds else None)
        for number, assigned, done, seconds in rows
        if assigned or done
    ]  # fmt: skip
    schema = {name: pl.String, "assigned": pl.Int64, "done": pl.Int64, "left": pl.Int64,
              "seconds_per_item": pl.Float64}  # fmt: skip
    return pl.DataFrame(table, schema=schema, orient="row").sort(name)


def agreement(session: Session, measures: Any = None) -> Scores:
    """Return the agreement of the assessors on the items that several of them judged."""
    with session.database.read() as connection:
        session.require(connection, "agreement")
        frame, _ = counted_judgments(connection, ("person",))
    frame = frame.filter(pl.col("kind") == "judgment")
    if frame.is_empty():
        raise UsageError("nothing has been judged yet")
    if frame["assessor"].n_unique() < 2:
        raise UsageError(
            f"only {frame['assessor'][0]} has judged so far; agreement is between two assessors or"
            " more"
        )
    return assessor_agreement(frame, measures)


def count_shared(session: Session) -> int:
    """Return how many documents several assessors have judged."""
    with session.database.read() as connection:
        session.require(connection, "agreement")
        frame, _ = counted_judgments(connection, ("person",))
    judged = frame.filter(pl.col("kind") == "judgment").group_by("query", "doc").len()
    return judged.filter(pl.col("len") > 1).height


def disagreements(session: Session) -> pl.DataFrame:
    """Return the items on which assessors differ: query, doc, grades by assessor, decision."""
    with session.database.read() as connection:
        session.require(connection, "see-disagreements")
        frame, _ = counted_judgments(connection, ("person", "crowd", "model"))
        mine = None if session.may(connection, "see-judgments") else session.acting().name
    judged = frame.filter(pl.col("kind") == "judgment")
    decided = (
        frame.filter(pl.col("kind") == "adjudication")
        .group_by("query", "doc")
        .agg(decision=pl.col("grade").last())
    )
    said = pl.col("assessor") + ": " + pl.col("grade").cast(pl.String)
    differing = judged.group_by("query", "doc").agg(
        grades=said.sort().str.join(", "),
        lowest=pl.col("grade").min(),
        highest=pl.col("grade").max(),
        people=pl.col("assessor"),
    )
    differing = differing.filter(pl.col("lowest") < pl.col("highest"))
    if mine is not None:
        differing = differing.filter(pl.col("people").list.contains(mine))
    found = differing.drop("people").join(decided, on=["query", "doc"], how="left")
    return found.sort("query", "doc")


def adjudicate(session: Session, query: str, doc: str, grade: int, comment: str | None) -> int:
    """Decide the grade of an item; return the number of the judgment."""
    with session.database.write() as connection:
        session.require(connection, "adjudicate")
        person = session.acting()
        campaign_scale(connection).check(grade, f"topic {query}, document {doc}")
        _, number = known_item(connection, query, doc)
        before = judgments.standing_judgment(connection, number, person.id, "adjudication")
        now = session.clock()
        values = {
            "item_id": number, "person_id": person.id, "kind": "adjudication", "answer": "grade",
            "grade": grade, "seconds": None, "place": None, "passages": None, "comment": comment,
            "guidelines": topics.current_guidelines(connection)[0],
            "request": f"adjudication {query} {doc} {now!r}",
            "supersedes": None if before is None else before["id"], "created": now,
        }  # fmt: skip
        return judgments.add_judgment(connection, values)


def review(session: Session) -> pl.DataFrame:
    """Return a row for each assessor: a verdict, its reasons, and what leaving them out changes.

    The effect is the largest change of the first measure over all systems.
    """
    with session.database.read() as connection:
        session.require(connection, "aggregate")
        frame, _ = counted_judgments(connection, ("person", "crowd", "model"))
        frame = frame.filter(pl.col("kind") == "judgment")
        if frame.is_empty():
            raise UsageError("nothing has been judged yet")
        ratings = frame.select(
            (pl.col("query") + " " + pl.col("doc")).alias("item"), "assessor",
            pl.col("grade").cast(pl.String).alias("label"), "seconds", "gold",
        )  # fmt: skip
        known = ratings.filter(pl.col("gold").is_not_null()).unique("item")
        gold = dict(known.select("item", pl.col("gold").cast(pl.String)).iter_rows())
        scale = [str(grade) for grade in campaign_scale(connection).labels]
        timed = "seconds" if ratings["seconds"].null_count() == 0 else None
        columns = RatingColumns("item", "assessor", "label")
        table = unreliable_assessors(
            ratings.drop("gold", *([] if timed else ["seconds"])),
            columns,
            seconds=timed,
            labels=scale,
            gold=gold or None,
        )
        effects = _effects_of_leaving_out(connection, frame)
    return table.join(effects, on="assessor", how="left", maintain_order="left")


def _effects_of_leaving_out(connection: Any, frame: pl.DataFrame) -> pl.DataFrame:
    submitted = valid_runs(connection)
    measure = topics.campaign_row(connection)["measures"][0]
    rel = campaign_scale(connection).relevant
    settings = AggregationSettings("majority")
    names = sorted(set(frame["assessor"]))
    effects: dict[str, float | None] = dict.fromkeys(names)
    if submitted and len(names) > 1:
        with run_files(connection, submitted) as files:

            def values(part: pl.DataFrame) -> Mapping[str, float]:
                """Return the value of each query with the judgments of a part."""
                qrels = combine_grades(part, settings).drop("posterior")
                return retrieval(qrels, files, measure, rel=rel, interval=None)[measure]

            base = values(frame)
            for name in names:
                other = values(frame.filter(pl.col("assessor") != name))
                effects[name] = max(abs(base[each] - other[each]) for each in base)
    return pl.DataFrame(
        {"assessor": names, "effect": list(effects.values())},
        schema={"assessor": pl.String, "effect": pl.Float64},
    )
