"""A campaign: every operation of ``assay campaign`` as a method."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl

from assay.benchmark.campaign import (
    assignments,
    exchange,
    judging,
    people,
    pooling,
    publication,
    queue_order,
    review,
    rules,
    submissions,
    topics,
    versions,
)
from assay.benchmark.campaign.assignment_plan import AssignmentSettings
from assay.benchmark.campaign.judging import Answer, JudgingTask, Receipt
from assay.benchmark.campaign.scale import DEFAULT, Scale
from assay.benchmark.campaign.session import Session, known_person
from assay.benchmark.campaign.submissions import RULES
from assay.benchmark.campaign.versions import AggregationSettings, JudgmentVersion
from assay.benchmark.campaign.web_operations import WebOperations
from assay.benchmark.store import topics as store
from assay.benchmark.store.database import Database
from assay.benchmark.store.people import Person
from assay.benchmark.store.runs import SubmittedRun
from assay.benchmark.store.topics import CampaignTopic
from assay.core.errors import DataError, UsageError, unknown_name
from assay.core.names import measures as parse_measures
from assay.engine.scores import Scores
from assay.tasks.check_files import CheckReport

DEFAULT_MEASURES = ("nDCG@10", "AP", "P@10")


class Campaign(WebOperations):
    """A campaign in a database, for one person or, without one, for who may do everything."""

    def __init__(self, session: Session) -> None:
        self.session = session

    @classmethod
    def new(cls, place: str | Path, name: str, **given: Any) -> Campaign:
        """Create a campaign in a new database, and open it; takes what ``create`` takes."""
        with cls.create(place, name, **given):
            pass
        return cls.open(place)

    @classmethod
    @contextmanager
    def create(
        cls,
        place: str | Path,
        name: str,
        *,
        scale: Scale | str = DEFAULT,
        relevant: int = 1,
        measures: Sequence[str] = DEFAULT_MEASURES,
        guidelines: str = "",
        documents: Iterable[tuple[str, str | None, str | None, str]] = (),
        **options: Any,
    ) -> Iterator[Campaign]:
        """Yield a campaign in a new database; documents are (name, title, url, text).

        A file is there when the block has ended; with an error there is none.
        """
        found = Scale.parse(scale, relevant) if isinstance(scale, str) else scale
        names = [each.name for each in parse_measures(list(measures), "retrieval")]
        _check_rules(options)
        values = {
            "name": name, "phase": "topics", "scale": found.to_json(), "measures": names,
            "settings": options,
        }  # fmt: skip
        with Database.create(place) as database:
            campaign = cls(Session(database))
            with database.write() as connection:
                now = campaign.session.clock()
                store.create_campaign(connection, values, now)
                store.add_guidelines(connection, guidelines, now)
                campaign.session.record(connection, "new", name=name)
            store.add_documents(database, _refuse_repeated(documents))
            yield campaign

    @classmethod
    def open(
        cls,
        place: str | Path,
        person: str | None = None,
        *,
        trusted: bool | None = None,
        clock: Callable[[], float] = time.time,
    ) -> Campaign:
        """Open a campaign: in a person's name with what that person may do, or for everything.

        ``trusted`` lets the person do everything, as on the command line.
        """
        database = Database.open(place)
        acting = None
        if person is not None:
            with database.read() as connection:
                acting = known_person(connection, person)
        return cls(Session(database, acting, person is None if trusted is None else trusted, clock))

    def close(self) -> None:
        """Close the database."""
        self.session.database.close()

    def join(self, name: str, *roles: str, **details: Any) -> Person:
        """Add a person with roles; ``kind``, ``team`` and ``capacity`` may be given."""
        return people.join(self.session, name, roles, **details)

    def phase(self, phase: str) -> str:
        """Begin a phase; return the one before."""
        return people.set_phase(self.session, phase)

    def scale(self) -> Scale:
        """Return the scale: its grades with their labels, and from which on they count."""
        return rules.scale(self.session)

    def set_scale(self, grades: str | None = None, relevant: int | None = None) -> Scale:
        """Change the grades or from which on they count; refused once anything was judged."""
        return rules.set_scale(self.session, grades, relevant)

    def set_guidelines(self, text: str) -> int:
        """Add a version of the guidelines; return its number."""
        return rules.set_guidelines(self.session, text)

    def propose_topics(self, proposed: Mapping[str, Mapping[str, str]]) -> int:
        """Propose topics by name with their fields; return how many."""
        return topics.propose_topics(self.session, proposed)

    def choose_topics(self, *names: str, state: str = "chosen") -> int:
        """Choose, reject or practice topics, ``all`` for those proposed; return how many."""
        return topics.choose_topics(self.session, names, state)

    def topics(self) -> list[CampaignTopic]:
        """Return the topics."""
        return topics.topics(self.session)

    def set_gold(self, grades: Mapping[tuple[str, str], int]) -> int:
        """Declare known grades by query and document; return how many."""
        return topics.set_gold(self.session, grades)

    def submit(self, path: str | Path, name: str | None = None) -> tuple[int, CheckReport]:
        """Submit a run; return its number and what is suspicious in it."""
        return submissions.submit(self.session, path, name)

    def runs(self) -> list[SubmittedRun]:
        """Return the runs that the person may see."""
        return submissions.runs(self.session)

    def pool(self, depth: int | None = None, **options: Any) -> int:
        """Pool the runs, with the options of ``assay.pool``; return how many items are new."""
        return pooling.pool(self.session, {"depth": depth, **options})

    def items(self) -> pl.DataFrame:
        """Return the pool, with how each document came into it."""
        return pooling.pool_items(self.session)

    def add_to_pool(self, frame: pl.DataFrame, settings: dict[str, Any] | None = None) -> int:
        """Add the items of a pool that was made elsewhere; return how many are new."""
        return pooling.add_to_pool(self.session, frame, settings or {})

    def assign(
        self, *, assessors: Sequence[str] = (), shared: bool = False, **settings: Any
    ) -> int:
        """Assign the pool: ``overlap``, assessors ``per_item``, ``gold`` per 100, ``seed``."""
        wanted = AssignmentSettings(**settings)
        return assignments.assign(self.session, wanted, assessors=assessors, shared=shared)

    def order(self, by: str = "topic") -> int:
        """Put the queues into an order: topic, comparison, bandit or disagreement."""
        return queue_order.order_queues_by(self.session, by)

    def next(self, after: int = -1) -> JudgingTask | None:
        """Return the next item to judge, held for this person; None if nothing is left."""
        return judging.next_task(self.session, after)

    def postpone(self, assignment: int) -> None:
        """Put an item at the end of the queue."""
        judging.postpone(self.session, assignment)

    def judge(self, query: str, doc: str, grade: int | None, **details: Any) -> Receipt:
        """Store one judgment; ``seconds``, ``comment``, ``passages``, ``request`` may be given."""
        return self.judge_all([Answer(query, doc, grade, **details)])[0]

    def judge_all(self, answers: Sequence[Answer]) -> list[Receipt]:
        """Store judgments, all or none."""
        return judging.judge(self.session, answers)

    def withdraw(self, judgment: int, reason: str) -> None:
        """Let a judgment count no longer."""
        judging.withdraw(self.session, judgment, reason)

    def status(self) -> dict[str, Any]:
        """Return the phase and the progress by topic and assessor."""
        return review.status(self.session)

    def agreement(self, measures: Any = None) -> Scores:
        """Return the agreement of the assessors."""
        return review.agreement(self.session, measures)

    def disagreements(self) -> pl.DataFrame:
        """Return the items on which assessors differ."""
        return review.disagreements(self.session)

    def adjudicate(self, query: str, doc: str, grade: int, comment: str | None = None) -> int:
        """Decide the grade of an item."""
        return review.adjudicate(self.session, query, doc, grade, comment)

    def review(self) -> pl.DataFrame:
        """Return which assessors to review, and what leaving each out changes."""
        return review.review(self.session)

    def exclude(self, name: str, reason: str | None) -> None:
        """Leave the judgments of an assessor out; without a reason, take them in again."""
        people.exclude(self.session, name, reason)

    def aggregate(
        self, name: str, method: str = "adjudicated", kinds: Sequence[str] = ("person",)
    ) -> JudgmentVersion:
        """Aggregate the judgments and keep the result as a version."""
        settings = AggregationSettings(method, tuple(kinds))
        return versions.save_version(self.session, name, settings)

    def system_orders(self, method: str = "adjudicated") -> pl.DataFrame:
        """Return the order of systems under each assessor and aggregation."""
        return versions.system_orders(self.session, AggregationSettings(method))

    def publish(self, name: str) -> dict[str, bytes]:
        """Publish a version; return its files."""
        return publication.publish(self.session, name)

    def published(self, name: str) -> dict[str, bytes]:
        """Return the files of a version."""
        return publication.published_files(self.session, name)

    def reproduce(self, name: str) -> dict[str, bool]:
        """Make the files of a published version again; return which are the same."""
        return publication.reproduce(self.session, name)

    def export(self, folder: str | Path) -> int:
        """Write the campaign to a folder, without sign-in data; return the number of rows."""
        return exchange.export(self.session, folder)

    def backup(self, path: str | Path) -> int:
        """Copy the database to a new SQLite file; return the number of rows."""
        return exchange.backup(self.session, path)

    @classmethod
    def read_export(cls, place: str | Path, folder: str | Path) -> Campaign:
        """Create a campaign from an export."""
        exchange.import_campaign(place, folder)
        return cls.open(place)

    @classmethod
    def restore(cls, backup: str | Path, place: str | Path) -> Campaign:
        """Create a campaign from a backup."""
        exchange.restore(backup, place)
        return cls.open(place)


def _refuse_repeated(
    documents: Iterable[tuple[str, str | None, str | None, str]],
) -> Iterator[tuple[str, str | None, str | None, str]]:
    """Yield the documents; raise an error for one that occurs twice."""
    seen: set[str] = set()
    for each in documents:
        if each[0] in seen:
            raise DataError(f"document '{each[0]}' occurs twice; keep one of the two")
        seen.add(each[0])
        yield each


def _check_rules(rules: Mapping[str, Any]) -> None:
    for name, value in rules.items():
        if name == "lease_minutes":
            if not isinstance(value, int | float) or not value > 0:
                raise UsageError(f"lease_minutes is a number above 0, not {value!r}")
        elif name not in RULES:
            raise unknown_name("rule", name, (*RULES, "lease_minutes"))
        elif value not in RULES[name]:
            raise unknown_name(f"choice of {name}", str(value), RULES[name])
