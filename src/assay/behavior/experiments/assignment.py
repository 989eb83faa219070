"""Assigning users to arms by a salted hash."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import polars as pl

from assay.core.errors import DataError, UsageError
from assay.core.phrases import quantity
from assay.core.tables import ids_as_text
from assay.formats.arrays import is_array, to_series
from assay.formats.containers import to_frame

BUCKETS = 10_000
"""A bucket is a hundredth of a percent of the users."""
EQUAL = {"control": 0.5, "treatment": 0.5}


def bucket_of(user: str, salt: str) -> int:
    """Return the bucket of a user, from 0 to 9,999; another salt gives unrelated buckets."""
    digest = hashlib.sha256(f"{salt}|{user}".encode()).digest()
    return int.from_bytes(digest, "big") % BUCKETS


def check_shares(shares: Mapping[str, float]) -> dict[str, float]:
    """Return the shares of the arms; they are above 0, and together at most 1."""
    if len(shares) < 1 or any(not share > 0 for share in shares.values()):
        raise UsageError("each arm has a share above 0, such as control=0.99,treatment=0.01")
    total = math.fsum(shares.values())
    if total > 1 + 1e-9:
        raise UsageError(f"the shares of the arms add up to {total:g}, which is more than 1")
    return dict(shares)


def assign_users(
    users: Any,
    shares: Mapping[str, float] | None = None,
    *,
    salt: str,
    user: str = "user",
) -> pl.DataFrame:
    """Assign users to arms: user, bucket, arm.

    ``users`` is a column of names (list, array, Series) or a table with a column ``user``; each
    user occurs once. ``shares`` has the share of each arm; users beyond them are in no arm (null).
    The arm depends on the salt and the name alone, so that a user gets it again at any time; use a
    new salt for each experiment.

    >>> assign_users(["ann", "ben"], {"treatment": 0.01}, salt="snippets-2")["bucket"].to_list()
    [6281, 5216]
    """
    wanted = check_shares(EQUAL if shares is None else shares)
    if not salt:
        raise UsageError("`salt` is empty: name the experiment, so that its users are its own")
    names = _user_names(users, user)
    buckets = [bucket_of(name, salt) for name in names]
    ends, running = [], 0.0
    for name, share in wanted.items():
        running += share
        ends.append((name, round(running * BUCKETS)))
    arms = [next((name for name, end in ends if bucket < end), None) for bucket in buckets]
    columns = {"user": names, "bucket": buckets, "arm": pl.Series(arms, dtype=pl.String)}
    return pl.DataFrame(columns)


def _user_names(users: Any, column: str) -> list[str]:
    from assay.behavior.experiments.user_table import id_column

    if is_array(users):
        users = {column: to_series(users, "the users")}
    frame, source = to_frame(users, "the users")
    names = id_column(frame, source, column, "user")
    twice = names.is_duplicated().arg_true()
    if len(twice):
        rows = quantity(len(twice), "row")
        raise DataError(
            f"{source.place(int(twice[1]))}: the user '{names[int(twice[1])]}' occurs twice"
            f" ({rows}); give each user once"
        )
    return ids_as_text(names).to_list()
