"""The slices of a sample: as units are labeled, or as the scores were measured by slice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

import numpy as np

from assay.engine.scores import Scores
from assay.statistics.differences.samples import Sample

AnySample = TypeVar("AnySample", bound=Sample)


def sample_slices(
    scores: Scores, sample: AnySample, labels: Mapping[str, str] | None
) -> Iterator[tuple[str, AnySample]]:
    """Yield each slice by name: those of the labels, or else those of the scores.

    The slices of scores may overlap, as those of two columns do.
    """
    if labels is not None:
        yield from sample.slices(labels)
        return
    for name, units in _slice_units(scores, sample).items():
        inside = np.asarray([unit in units for unit in sample.units], dtype=bool)
        if inside.any():
            yield name, sample.where(inside)


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
            for name, units in make(system).items():
                found[name].update(units)
    return found
