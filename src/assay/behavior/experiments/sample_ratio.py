"""Sample ratio: whether the arms have the shares of users that they were to get."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import polars as pl

from assay.behavior.experiments.user_table import UserTable
from assay.core.arrays import Floats, Ints
from assay.core.errors import UsageError
from assay.statistics.corrections import adjust_p_values

WARN = 0.05
HIDE = 0.001
LEAST = 5
"""Slices in which an arm is expected to have fewer users are not tested."""
SHOW_ANYWAY = (
    "if the arms were to get other shares, name them with `shares`; `ignore_sample_ratio` shows the"
    " numbers anyway"
)
"""What to do where results are hidden; the command line writes its own options."""


def expected_shares(table: UserTable, shares: Mapping[str, float] | None) -> Floats:
    """Return the share of each arm of a table among those in the experiment."""
    return planned_shares(table.arms, shares)


def planned_shares(arms: Sequence[str], shares: Mapping[str, float] | None) -> Floats:
    """Return the share of each arm among those in the experiment; equal by default."""
    given = [1.0 if shares is None else float(shares[name]) for name in arms]
    if any(not share > 0 for share in given):
        raise UsageError("`shares` are above 0, such as control=0.99,treatment=0.01")
    return np.array(given) / sum(given)


def sample_ratio_p(counts: Ints, shares: Floats) -> float:
    """Return the p-value of the chi-square test of the counts."""
    from scipy.special import chdtrc

    expected = shares * counts.sum()
    statistic = float(((counts - expected) ** 2 / expected).sum())
    return float(chdtrc(len(counts) - 1, statistic))


def sample_ratio_table(table: UserTable, shares: Floats) -> pl.DataFrame:
    """Return the test of all users, of each day and of each slice.

    The p-values of days, and those of the slices of one column, are corrected by Holm's method.
    """
    parts = [_family(table, shares, "all", pl.Series(["all users"] * len(table)))]
    days = table.first_days()
    if days is not None:
        parts.append(_family(table, shares, "day", days))
    parts += [_family(table, shares, name, values) for name, values in table.segments.items()]
    return pl.concat(parts)


def _family(table: UserTable, shares: Floats, family: str, values: pl.Series) -> pl.DataFrame:
    rows = []
    for value in values.unique().sort().to_list():
        inside = (values == value).to_numpy()
        counts = np.bincount(table.arm[inside], minlength=len(table.arms))
        tested = float((shares * counts.sum()).min()) >= LEAST
        p = sample_ratio_p(counts, shares) if tested or family == "all" else float("nan")
        users = {f"users:{name}": int(n) for name, n in zip(table.arms, counts, strict=True)}
        rows.append({"family": family, "slice": str(value), **users, "p": p})
    return correct_family(pl.DataFrame(rows))


def correct_family(frame: pl.DataFrame) -> pl.DataFrame:
    """Return the tests of a family with corrected p-values and what follows from them."""
    corrected = pl.Series("p_corrected", adjust_p_values(frame["p"].to_numpy(), "holm"))
    status = (
        pl.when(pl.col("p_corrected") < HIDE)
        .then(pl.lit("broken"))
        .when(pl.col("p_corrected") < WARN)
        .then(pl.lit("warning"))
        .when(pl.col("p_corrected").is_nan())
        .then(pl.lit("too few users"))
        .otherwise(pl.lit("fine"))
    )
    return frame.with_columns(corrected).with_columns(status=status)


def sample_ratio_notes(frame: pl.DataFrame, hidden: bool) -> list[str]:
    """Return a sentence for each slice whose ratio is not as expected, and how to go on."""
    notes = []
    for row in frame.filter(pl.col("status").is_in(["broken", "warning"])).iter_rows(named=True):
        counts = ", ".join(
            f"{value:,} in {name.removeprefix('users:')}"
            for name, value in row.items()
            if name.startswith("users:")
        )
        where = "" if row["family"] == "all" else f" of {row['family']} {row['slice']}"
        notes.append(
            f"sample ratio{where}: {counts} (p = {row['p_corrected']:.2g}); find out why users are"
            " missing before you trust the numbers"
        )
    return [*notes, SHOW_ANYWAY] if hidden else notes
