"""What a measure looks at, told by small rankings: nothing of it is declared."""

from __future__ import annotations

from functools import cache

import numpy as np

from assay.core.names import Measure
from assay.evidence.drawing import rankings as drawn
from assay.evidence.rankings import Rankings

SLACK = 1e-12
"""Numbers that differ by less are the same."""
PROBES = ("?+?-|+", "2??1|3", "-?3?0|", "+??|", "??+1|2-", "?1-2?|33", "+-+?|", "?-?+?|", "+?3|3")
"""Rankings with a few holes."""
OPEN = ("?-?|", "-?|-", "??--?|", "?|", "-?-?|--", "1?-?|1", "??|2", "-??|", "2-??|")
"""Rankings of which nothing relevant is known, to a measure that asks for grades above these."""


@cache
def ignores_pool(measure: Measure) -> bool:
    """Whether only the list matters to the measure, not what else is known to be relevant."""
    more = [word + "+3" * 6 for word in PROBES if set(word) & set("+123")]
    few = [word for word in PROBES if set(word) & set("+123")]
    values, others = measure(drawn(*few)), measure(drawn(*more))
    same = np.allclose(values, others, rtol=0, atol=SLACK, equal_nan=True)
    # A measure that needs to know more than these rankings tell says nothing by its silence.
    return bool(same and not np.isnan(values).all())


@cache
def ignores_judging(measure: Measure) -> bool:
    """Whether documents of grade 0 and unjudged ones are the same to the measure."""
    values = [measure(each) for each in _judged_otherwise()]
    return all(
        np.allclose(each, values[0], rtol=0, atol=SLACK, equal_nan=True) for each in values[1:]
    )


@cache
def _judged_otherwise() -> tuple[Rankings, ...]:
    """The small rankings as they are, with all holes judged, and with all of grade 0 unjudged."""
    changes = (("?", "?"), ("?", "-"), ("-", "?"))
    return tuple(drawn(*[word.replace(*change) for word in PROBES]) for change in changes)
