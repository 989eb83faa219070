"""Formula values: what a formula yields for some units, wherever it was computed; parts add up.

This is what engines share. The local engine computes the values of a whole view, others compute
those of its parts, on this machine or on many, and join them: policies for undefined values and the
summary over all units come afterwards, in ``engine/local.py``, the same for all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Self

import numpy as np

from assay.core.arrays import Bools, Floats, Ints
from assay.core.definition import Ratio
from assay.core.errors import NeedsInput
from assay.core.frozen_dataclass import dataclass, field, replace
from assay.core.names import Measure
from assay.evidence.views.view import View


@dataclass(frozen=True)
class FormulaValues:
    """What one formula yields for some units, before any policy."""

    parts: Floats | Ratio
    undefined_for_ideal: Bools
    """Units for which even a perfect system has no value, among those that are undefined."""
    overflow: bool
    """Whether a number became too large."""

    @classmethod
    def joined(cls, pieces: Sequence[Self]) -> Self:
        """Return the values of all units of several pieces, in that order."""
        parts = [piece.parts for piece in pieces]
        ratios = [each for each in parts if isinstance(each, Ratio)]
        plain = [each for each in parts if not isinstance(each, Ratio)]
        joined = _join_ratios(ratios) if ratios else np.concatenate(plain)
        return cls(
            joined,
            np.concatenate([piece.undefined_for_ideal for piece in pieces]),
            any(piece.overflow for piece in pieces),
        )

    def take(self, chosen: Ints) -> Self:
        """Return the values of some of the units, in that order."""
        return replace(
            self,
            parts=self.parts[chosen],
            undefined_for_ideal=self.undefined_for_ideal[chosen],
        )


def _join_ratios(ratios: Sequence[Ratio]) -> Ratio:
    undefined = None
    if any(each.undefined is not None for each in ratios):
        undefined = np.concatenate(
            [
                np.zeros(len(each.numerator), bool) if each.undefined is None else each.undefined
                for each in ratios
            ]
        )
    return Ratio(
        np.concatenate([each.numerator for each in ratios]),
        np.concatenate([each.denominator for each in ratios]),
        undefined,
    )


@dataclass(frozen=True)
class MeasuredQueries(View):
    """Queries whose values were computed elsewhere: a view for the measures that are known."""

    unit_kind: ClassVar[str] = "query"

    queries: tuple[str, ...]
    values: Mapping[Measure, FormulaValues] = field(default_factory=dict)
    missing: Bools = field(default_factory=lambda: np.zeros(0, dtype=bool))

    @property
    def units(self) -> tuple[str, ...]:
        """The queries, in bytewise order."""
        return self.queries

    def take(self, chosen: Ints) -> Self:
        """Return some of the queries, in that order."""
        places = np.asarray(chosen, dtype=np.int64)
        return replace(
            self,
            queries=tuple(self.queries[place] for place in places.tolist()),
            missing=self.missing[places],
            values={measure: each.take(places) for measure, each in self.values.items()},
        )

    def values_of(self, measure: Measure) -> FormulaValues:
        """Return the values of a measure; refuse one that was not computed."""
        if measure not in self.values:
            raise NeedsInput(
                f"{measure} was not computed where the runs are; ask for it with the others, or"
                " evaluate the runs on this machine"
            )
        return self.values[measure]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        raise NeedsInput(
            f"the documents of these rankings are not on this machine ('{name}' is needed); read"
            " the runs from files for this"
        )
