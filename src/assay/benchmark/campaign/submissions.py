"""Submitting runs: checked as ``assay check`` does, by the rules for late and repeated ones."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import Connection

from assay.benchmark.campaign.session import Session, campaign_settings
from assay.benchmark.store import runs as store
from assay.benchmark.store import topics
from assay.benchmark.store.runs import SubmittedRun
from assay.core.errors import DataError, UsageError
from assay.core.phrases import quantity
from assay.core.scratch_files import scratch_folder, scratch_place
from assay.formats.files.trec import SWAPPED
from assay.tasks.check_files import CheckReport, check

RULES = {"late": ("refuse", "accept"), "repeated": ("replace", "refuse")}
"""How late and repeated submissions are handled; the first is the default."""


def submit(session: Session, path: str | Path, name: str | None = None) -> tuple[int, CheckReport]:
    """Check a run and store its file; return its number and what is suspicious in it.

    A run with errors is refused with their lines. The name of a run is that of its file.
    """
    file = Path(path)
    report = check(None, [str(path)])
    if report.has_errors:
        errors = [each.text for each in report.findings if each.severity == "error"]
        plain = [each.replace(SWAPPED.format("qrels"), "") for each in errors]
        hint = ". Is it a file of judgments? Fields of a run: query, Q0, document, rank, score, tag"
        raise DataError(
            "the run is refused: " + "; ".join(plain) + (hint if plain != errors else "")
        )
    content = file.read_bytes()
    name = name or file.name.split(".")[0]
    with session.database.write() as connection:
        phase = session.require(connection, "submit")
        person = session.acting()
        late = phase not in ("topics", "runs")
        rules = campaign_settings(connection)
        if late and rules.get("late", "refuse") == "refuse":
            raise UsageError(f"runs were due before the phase {phase}; late runs are refused")
        _refuse_unknown_topics(connection, path)
        _handle_repeated(connection, name, person.name, rules.get("repeated", "replace"))
        digest = hashlib.sha256(content).hexdigest()
        values = {
            "name": name, "file": file.name, "person_id": person.id, "state": "submitted",
            "late": late, "priority": 2 if late else 1, "digest": digest,
            "submitted": session.clock(),
        }  # fmt: skip
        number = store.add_run(connection, values, content)
        session.record(connection, "submit", run=name, digest=digest, late=late)
    return number, report


def _refuse_unknown_topics(connection: Connection, path: str | Path) -> None:
    from assay.formats.containers import to_run

    known = {topic.name for topic in topics.list_topics(connection, ("chosen", "practice"))}
    if not known:
        raise UsageError("no topic is chosen yet; choose topics before runs are submitted")
    found = to_run(str(path))
    unknown = sorted(set(found.frame["query"].unique()) - known)
    if unknown:
        shown = ", ".join(unknown[:5]) + (" …" if len(unknown) > 5 else "")
        raise DataError(
            f"{path}: {quantity(len(unknown), 'query')} of the run are not topics of the campaign:"
            f" {shown}; leave them out"
        )


def _handle_repeated(connection: Connection, name: str, owner: str, rule: str) -> None:
    for each in store.list_runs(connection):
        if each.name != name or each.state != "submitted":
            continue
        if each.owner != owner:
            raise UsageError(f"another participant has a run called {name}; give yours a name")
        if rule == "refuse":
            raise UsageError(f"there is a run {name} already; repeated submissions are refused")
        store.set_run_state(connection, each.id, "replaced")


def accepts_runs(session: Session) -> bool:
    """Return whether a run of the person would be accepted now, late or not."""
    with session.database.read() as connection:
        if not session.may(connection, "submit"):
            return False
        late = topics.campaign_row(connection)["phase"] not in ("topics", "runs")
        return not late or campaign_settings(connection).get("late", "refuse") == "accept"


def runs(session: Session) -> list[SubmittedRun]:
    """Return the submitted runs that the person may see: all, or the person's own."""
    with session.database.read() as connection:
        if session.may(connection, "see-runs"):
            return store.list_runs(connection)
        session.require(connection, "see-own-runs")
        return store.list_runs(connection, session.acting().name)


@contextmanager
def run_files(connection: Connection, wanted: Sequence[SubmittedRun]) -> Iterator[dict[str, Path]]:
    """Yield the files of runs by name, as they were submitted."""
    names = {each.name: f"{each.id}/{each.file}" for each in wanted}
    contents = {names[each.name]: store.run_content(connection, each.id) for each in wanted}
    with scratch_folder(contents) as folder:
        yield {name: folder / file for name, file in names.items()}


def plain_reason(failure: Exception) -> str:
    """Return what a failure says, without the scratch folders of ``run_files``."""
    return re.sub(rf"{re.escape(scratch_place())}/[^/\s]+/(\d+/)?", "", str(failure))


def valid_runs(connection: Connection) -> list[SubmittedRun]:
    """Return the runs that count: neither replaced nor withdrawn."""
    return [each for each in store.list_runs(connection) if each.state == "submitted"]
