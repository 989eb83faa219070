"""Facts about a ranking measure, declared beside its formula; bounds and ties rely on them.

A fact holds always (True), never (False), or under a condition: a function of the measure's
settings and of the grades that occur. The laws check each fact on all small rankings.
"""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

from assay.core.arrays import Bools, Floats
from assay.core.frozen_dataclass import dataclass, fields, replace

Settings: TypeAlias = Any
"""The parameters of a measure with their values, as attributes."""
NO_SETTINGS = SimpleNamespace()
Range: TypeAlias = tuple[Floats, Floats, Bools | bool]
"""The lowest and highest value of each unit, and where both are attained (else outer bounds)."""
Condition: TypeAlias = Callable[[Settings, Floats], bool]
Fact: TypeAlias = bool | Condition


@dataclass(frozen=True)
class Facts:
    """Known properties of a ranking measure. A property that is not declared is not used."""

    unjudged_as_zero: Fact = False
    """An unjudged document counts the same as one of grade 0 or less."""
    sum_over_documents: Fact = False
    """The value is a sum of one term per document, which does not depend on the others listed."""
    fixed_weights: Fact = False
    """Each term is a weight for grade and rank, times a factor of the pool and list length."""
    ignores_pool: Fact = False
    """Where the measure is defined, judged documents outside the list do not change its value."""
    rises_with_order: Fact = False
    """Exchanging a document with a better one right below it moves the value in one direction."""
    rises_with_grades: Fact = False
    """Better grades in the list never lower the value; better ones in the pool never raise it."""
    falls_with_pool: Fact = False
    """More relevant documents in the pool never raise the value."""
    judgments_undefine: Fact = False
    """Judging a document can leave a query undefined that has a value."""
    reads_below_cutoff: Fact = False
    """Documents below the cutoff can change the value."""

    def but(self, **changes: Fact) -> Facts:
        """Return the same facts with some of them changed."""
        return replace(self, **changes)

    def under(self, settings: Settings, grades: Floats) -> Facts:
        """Return each fact as True or False, for these settings and grades."""
        stated = {each.name: getattr(self, each.name) for each in fields(self)}
        return Facts(
            **{
                name: bool(fact(settings, grades)) if callable(fact) else fact
                for name, fact in stated.items()
            }
        )


NOTHING_KNOWN = Facts()
MONOTONE = Facts(
    unjudged_as_zero=True, rises_with_order=True, rises_with_grades=True, falls_with_pool=True
)
"""The facts of most measures that reward relevant documents near the top."""
WEIGHTED_SUM = MONOTONE.but(sum_over_documents=True, fixed_weights=True)
"""The facts of precision, recall, nDCG and others that add up a weight for each document."""


def only_first_rank(settings: Settings, grades: Floats) -> bool:
    """Return whether the cutoff leaves a single document, which trivially is a sum."""
    return bool(settings.cutoff == 1)
