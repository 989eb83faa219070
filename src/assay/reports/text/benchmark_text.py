"""Test collections and pools, as text."""

from __future__ import annotations

from dataclasses import fields

import polars as pl

from assay.benchmark.collections.collection import Collection
from assay.benchmark.pools.pool import Pool
from assay.formats.splits import Splits
from assay.reports.text.result_text import ResultText


class CollectionText(ResultText):
    """What a collection holds, and what does not fit."""

    result: Collection
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return counts, judgments by grade, fields and a sample."""
        tables = {
            "counts": self.result.counts(),
            "grades": self.result.grades(),
            "fields": self.result.fields(),
            "sample": self.result.sample(),
        }
        return {name: table for name, table in tables.items() if table.height}

    def notes(self) -> list[str]:
        """Return what was assumed, and what does not fit."""
        return [*self.result.notes, *self.result.findings.notes]


class PoolText(ResultText):
    """The documents of a pool by topic."""

    result: Pool
    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return how many documents each topic has."""
        return {"topics": self.result.topics()}

    def notes(self) -> list[str]:
        """Return what was left out of the pool."""
        return list(self.result.notes)


class PoolTablesText(ResultText):
    """Results that are tables with notes, in all output formats."""

    wrapped = True

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the tables of the result that are not empty, one that is there twice only once."""
        values = {each.name: getattr(self.result, each.name) for each in fields(self.result)}
        tables = {name: each for name, each in values.items() if isinstance(each, pl.DataFrame)}
        first = {id(each): name for name, each in reversed(tables.items())}
        return {
            name: each for name, each in tables.items() if each.width and name in first.values()
        }

    def notes(self) -> list[str]:
        """Return the notes of the result."""
        return list(self.result.notes)


class SplitsText(ResultText):
    """How many queries or items each split has."""

    result: Splits

    def frames(self) -> dict[str, pl.DataFrame]:
        """Return the number of queries or items of each split."""
        return {"splits": self.result.counts()}
