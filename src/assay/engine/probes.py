"""What a measure looks at, told by small rankings: nothing of it is declared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np

from assay.core.arrays import Floats
from assay.core.names import Measure
from assay.engine.scales import Scale, graded, usual_scale
from assay.evidence.drawing import rankings as drawn
from assay.evidence.rankings import Hits, Rankings

SLACK = 1e-12
"""Numbers that differ by less are the same."""
PROBES = ("?+?-|+", "2??1|3", "-?3?0|", "+??|", "??+1|2-", "?1-2?|33", "+-+?|", "?-?+?|", "+?3|3")
"""Rankings with a few holes."""
OPEN = ("?-?|", "-?|-", "??--?|", "?|", "-?-?|--", "1?-?|1", "??|2", "-??|", "2-??|")
"""Rankings of which nothing relevant is known, to a measure that asks for grades above these."""
LISTS = (
    "+-2+|3",
    "?3-1|",
    "2?+|2",
    "123|+",
    "-+?2|",
    "+-+-+|+",
    "++|33",
    "?-|2",
    "0213|332",
    "-+3+-2|+++33",
    "-33-|3333333333",
)
"""Rankings with different grades in different places."""
TIED = ("+-2|3", "3?1-|", "22-?|+", "?+3-|2", "1-?|")
"""Rankings whose documents are to be put in every order."""


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


@cache
def additive(measure: Measure) -> bool:
    """Whether the value is the sum of what each document brings at its rank, by itself."""
    return all(_adds_up(measure, drawn(word)) for word in LISTS)


def _adds_up(measure: Measure, view: Rankings) -> bool:
    whole = measure(view)[0]
    alone = [measure(_only(view, place))[0] for place in range(len(view.hits.rank))]
    return bool(np.isnan(whole)) or abs(sum(alone) - whole) < SLACK


def _only(view: Rankings, place: int) -> Rankings:
    one = slice(place, place + 1)
    hits = Hits(np.asarray([0, 1]), view.hits.rank[one], view.hits.grade[one])
    return replace(view, hits=hits, tie_first=hits.rank, tie_last=hits.rank, row=view.row[one])


@cache
def sorts(measure: Measure) -> bool:
    """Whether ties sorted by grade give the extremes: small cases are tried in every order."""
    exempt = any(each.law == "promotion" for each in measure.definition.exempt)
    return not exempt and ignores_judging(measure) and all(_between(measure, w) for w in TIED)


def _between(measure: Measure, word: str) -> bool:
    listed, _, rest = word.partition("|")
    marks = sorted(listed, key="?-+123".index)
    values = measure(drawn(*[f"{''.join(each)}|{rest}" for each in permutations(marks)]))
    ends = ("".join(marks), "".join(marks[::-1]))
    low, high = sorted(measure(drawn(f"{each}|{rest}"))[0] for each in ends)
    inside = (values >= low - SLACK) & (values <= high + SLACK)
    return bool(np.all(inside | np.isnan(values)))
