"""``assay campaign``; its operations are in ``cli/campaign``."""

from __future__ import annotations

from assay.cli.campaign import judging, preparation, results
from assay.cli.campaign.operation import command

GROUP = "benchmarks"
OPERATIONS = (preparation, judging, results)
"""Importing these modules adds their operations to the command."""

__all__ = ["GROUP", "OPERATIONS", "command"]
