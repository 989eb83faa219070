"""The slices of a sample: as units are labeled, or as the scores were measured by slice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from assay.core.errors import DataError
from assay.core.phrases import list_phrase
from assay.engine.scores import Scores
from assay.statistics.differences.samples import Sample

AnySample = TypeVar("AnySample", bound=Sample)


@dataclass(frozen=True)
class SliceRules:
    """Which slices of a sample are looked at."""

    labels: Mapping[str, str] | None = None
    """The slice of each unit; the scores have slices of their own where there are none."""
    min_size: int = 1
    """The fewest units of a slice."""

    def parts(self, scores: Scores, sample: AnySample) -> list[tuple[str, AnySample]]:
        """Return the slices that are large enough, by name."""
        found = _all_slices(scores, sample, self.labels)
        return [(name, part) for name, part in found if len(part) >= self.min_size]

    def notes(self, scores: Scores, sample: Sample) -> list[str]:
        """Return a note on the slices that are too small."""
        found = _all_slices(scores, sample, self.labels)
        return small_slice_notes({name: len(part) for name, part in found}, self.min_size)


LEFT_OUT = ("slices left out", "every slice is left out")
"""How notes on slices that are too small begin."""


def small_slice_notes(sizes: Mapping[str, int], min_size: int) -> list[str]:
    """Return a note on the slices with fewer units, which says if those are all."""
    small = [f"{name} ({size})" for name, size in sizes.items() if size < min_size]
    if not small:
        return []
    begin = LEFT_OUT[len(small) == len(sizes)]
    return [f"{begin}, with fewer than {min_size} units: {list_phrase(small)}"]


def _all_slices(
    scores: Scores, sample: AnySample, labels: Mapping[str, str] | None
) -> Iterator[tuple[str, AnySample]]:
    """Yield each slice by name: those of the labels, or else those of the scores.

    The slices of scores may overlap, as those of two columns do.
    """
    if labels is not None:
        _require_labels(sample, labels)
        yield from sample.slices(labels)
        return
    for name, units in _slice_units(scores, sample).items():
        inside = np.asarray([unit in units for unit in sample.units], dtype=bool)
        if inside.any():
            yield name, sample.where(inside)


def _require_labels(sample: Sample, labels: Mapping[str, str]) -> None:
    """Raise an error where no unit has a slice: the names of the units are other ones."""
    if sample.units and labels.keys().isdisjoint(sample.units):
        raise DataError(
            f"no {sample.unit_kind} is in a slice: measured were {list_phrase(sample.units)}, and"
            f" slices are known of {list_phrase(list(labels))}; are these the names of the units?"
        )


def _slice_units(scores: Scores, sample: Sample) -> dict[str, set[str]]:
    """Return the units of each slice that some system has."""
    found: dict[str, set[str]] = {name: set() for name in scores.slices}
    for each in scores.results:
        alike = (each.measure, each.unit_kind) == (sample.measure, sample.unit_kind)
        if each.slice in found and alike:
            found[each.slice].update(each.units)
    make = getattr(scores.origin, "slice_units", None)
    if make is not None and not any(found.values()):
        for system in sample.systems:
            for name in found.keys() & (made := make(system)).keys():
                found[name].update(made[name])
    return found
