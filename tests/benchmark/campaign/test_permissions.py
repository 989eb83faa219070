"""Every operation × role × phase: what the table allows is done, what it does not is refused."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.benchmark.campaign.small import small_campaign

from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.permissions import PERMISSIONS, PHASES, ROLES
from assay.core.errors import AssayError

OPERATIONS: dict[str, Callable[[Campaign, Path], Any]] = {
    "join": lambda campaign, folder: campaign.join("new", "assessor"),
    "phase": lambda campaign, folder: campaign.phase("topics"),
    "scale": lambda campaign, folder: campaign.set_scale("0=no,1=yes"),
    "guidelines": lambda campaign, folder: campaign.set_guidelines("Read the title."),
    "propose-topic": lambda campaign, folder: campaign.propose_topics({"9": {"title": "nine"}}),
    "choose-topics": lambda campaign, folder: campaign.choose_topics("1"),
    "submit": lambda campaign, folder: campaign.submit(folder / "ann.run", "another"),
    "pool": lambda campaign, folder: campaign.pool(3),
    "assign": lambda campaign, folder: campaign.assign(),
    "next": lambda campaign, folder: campaign.next(),
    "judge": lambda campaign, folder: campaign.judge("1", "d2", 1),
    "history": lambda campaign, folder: campaign.history(),
    "flag": lambda campaign, folder: campaign.flag("1", "d2", "no text"),
    "prefer": lambda campaign, folder: campaign.next_pair(),
    "withdraw": lambda campaign, folder: campaign.withdraw(1, "reason"),
    "adjudicate": lambda campaign, folder: campaign.adjudicate("1", "d2", 1),
    "exclude": lambda campaign, folder: campaign.exclude("ben", "reason"),
    "status": lambda campaign, folder: campaign.status(),
    "agreement": lambda campaign, folder: campaign.agreement(),
    "aggregate": lambda campaign, folder: campaign.aggregate("draft"),
    "publish": lambda campaign, folder: campaign.publish("v1"),
    "reproduce": lambda campaign, folder: campaign.reproduce("v1"),
    "export": lambda campaign, folder: campaign.export(folder / "export"),
    "backup": lambda campaign, folder: campaign.backup(folder / "backup.db"),
    "see-own-runs": lambda campaign, folder: campaign.runs(),
    "see-pool": lambda campaign, folder: campaign.items(),
    "see-events": lambda campaign, folder: campaign.events(),
    "see-disagreements": lambda campaign, folder: campaign.disagreements(),
    "see-results": lambda campaign, folder: campaign.published("v3"),
    "see-published": lambda campaign, folder: campaign.published("v2"),
}
ASKED_WITHIN = {"see-runs", "see-judgments"}
"""Asked by other operations, to decide what to show."""


def test_every_operation_of_the_table_is_tried() -> None:
    assert set(OPERATIONS) | ASKED_WITHIN == set(PERMISSIONS)
    assert all(set(roles) <= set(ROLES) for roles in PERMISSIONS.values())


@pytest.mark.parametrize("role", ROLES)
def test_what_the_table_does_not_allow_is_refused(tmp_path: Path, role: str) -> None:
    place = str(tmp_path / "campaign.db")
    campaign = small_campaign(place, tmp_path, late="accept")
    campaign.join("dora", role)
    campaign.assign()
    ann = Campaign.open(place, "ann")
    task = ann.next()
    assert task is not None
    ann.judge(task.query, task.doc, 1)
    campaign.aggregate("v1")
    campaign.aggregate("v2")
    campaign.aggregate("v3")
    campaign.publish("v2")
    dora = Campaign.open(place, "dora")
    for number, (operation, act) in enumerate(OPERATIONS.items()):
        for phase in PHASES:
            campaign.phase(phase)
            folder = tmp_path / f"{number}-{phase}"
            folder.mkdir()
            (folder / "ann.run").write_bytes((tmp_path / "ann.run").read_bytes())
            said = _error(act, dora, folder)
            refused = f"may not do '{operation}' in the phase {phase}" in said
            assert refused == (phase not in PERMISSIONS[operation].get(role, ())), (
                operation,
                phase,
                said,
            )


def _error(act: Callable[[Campaign, Path], Any], campaign: Campaign, folder: Path) -> str:
    try:
        act(campaign, folder)
    except AssayError as refused:
        return str(refused)
    return ""
