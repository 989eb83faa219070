"""Where trec_eval's way of saying something, or of rounding it off, is not ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import BadParameter
from assay.evidence.views.rankings import Rankings

SettingPairs: TypeAlias = dict[str, float]
"""What is written as key=number: gains by grade, and the p of rbp."""


def utility(*worth: float) -> str:
    """The worth of the four kinds of document, in trec_eval's order."""
    if len(worth) != 4:
        raise BadParameter("-m utility takes 4 numbers, such as utility.1,-1,0,0")
    return "utility(tp={!r},fp={!r},fn={!r},tn={!r})".format(*worth)


def set_f(*weights: float) -> str:
    """The square of beta; further numbers are passed over."""
    return f"set_F@{weights[0]!r}"


def eleven_points(*levels: float) -> str:
    """Recalls, whatever their number."""
    return f"11pt_avg(levels={{{','.join(map(repr, levels))}}})"


def rbp(pairs: SettingPairs, grades: Sequence[float]) -> str:
    """The persistence p, and perhaps gains."""
    table = _gains(pairs, grades)
    if any(not 0 <= worth <= 1 for worth in table.values()):
        raise BadParameter(
            "-m rbp: gains are shares between 0 and 1, and each grade of the judgments needs one;"
            f" here they would be {', '.join(f'{g:g}={w:g}' for g, w in table.items())}"
        )
    return f"RBP(p={pairs.get('p', 0.9)!r},gmax={_format_number(table) if table else 'topic'})"


def rbp_residual(pairs: SettingPairs, grades: Sequence[float]) -> str:
    """The persistence p."""
    return f"RBP_residual(p={pairs.get('p', 0.9)!r})"


def measure_with_gains(name: str) -> Callable[[SettingPairs, Sequence[float]], str]:
    """A measure of that name with gains; a grade for which none is given is worth itself."""

    def means(pairs: SettingPairs, grades: Sequence[float]) -> str:
        table = _gains(pairs, grades)
        return f"{name}(gain={_format_number(table)})" if table else name

    return means


def _gains(pairs: SettingPairs, grades: Sequence[float]) -> dict[float, float]:
    given = {float(key): worth for key, worth in pairs.items() if key.lstrip("+-").isdigit()}
    itself = {grade: grade for grade in grades if grade >= 0}
    return dict(sorted((itself | given).items())) if given else {}


def _format_number(table: dict[float, float]) -> str:
    return f"{{{','.join(f'{grade!r}:{worth!r}' for grade, worth in table.items())}}}"


def rbp_residual_if_unjudged(rankings: Rankings, values: Floats, level: int) -> Floats:
    """trec_eval knows no residual where all that was retrieved is judged, although lists end."""
    return np.where(rankings.judged().count < rankings.retrieved, values, 0.0)
