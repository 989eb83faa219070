"""Facts of a measure under its settings, and the grades that make a difference to it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.facts import Facts
from assay.core.names import Measure
from assay.measures.graded.gain import grade_gain, look_up_grades


@dataclass(frozen=True)
class Levels:
    """The least and the best grade that a hole may have, as far as a measure distinguishes them."""

    least: float
    best: float

    @property
    def both(self) -> Floats:
        """As an array."""
        return np.asarray([self.least, self.best])


def levels_of(known: Floats, measure: Measure) -> Levels | None:
    """Return the grades of the least and the most worth to the measure; None if none counts."""
    positive = known[known > 0]
    rel = setting(measure, "rel")
    if rel is not None and all(setting(measure, name) is None for name in ("gain", "gmax")):
        enough = positive[positive >= rel]
        return Levels(enough.max(), enough.max()) if len(enough) else None
    if not len(positive):
        return None
    worth = worth_of(positive, measure)
    some = worth > 0 if (worth > 0).any() else worth == worth
    seen, worth = positive[some], worth[some]
    return Levels(float(seen[worth.argmin()]), float(seen[worth.argmax()]))


def worth_of(grades: Floats, measure: Measure) -> Floats:
    """Return the gain of each grade, its worth in a table of ``gmax``, or else the grade itself."""
    gain, gmax = setting(measure, "gain"), setting(measure, "gmax")
    if gain is not None:
        return grade_gain(grades, gain)
    return look_up_grades(grades, gmax) if isinstance(gmax, tuple) else grades


def loses_by_a_grade(known: Floats, measure: Measure) -> bool:
    """Return whether some grade has a negative gain; then not even the measure's limits hold."""
    return bool((worth_of(known[known >= 0], measure) < 0).any())


def gains_at_zero(known: Floats, measure: Measure) -> bool:
    """Return whether a table gives some worth to grade 0 or to a lower one."""
    if setting(measure, "gain") is None and not isinstance(setting(measure, "gmax"), tuple):
        return False
    return bool(np.any(worth_of(np.append(known[known < 0], 0.0), measure) != 0))


def worth_is_monotone(known: Floats, measure: Measure) -> bool:
    """Return whether worth never falls with the grade, or never rises."""
    steps = np.diff(worth_of(np.union1d(known, 0.0), measure))
    return bool(np.all(steps >= 0) or np.all(steps <= 0))


def setting(measure: Measure, parameter: str) -> Any:
    """Return the value of a parameter; None if the measure has none of that name."""
    return getattr(measure.bound, parameter, None)


@cache
def facts_of(measure: Measure, grades: tuple[float, ...]) -> Facts:
    """Return the declared facts, without those that unusual settings or grades rule out.

    Of a condensed list (``judged_only``) nothing else is known: it is another list for each order
    of tied documents and for each judgment.
    """
    known = np.asarray(grades, dtype=np.float64)
    facts = measure.definition.facts.under(measure.bound, known)
    if measure.selections:
        return Facts(judgments_undefine=facts.judgments_undefine)
    rel = setting(measure, "rel")
    if (rel is not None and rel <= 0) or gains_at_zero(known, measure):
        facts = facts.but(unjudged_as_zero=False)
    return facts if worth_is_monotone(known, measure) else facts.but(rises_with_order=False)
