"""What a measure looks at, told by small rankings: nothing of it is declared."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np

from assay.core.arrays import Floats
from assay.core.names import Measure
from assay.engine.scales import Scale, graded, usual_scale
from assay.evidence.views.rankings import Rankings

SLACK = 1e-12
"""Numbers that differ by less are the same."""
PROBES = ("?+?-|+", "2??1|3", "-?3?0|", "+??|", "??+1|2-", "?1-2?|33", "+-+?|", "?-?+?|", "+?3|3")
"""Rankings with a few holes."""
OPEN = ("?-?|", "-?|-", "??--?|", "?|", "-?-?|--", "1?-?|1", "??|2", "-??|", "2-??|")
"""Rankings of which nothing relevant is known, to a measure that asks for grades above these."""


@cache
def ignores_pool(measure: Measure, scale: Scale | None = None) -> bool:
    """Whether only the list matters to the measure, not what else is known to be relevant."""
    few = tuple(word for word in PROBES if set(word) & set("+123"))
    more = tuple(word + "+3" * 6 for word in few)
    scale = scale or usual_scale(measure)
    return _agree([measure(graded(words, scale)) for words in (few, more)])


@cache
def ignores_judging(measure: Measure, scale: Scale | None = None) -> bool:
    """Whether documents of grade 0 and unjudged ones are the same to the measure."""
    views = _judged_otherwise(scale or usual_scale(measure))
    return _agree([measure(each) for each in views])


def _agree(values: Sequence[Floats]) -> bool:
    """Whether all are the same; a measure that is undefined in all tells nothing by its silence."""
    return not np.isnan(values[0]).all() and all(
        np.allclose(each, values[0], rtol=0, atol=SLACK, equal_nan=True) for each in values[1:]
    )


@cache
def _judged_otherwise(scale: Scale) -> tuple[Rankings, ...]:
    """The small rankings as they are, with all holes judged, and with all of grade 0 unjudged."""
    changes = (("?", "?"), ("?", "-"), ("-", "?"))
    return tuple(
        graded(tuple(word.replace(*change) for word in PROBES), scale) for change in changes
    )
