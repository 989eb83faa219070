"""Users who alone have most of the variance of an arm."""

from __future__ import annotations

import numpy as np

from assay.behavior.experiments.arm_values import UserValues
from assay.behavior.experiments.user_table import UserTable

SHARE = 0.5
"""A user with more of the sum of squares of an arm than this is an outlier."""
LEAST = 20
"""Arms with fewer users have no outliers."""


def outlier_notes(table: UserTable, found: UserValues) -> list[str]:
    """Return a note on each user who has most of the variance of an arm."""
    if found.outcome.kind not in ("mean", "ratio"):
        return []
    notes = []
    for arm, name in enumerate(table.arms):
        inside = np.flatnonzero(table.arm == arm)
        values = found.values[inside]
        squares = (values - values.mean()) ** 2
        if len(values) < LEAST or not squares.sum() > 0:
            continue
        top = int(np.argmax(squares))
        share = float(squares[top] / squares.sum())
        if share > SHARE:
            next_one = float(np.delete(values, top).max())
            notes.append(
                f"{found.outcome.name}: user '{table.users[inside[top]]}' of {name} has"
                f" {values[top]:,.6g} (next {next_one:,.6g}), {share:.0%} of the variance of that"
                f" arm; check this user, or use winsorized({found.outcome.column})"
            )
    return notes
