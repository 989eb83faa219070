"""What all tables of a campaign database share: their registry, and the types of columns."""

from __future__ import annotations

from sqlalchemy import BigInteger, Float, Integer, MetaData

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)
Key = BigInteger().with_variant(Integer, "sqlite")
"""Whole numbers that number rows: SQLite numbers only plain integers by itself."""
Moment = Float(53)
"""Seconds since 1970 in UTC: exact to the microsecond, and the same in both databases."""
