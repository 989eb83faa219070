"""Profiles of tables of items, by name: the measures for which another tool has other conventions.

A difference is a measure with the settings under which it gives that tool's number. Whatever is
not named is the same. Profiles of rankings are in ``core/profiles.py``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.errors import unknown_name
from assay.core.names import Measure

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class ProfileDifference:
    """What must be set so that a measure gives the number of the other tool, and why."""

    measure: str
    why: str
    settings: tuple[tuple[str, Any], ...] = ()
    undefined: float | None = None


_SKLEARN = (
    ProfileDifference(
        "PPV", "the precision of a class that is never predicted is 0", undefined=0.0
    ),
    ProfileDifference("TPR", "the recall of a class that never occurs is 0", undefined=0.0),
    ProfileDifference(
        "F", "F counts TP, FP and FN, and is 0 without any", (("form", "count"),), 0.0
    ),
    ProfileDifference("Jaccard", "the index of two empty sets is 0", undefined=0.0),
    ProfileDifference("MCC", "the correlation with a constant is 0", undefined=0.0),
    ProfileDifference("AP", "the average precision without a positive item is 0", undefined=0.0),
    ProfileDifference(
        "LogLoss", "probabilities are cut at the epsilon of float64", (("clip", EPSILON),)
    ),
    ProfileDifference(
        "D2_LogLoss", "probabilities are cut at the epsilon of float64", (("clip", EPSILON),)
    ),
    ProfileDifference(
        "D2_AE", "with a constant truth it is 1 if it is met, otherwise 0", (("finite", True),)
    ),
    ProfileDifference(
        "R2", "with a constant truth R² is 1 if it is met, otherwise 0", (("finite", True),)
    ),
    ProfileDifference(
        "EV", "with a constant truth it is 1 if it is met, otherwise 0", (("finite", True),)
    ),
    ProfileDifference("MAPE", "a true 0 counts as the epsilon of float64", (("floor", EPSILON),)),
)
TABLE_PROFILES: Mapping[str, tuple[ProfileDifference, ...]] = {"assay": (), "sklearn": _SKLEARN}


def apply_profile(asked: Sequence[Measure], profile: str) -> list[Measure]:
    """Return the measures with the settings of the profile, where the caller has not set them."""
    if profile not in TABLE_PROFILES:
        raise unknown_name("profile", profile, TABLE_PROFILES)
    settings = {each.measure: each for each in TABLE_PROFILES[profile]}
    return [_set(each, settings.get(each.definition.name)) for each in asked]


def _set(measure: Measure, difference: ProfileDifference | None) -> Measure:
    if difference is None:
        return measure
    for name, value in difference.settings:
        measure = measure.default(name, value)
    return (
        measure
        if measure.undefined is not None
        else replace(measure, undefined=difference.undefined)
    )
