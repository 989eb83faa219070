"""Splits of queries in files: the split of each query, and how it was made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError, missing_column, unknown_name
from assay.core.output_files import write_text
from assay.core.printable import Printable
from assay.formats.containers import to_frame
from assay.formats.input_files import Input

_HEADER = "# "


@dataclass(frozen=True, repr=False)
class QuerySplits(Printable):
    """The split of each query, and how it was made."""

    frame: pl.DataFrame
    """A row for each query: query, split."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """Shares, seed, groups and strata, and the digest of the queries."""

    def queries(self, split: str) -> list[str]:
        """Return the queries of a split."""
        known = self.frame["split"].unique().sort().to_list()
        if split not in known:
            raise unknown_name("split", split, known)
        return self.frame.filter(split=split)["query"].to_list()

    def counts(self) -> pl.DataFrame:
        """Return how many queries each split has."""
        counted = self.frame.group_by("split", maintain_order=True).agg(queries=pl.len())
        return counted.with_columns(share=pl.col("queries") / self.frame.height)

    @property
    def digest(self) -> str:
        """The digest of the queries and their splits, in whatever order they are written."""
        rows = "\n".join(f"{query}\t{split}" for query, split in self.frame.sort("query").rows())
        return f"sha256:{hashlib.sha256(rows.encode()).hexdigest()}"

    def write(self, path: str | Path) -> None:
        """Write the splits as CSV, below a line that says how they were made."""
        head = json.dumps({**self.made, "digest": self.digest}, ensure_ascii=False)
        write_text(path, f"{_HEADER}{head}\n", self.frame.write_csv())

    @classmethod
    def read(cls, data: Any) -> QuerySplits:
        """Read splits that were written, or any table of query and split."""
        if isinstance(data, QuerySplits):
            return data
        made: dict[str, Any] = {}
        if isinstance(data, str | Path):
            made, frame, where = _read_file(Path(data))
        else:
            frame, source = to_frame(data, "splits")
            where = source.name
        for name in ("query", "split"):
            if name not in frame.columns:
                raise missing_column(where, name, frame.columns, error=DataError)
        found = cls(frame.select(pl.col("query", "split").cast(pl.String)), made)
        twice = found.frame.filter(pl.col("query").is_duplicated())
        if twice.height:
            raise DataError(f"{where}: the query {twice['query'][0]} is in two splits")
        stated = made.get("digest")
        if stated is not None and stated != found.digest:
            raise DataError(
                f"{where}: the splits are not those that were made: the digest is {found.digest},"
                f" but the file states {stated}; make them again, or remove its first line"
            )
        return found


def _read_file(path: Path) -> tuple[dict[str, Any], pl.DataFrame, str]:
    file = Input(path)
    text = file.text_content()
    first, _, rest = text.partition(b"\n")
    if not first.startswith(_HEADER.encode()):
        return {}, to_frame(path, "splits")[0], file.name
    try:
        made = json.loads(first[len(_HEADER) :])
    except ValueError:
        message = "the line does not say how the splits were made"
        raise FormatError(message, file.name, 1) from None
    try:
        frame = pl.read_csv(rest, infer_schema=False)
    except pl.exceptions.PolarsError:
        raise FormatError("a table of query and split is expected", file.name, 2) from None
    return (made if isinstance(made, dict) else {}), frame, file.name
