"""Logs in Spark frames: executors count equal lists, whose counts are added up on the driver."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from io import BytesIO
from typing import TYPE_CHECKING

import polars as pl

from assay.behavior.clicks.click_lists import ClickLists
from assay.behavior.clicks.list_builder import ListBuilder
from assay.behavior.logs.click_log import ClickLog, name_ranked_columns
from assay.behavior.logs.log_findings import KINDS
from assay.behavior.logs.log_format import LogSettings
from assay.core.tables import Source, Table
from assay.engine.spark.frames import functions, plain_failures
from assay.engine.spark.list_stream import whole_parts

if TYPE_CHECKING:
    import pyarrow as pa

_SCHEMA = "pairs binary, lists binary, findings binary"
_ROWS = 1 << 19
"""So many rows are counted at once, if sessions are not longer."""


@dataclass(frozen=True)
class SessionSource(Source):
    """Where rows are that have no numbers: they are named by their session."""

    sessions: pl.Series | None = None

    def place(self, row: int) -> str:
        """Return the session of a row."""
        shown = "" if self.sessions is None else f", session {self.sessions[row]}"
        return f"{self.name}{shown}"


@dataclass(frozen=True)
class SessionCounts:
    """Counts equal lists of whole sessions, which arrive one after the other."""

    name: str
    session: str
    """The column of the session."""
    settings: LogSettings
    depth: int | None

    def __call__(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the pairs, the distinct lists and the findings of some sessions at a time."""
        import pyarrow as pa

        for rows in whole_parts(batches, [self.session], _ROWS):
            source = SessionSource(self.name, sessions=rows[self.session])
            log = ClickLog(Table(rows, source), self.settings)
            builder = ListBuilder(self.depth)
            for piece in log.pieces():
                builder.add(piece)
            frames = (*builder.counted(), log.findings.frame())
            packed = [[each.write_ipc(None, compression="lz4").getvalue()] for each in frames]
            yield pa.RecordBatch.from_arrays(
                [pa.array(each, pa.binary()) for each in packed], ["pairs", "lists", "findings"]
            )


def lists_in_spark(log: ClickLog, depth: int | None = None) -> ClickLists:
    """Return the lists of a log in a Spark frame, equal lists counted where the rows are."""
    f, columns = functions(), name_ranked_columns(log.data, log.settings, log.name)
    session = columns.get("session", columns.get("list", ""))
    quoted = {name: f.col(f"`{name.replace('`', '``')}`") for name in columns.values()}
    rows = log.data.select(*quoted.values())
    settings = log.settings
    builder = ListBuilder(depth)
    log.findings.clear()
    with plain_failures(log.name):
        if settings.base is None:
            lowest = rows.agg(f.min(quoted[columns["rank"]].cast("double"))).first()[0]
            settings = replace(settings, base=0 if lowest == 0 else None)
        counts = SessionCounts(log.name, session, settings, depth)
        together = rows.repartition(quoted[session]).sortWithinPartitions(quoted[session])
        found = []
        for state in together.mapInArrow(counts.__call__, _SCHEMA).toLocalIterator():
            pairs, lists, findings = (
                pl.read_ipc(BytesIO(bytes(state[name]))) for name in ("pairs", "lists", "findings")
            )
            builder.add_counted(pairs, lists)
            found += findings.rows(named=True)
    for case in sorted(found, key=lambda each: (each["problem"], each["first"])):
        log.findings.add(KINDS[case["problem"]], case["first"], case["example"], case["count"])
    return builder.build()
