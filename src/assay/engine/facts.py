"""The facts that hold for a measure with its settings, where certain grades occur."""

from __future__ import annotations

from functools import cache

import numpy as np

from assay.core.facts import Facts
from assay.core.names import Measure
from assay.engine.grade_levels import gains_at_zero, setting, worth_is_monotone


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
