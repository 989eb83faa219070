"""Scales: the grades that a measure tells apart, and small rankings that have them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.core.arrays import Floats
from assay.core.names import Measure
from assay.evidence.drawing import rankings as drawn
from assay.evidence.views.rankings import Hits, Rankings
from assay.measures.graded.gain import grade_gain, look_up_grades

Scale = tuple[float, float, float]
"""Grades above 0, rising, which stand for the marks 1 (or +), 2 and 3 of drawn rankings."""
CORPUS = 60
"""So many documents has the collection of small rankings."""


@dataclass(frozen=True)
class Levels:
    """The grades that a hole may have, as far as a measure tells them apart."""

    least: float
    best: float

    @property
    def both(self) -> Floats:
        """As an array."""
        return np.asarray([self.least, self.best])


def levels_of(known: Floats, measure: Measure) -> Levels | None:
    """The grades of the least and the most worth to the measure; None if it sees none."""
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
    """What grades gain, or are worth by a table of ``gmax``; themselves where nothing is said."""
    gain, gmax = setting(measure, "gain"), setting(measure, "gmax")
    if gain is not None:
        return grade_gain(grades, gain)
    return look_up_grades(grades, gmax) if isinstance(gmax, tuple) else grades


def loses_by_a_grade(known: Floats, measure: Measure) -> bool:
    """Whether some grade is worth less than nothing; then not even the measure's limits hold."""
    return bool((worth_of(known[known >= 0], measure) < 0).any())


def scale_of(known: Floats, measure: Measure) -> Scale:
    """Three of the known grades: the levels, the first that is relevant, the least, the best."""
    levels, positive = levels_of(known, measure), known[known > 0]
    if levels is None:
        return usual_scale(measure)
    relevant = positive[positive >= (setting(measure, "rel") or 0)]
    wished = [levels.best, levels.least, *relevant[:1], positive.min(), positive.max(), *positive]
    three = sorted(list(dict.fromkeys(float(each) for each in wished))[:3])
    return (three[0], three[len(three) // 2], three[-1])


def usual_scale(measure: Measure) -> Scale:
    """1, 2 and 3, unless the measure asks for higher grades."""
    rel = setting(measure, "rel") or 1
    return (1.0, 2.0, 3.0) if rel <= 3 else (1.0, float(rel), rel + 1.0)


def graded(words: tuple[str, ...], scale: Scale) -> Rankings:
    """Drawn rankings in their order, with the grades of the scale."""
    view = drawn(corpus=CORPUS, **{f"{number:05d}": word for number, word in enumerate(words)})
    return replace(view, hits=_with(view.hits, scale), pool=_with(view.pool, scale))


def _with(hits: Hits, scale: Scale) -> Hits:
    return replace(hits, grade=np.asarray((0.0, *scale))[hits.grade.astype(np.int64)])


def setting(measure: Measure, parameter: str) -> Any:
    """The value of a parameter, given or by default; None if the measure has none of that name."""
    declared = {each.name: each.default for each in measure.definition.parameters}
    return dict(measure.settings).get(parameter, declared.get(parameter))
