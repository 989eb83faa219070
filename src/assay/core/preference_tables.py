"""The tables of preferences between documents."""

from __future__ import annotations

from typing import ClassVar

import polars as pl

from assay.core.tables import Table

_TEXT = pl.String()


class Preferences(Table):
    """Documents by level within a group of judgments; those of a higher level are preferred.

    A group is one user with one need; a subgroup was compared at one time.
    """

    columns: ClassVar[dict[str, pl.DataType]] = {
        **dict.fromkeys(("query", "group", "subgroup", "doc"), _TEXT),
        "level": pl.Float64(),
    }


class PreferencePairTable(Table):
    """Two documents of a query, and the preferred one of them; perhaps who prefers it."""

    columns: ClassVar[dict[str, pl.DataType]] = dict.fromkeys(
        ("query", "first", "second", "preferred"), _TEXT
    )
    optional: ClassVar[dict[str, pl.DataType]] = {"assessor": _TEXT}
