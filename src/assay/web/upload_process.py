"""The process that reads an upload: ``python -m assay.web.upload_process``, an order on stdin."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.benchmark.campaign.campaign import Campaign

MEMORY = 4_000_000_000
SECONDS = 100


def limit_resources() -> None:
    """Limit the memory and the processor time of this process, where the system can."""
    try:
        import resource
    except ModuleNotFoundError:  # Windows
        return
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def carry_out(order: dict[str, Any]) -> dict[str, Any]:
    """Store the file of an order; return what there is to say about it, or why it was refused."""
    from assay.benchmark.campaign.campaign import Campaign
    from assay.core.errors import AssayError

    try:
        campaign = Campaign.open(order["place"], order["person"])
        return OPERATIONS[order["operation"]](campaign, order)
    except AssayError as failure:
        return {"error": str(failure)}


def _submit(campaign: Campaign, order: dict[str, Any]) -> dict[str, Any]:
    _, report = campaign.submit(order["path"], order["name"])
    found = [{"severity": each.severity, "text": each.text} for each in report.findings]
    return {"findings": found}


def _propose(campaign: Campaign, order: dict[str, Any]) -> dict[str, Any]:
    from assay.benchmark.collections.collection import Collection

    found = Collection.read(topics=order["path"]).topics or ()
    return {"proposed": campaign.propose_topics({topic.id: topic.fields for topic in found})}


OPERATIONS: Mapping[str, Callable[[Campaign, dict[str, Any]], dict[str, Any]]] = {
    "submit": _submit,
    "propose-topic": _propose,
}
"""What is done with a file, by the operation of the permission table."""


if __name__ == "__main__":
    limit_resources()
    answer = carry_out(json.load(sys.stdin))
    sys.stdout.write(json.dumps(answer))
