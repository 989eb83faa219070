"""Splits in files: the split of each query or item, and how it was made."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import polars as pl

from assay.core.errors import DataError, FormatError, UsageError, missing_column, unknown_name
from assay.core.output_files import write_text
from assay.core.printable import Printable
from assay.formats.containers import to_frame
from assay.formats.input_files import Input

_HEADER = "# "


@dataclass(frozen=True, repr=False, eq=False)
class Splits(Printable):
    """The split of each query or item, and how it was made."""

    frame: pl.DataFrame
    """A row for each query or item: query or item, split; with folds, a row for each fold too."""
    made: Mapping[str, Any] = field(default_factory=dict)
    """Shares, seed, groups and strata, and what the split was made from."""

    @property
    def unit(self) -> str:
        """What is split: query or item."""
        return "query" if "query" in self.frame.columns else "item"

    @property
    def folds(self) -> list[str]:
        """The names of the folds, in their order; empty without folds."""
        return self.frame["fold"].unique(maintain_order=True).to_list() if self._folded else []

    @property
    def _folded(self) -> bool:
        return "fold" in self.frame.columns

    def units(self, split: str, fold: str | int | None = None) -> list[str]:
        """Return the queries or items of a split, in one fold where there are folds."""
        frame = self.frame
        if self._folded:
            frame = frame.filter(fold=self._known_fold(fold))
        elif fold is not None:
            raise UsageError("the splits have no folds: leave out `fold`")
        known = frame["split"].unique().sort().to_list()
        if split not in known:
            raise unknown_name("split", split, known)
        return frame.filter(split=split)[self.unit].to_list()

    def _known_fold(self, fold: str | int | None) -> str:
        known = self.folds
        if fold is None:
            raise UsageError(f"which of the {len(known)} folds? Say `fold=…`, such as {known[0]}")
        if str(fold) not in known:
            raise unknown_name("fold", str(fold), known)
        return str(fold)

    @classmethod
    def select(
        cls, splits: Any, split: str | None, fold: str | int | None = None, unit: str = "query"
    ) -> list[str]:
        """Return the units of the named split of a table; refuse one without the other."""
        if split is None:
            raise UsageError("there are splits, but which one is evaluated? Say `split=…`")
        if splits is None:
            raise UsageError(f"name the table of {unit} and split with `splits=…`")
        read = cls.read(splits, unit)
        if read.unit != unit:
            raise UsageError(f"the splits are of {read.unit} and split, but {unit} is expected")
        return read.units(split, fold)

    def counts(self) -> pl.DataFrame:
        """Return how many queries or items each split has, by fold where there are folds."""
        keys = ["fold", "split"] if self._folded else ["split"]
        name = "queries" if self.unit == "query" else "items"
        counted = self.frame.group_by(keys, maintain_order=True).agg(pl.len().alias(name))
        whole = pl.col(name).sum().over("fold") if self._folded else pl.col(name).sum()
        return counted.with_columns(share=pl.col(name) / whole)

    @cached_property
    def digest(self) -> str:
        """The digest of the queries or items and their splits, in whatever order they are."""
        columns = [self.unit, "split", *(["fold"] if self._folded else [])]
        rows = self.frame.select(columns).sort(self.unit, *columns[2:])
        lines = rows.select(pl.concat_str(columns, separator="\t"))
        return f"sha256:{hashlib.sha256(chr(10).join(lines.to_series()).encode()).hexdigest()}"

    def write(self, path: str | Path) -> None:
        """Write the splits as CSV, below a line that says how they were made."""
        head = json.dumps({**self.made, "digest": self.digest}, ensure_ascii=False)
        write_text(path, f"{_HEADER}{head}\n", self.frame.write_csv())

    @classmethod
    def read(cls, data: Any, unit: str = "query") -> Splits:
        """Read splits that were written, or any table of query (or item) and split."""
        if isinstance(data, Splits):
            return data
        made: dict[str, Any] = {}
        if isinstance(data, str | Path):
            made, frame, where = _read_file(Path(data))
        else:
            frame, source = to_frame(data, "splits")
            where = source.name
        key = next((each for each in ("query", "item") if each in frame.columns), unit)
        for name in (key, "split"):
            if name not in frame.columns:
                raise missing_column(where, name, frame.columns, error=DataError)
        columns = [*(["fold"] if "fold" in frame.columns else []), key, "split"]
        rows = frame.select(pl.col(columns).cast(pl.String))
        for name in columns:
            if (gaps := rows[name].is_null().arg_true()).len():
                raise DataError(f"{where}: row {gaps[0] + 1} has no {name}; fill it in")
        found = cls(rows, made)
        twice = found.frame.filter(pl.struct(columns[:-1]).is_duplicated())
        if twice.height:
            raise DataError(f"{where}: the {key} {twice[key][0]} is in two splits")
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
        raise FormatError("a table of query or item and split is expected", file.name, 2) from None
    return (made if isinstance(made, dict) else {}), frame, file.name
