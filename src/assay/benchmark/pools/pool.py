"""Pool: the documents to judge, with the probability of each and why it is there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, missing_column
from assay.core.output_files import write_text
from assay.core.phrases import quantity
from assay.core.printable import Printable
from assay.core.tables import Judgments, Source, convert_column
from assay.formats.containers import to_frame, to_judgments

SCHEMA = {
    "query": pl.String,
    "doc": pl.String,
    "stratum": pl.String,
    "probability": pl.Float64,
    "best_rank": pl.Int32,
    "runs": pl.String,
}
"""The columns of a pool; the names of runs are separated by spaces."""
LOG_SCHEMA = {"query": pl.String, "doc": pl.String, "step": pl.Int32, "reason": pl.String}
DRAWN = "drawn"


@dataclass(frozen=True, repr=False, eq=False)
class Pool(Printable):
    """Documents to judge: query, doc, stratum, probability, best_rank, runs."""

    frame: pl.DataFrame
    """A row for each document to judge, in ascending order of query and document."""
    undrawn: pl.DataFrame
    """The documents that could have been drawn and were not, with the same columns."""
    log: pl.DataFrame
    """Why each document is in the pool: query, doc, step (the order of choice), reason."""
    settings: dict[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return self.frame.height

    def topics(self) -> pl.DataFrame:
        """Return for each topic how many documents are to be judged and were not drawn."""
        sizes = self.frame.group_by("query").agg(documents=pl.len())
        rest = self.undrawn.group_by("query").agg(undrawn=pl.len())
        both = sizes.join(rest, on="query", how="full", coalesce=True).sort("query")
        return both.with_columns(pl.col("documents", "undrawn").fill_null(0).cast(pl.Int64))

    def judgments(self, qrels: Any) -> Judgments:
        """Return judgments of the pool, with stratum and probability, from grades that are known.

        Documents that were not drawn have grade -1, as sampled qrels write them. A drawn document
        without a grade is an error: judge it, or leave it out of the pool.
        """
        grades = to_judgments(qrels).frame.select("query", "doc", "grade")
        drawn = self.frame.join(grades, on=["query", "doc"], how="left", maintain_order="left")
        open_ones = drawn.filter(pl.col("grade").is_null())
        if open_ones.height:
            query, doc = open_ones.select("query", "doc").row(0)
            raise DataError(
                f"{quantity(open_ones.height, 'document')} of the pool"
                f" without a judgment; the first is {doc} of query {query}. Judge them, or take 0"
                " where there is no judgment: pool.simulate(qrels)"
            )
        return self._as_judgments(drawn)

    def simulate(self, qrels: Any) -> Judgments:
        """Return the judgments that an assessor would give who knows ``qrels``: 0 where unknown."""
        grades = to_judgments(qrels).frame.select("query", "doc", "grade")
        drawn = self.frame.join(grades, on=["query", "doc"], how="left", maintain_order="left")
        return self._as_judgments(drawn.with_columns(pl.col("grade").fill_null(0.0)))

    def _as_judgments(self, drawn: pl.DataFrame) -> Judgments:
        names = ["query", "doc", "grade", "stratum", "probability"]
        rest = self.undrawn.with_columns(grade=pl.lit(-1.0)).select(names)
        rows = pl.concat([drawn.select(names), rest]).sort("query", "doc")
        if not self.undrawn.height and bool((rows["probability"] == 1).all()):
            rows = rows.drop("stratum", "probability")
        return Judgments.of(rows, Source("the judged pool"))

    def write(self, path: str | Path) -> None:
        """Write the pool as CSV; a column ``drawn`` marks what was not drawn, if there is any."""
        rows = self.frame
        if self.undrawn.height:
            parts = [
                part.with_columns(pl.lit(mark, pl.Int8).alias(DRAWN))
                for part, mark in ((self.frame, 1), (self.undrawn, 0))
            ]
            rows = pl.concat(parts).sort("query", "doc")
        write_text(path, rows.write_csv())

    @classmethod
    def read(cls, data: Any) -> Pool:
        """Read a pool that was written, or any table with its columns."""
        if isinstance(data, Pool):
            return data
        frame, source = to_frame(data, "the pool")
        for name in ("query", "doc"):
            if name not in frame.columns:
                raise missing_column(source.name, name, frame.columns, error=DataError)
        filled = {"stratum": "all", "probability": 1.0, "best_rank": None, "runs": ""}
        frame = frame.with_columns(
            pl.lit(value).alias(name) for name, value in filled.items() if name not in frame.columns
        )
        rows = pl.DataFrame(
            convert_column(frame, name, kind(), source, nullable=name in ("best_rank", "runs"))
            for name, kind in SCHEMA.items()
        )
        drawn = None
        if DRAWN in frame.columns:
            drawn = convert_column(frame, DRAWN, pl.Int8(), source) == 1
        kept = rows if drawn is None else rows.filter(drawn)
        rest = rows.clear() if drawn is None else rows.filter(~drawn)
        return cls(kept, rest, pl.DataFrame(schema=LOG_SCHEMA), {"file": source.name})
