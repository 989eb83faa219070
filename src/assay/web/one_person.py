"""Judging alone: a campaign of one assessor, whose judgments are written to a file."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import polars as pl

from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.campaign.scale import DEFAULT
from assay.core.errors import UsageError
from assay.core.output_files import write_text

PERSON = "me"
SECONDS = 1.0
"""The file is written at most so often."""
Documents = Iterable[tuple[str, str | None, str | None, str]]


def prepare(
    place: Path,
    pool: pl.DataFrame,
    topics: dict[str, dict[str, str]],
    documents: Documents,
    *,
    scale: str = DEFAULT,
    guidelines: str = "",
) -> Campaign:
    """Return a campaign of one assessor: a new one, or the one that was begun before.

    ``pool`` has the columns query and doc.
    """
    for name in ("query", "doc"):
        if name not in pool.columns:
            raise UsageError(f"the pool has no column '{name}'; it needs query and doc")
    if place.exists():
        return Campaign.open(place)
    pool = pool.with_columns(pl.col("query", "doc").cast(pl.String)).unique(["query", "doc"])
    for name, kind in (("stratum", pl.String), ("probability", pl.Float64),
                       ("best_rank", pl.Int64), ("runs", pl.String)):  # fmt: skip
        column = pl.col(name) if name in pool.columns else pl.lit(None)
        pool = pool.with_columns(column.cast(kind, strict=False).alias(name))
    queries = pool["query"].unique(maintain_order=True).to_list()
    with Campaign.create(
        place, place.stem, scale=scale, guidelines=guidelines, documents=documents
    ) as campaign:
        campaign.join(PERSON, "assessor")
        campaign.propose_topics({name: topics.get(name) or {"title": name} for name in queries})
        campaign.choose_topics("all")
        campaign.phase("runs")
        campaign.add_to_pool(pool, {"method": "file"})
        campaign.phase("judging")
        campaign.assign()
    return Campaign.open(place)


@dataclass
class QrelsWriter:
    """Writes the judgments to a file soon after they were stored, and at the end."""

    campaign: Campaign
    output: Path
    _timer: threading.Timer | None = field(default=None, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False)

    def note_change(self) -> None:
        """Write the file soon."""
        with self._lock:
            if self._timer is None:
                self._timer = threading.Timer(SECONDS, self._write_soon)
                self._timer.daemon = True
                self._timer.start()

    def _write_soon(self) -> None:
        with self._lock:
            self._timer = None
        self.write()

    def write(self) -> int:
        """Write the file now; return the number of judgments."""
        rows = self.campaign.table("judgments").to_dicts()
        lines = sorted(
            f"{row['query']} 0 {row['doc']} {row['grade']}\n"
            for row in rows
            if row["grade"] is not None
        )
        write_text(self.output, *lines)
        return len(lines)
