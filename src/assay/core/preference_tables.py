<<<<<<< HEAD
"""The tables of preferences: documents by level, and pairs of documents."""
=======
"""The tables of preferences between documents."""
>>>>>>> main

from __future__ import annotations

from typing import ClassVar

import polars as pl

from assay.core.tables import Table

<<<<<<< HEAD
=======
_TEXT = pl.String()

>>>>>>> main

class Preferences(Table):
    """Documents by level within a group of judgments; those of a higher level are preferred.

    A group is one user with one need; a subgroup was compared at one time.
    """

    columns: ClassVar[dict[str, pl.DataType]] = {
<<<<<<< HEAD
        **dict.fromkeys(("query", "group", "subgroup", "doc"), pl.String()),
=======
        **dict.fromkeys(("query", "group", "subgroup", "doc"), _TEXT),
>>>>>>> main
        "level": pl.Float64(),
    }


class PreferencePairTable(Table):
    """Two documents of a query, and the preferred one of them; perhaps who prefers it."""

    columns: ClassVar[dict[str, pl.DataType]] = dict.fromkeys(
<<<<<<< HEAD
        ("query", "first", "second", "preferred"), pl.String()
    )
    optional: ClassVar[dict[str, pl.DataType]] = {"assessor": pl.String()}
=======
        ("query", "first", "second", "preferred"), _TEXT
    )
    optional: ClassVar[dict[str, pl.DataType]] = {"assessor": _TEXT}
>>>>>>> main
