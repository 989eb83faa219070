"""The rules of a campaign that may change after it was created: the scale and the guidelines."""

from __future__ import annotations

from assay.benchmark.campaign.scale import Scale
from assay.benchmark.campaign.session import Session, campaign_scale
from assay.benchmark.store import items, judgments, topics
from assay.core.errors import UsageError
from assay.core.phrases import list_phrase


def scale(session: Session) -> Scale:
    """Return the scale of the campaign."""
    with session.database.read() as connection:
        session.require(connection, "status")
        return campaign_scale(connection)


def set_scale(session: Session, text: str | None, relevant: int | None) -> Scale:
    """Change the grades, or from which on they count; refused once anything has been judged."""
    with session.database.write() as connection:
        topics.lock_campaign(connection)
        session.require(connection, "scale")
        before = campaign_scale(connection)
        lowest = before.relevant if relevant is None else relevant
        after = Scale(before.labels, lowest) if text is None else Scale.parse(text, lowest)
        if judgments.any_judgment(connection):
            raise UsageError(
                "the scale is fixed: there are judgments already; create a new campaign for"
                " another scale"
            )
        unknown = sorted(items.gold_grades(connection) - set(after.labels))
        if unknown:
            raise UsageError(
                f"gold items have the grade {list_phrase([str(each) for each in unknown])}, which"
                " the new scale lacks; declare them anew first"
            )
        topics.change_campaign(connection, scale=after.to_json())
        session.record(connection, "scale", before=before.to_json(), after=after.to_json())
    return after


def set_guidelines(session: Session, text: str) -> int:
    """Add a version of the guidelines; return its number. Judgments keep the number of theirs."""
    with session.database.write() as connection:
        session.require(connection, "guidelines")
        number = topics.add_guidelines(connection, text, session.clock())
        session.record(connection, "guidelines", version=number)
    return number
