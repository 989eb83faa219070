"""``assay behavior``: what users do, from click logs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from assay.cli.log_options import log_argument
from assay.cli.output import TableOutput, table_options

if TYPE_CHECKING:
    from assay.behavior.logs.click_log import ClickLog

GROUP = "users"


@click.group(
    "behavior",
    epilog="""\b
Examples:
  assay behavior check log.csv
  assay behavior check ubi_queries.ndjson ubi_events.ndjson""",
)
def command() -> None:
    """Read logs of what users were shown and clicked."""


@command.command(
    epilog="""\b
Examples:
  assay behavior check log.csv
  assay behavior check train.gz --log-format yandex
  assay behavior check ubi_queries.ndjson ubi_events.ndjson --format json"""
)
@log_argument()
@table_options
def check(log: ClickLog, output: TableOutput) -> int:
    """Check a click log: what it contains, and what is wrong with it.

    Logs are UBI queries and events, Yandex 2011 and 2013, TianGong-ST, the TSV of clickmodels, or
    CSV, JSON lines and Parquet with the columns session, query, rank, doc and click. The exit code
    is 1 if there are errors.
    """
    from assay.behavior.logs.log_check import check_opened

    checked = check_opened(log)
    frames = {"contents": checked.contents, "findings": checked.findings}
    if output.format == "table" and not checked.findings.height:
        frames.pop("findings")
    output.show(frames)
    return int(checked.has_errors)
