"""The process that reads an uploaded run: ``python -m assay.web.submit_run``, an order on stdin."""

from __future__ import annotations

import json
import sys
from typing import Any

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


def submit(order: dict[str, Any]) -> dict[str, Any]:
    """Submit the run of an order; return what is suspicious in it, or why it was refused."""
    from assay.benchmark.campaign.campaign import Campaign
    from assay.core.errors import AssayError

    try:
        campaign = Campaign.open(order["place"], order["person"])
        _, report = campaign.submit(order["path"], order["name"])
    except AssayError as failure:
        return {"error": str(failure)}
    found = [{"severity": each.severity, "text": each.text} for each in report.findings]
    return {"findings": found}


if __name__ == "__main__":
    limit_resources()
    answer = submit(json.load(sys.stdin))
    sys.stdout.write(json.dumps(answer))
