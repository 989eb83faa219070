"""The profile ``sklearn``: where scikit-learn's conventions differ from ours, each one named.

A difference is a measure with the settings under which it gives scikit-learn's number. Whatever is
not named here is the same in both.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.errors import unknown_name
from assay.core.names import Measure

EPSILON = float(np.finfo(np.float64).eps)


@dataclass(frozen=True)
class ProfileDifference:
    """What must be set so that a measure gives scikit-learn's number, and why."""

    measure: str
    why: str
    settings: tuple[tuple[str, Any], ...] = ()
    undefined: float | None = None


DIFFERENCES = (
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
PROFILES = ("assay", "sklearn")


def apply_profile(asked: Sequence[Measure], profile: str) -> list[Measure]:
    """Return the measures with the settings of the profile, where the caller has not set them."""
    if profile not in PROFILES:
        raise unknown_name("profile", profile, PROFILES)
    return [_use_sklearn_settings(each) for each in asked] if profile == "sklearn" else list(asked)


def _use_sklearn_settings(measure: Measure) -> Measure:
    for each in DIFFERENCES:
        if each.measure == measure.definition.name:
            for name, value in each.settings:
                measure = measure.default(name, value)
            if measure.undefined is None:
                measure = replace(measure, undefined=each.undefined)
    return measure
