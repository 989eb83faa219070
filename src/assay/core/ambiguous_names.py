"""What a name in a table can mean: a measure of one task or of several, and its bounds."""

from __future__ import annotations

import re
from contextlib import suppress

import numpy as np

from assay.core.arrays import Floats
from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.errors import AssayError
from assay.core.names import measure as measure_named


def measure_bounds(measure: str, task: str, values: Floats) -> tuple[float, float]:
    """Return the bounds of a measure that has these values; none where its name is unknown.

    A column of a table may hold percentages, or have the name of measures of several tasks: it has
    the widest bounds of these if all values lie within them, and none otherwise.
    """
    try:
        return measure_named(measure, task).definition.bounds
    except AssayError:
        alike = [each.bounds for each in matching_definitions(measure)]
    low = min((each[0] for each in alike), default=-np.inf)
    high = max((each[1] for each in alike), default=np.inf)
    known = values[~np.isnan(values)]
    return (low, high) if ((low <= known) & (known <= high)).all() else (-np.inf, np.inf)


def matching_definitions(measure: str) -> list[Definition]:
    """Return what a name can mean: one measure, those of several tasks, or none."""
    try:
        return [measure_named(measure).definition]
    except AssayError:
        head = re.split(r"[@(:]", measure, maxsplit=1)[0].strip()
    alike = [each for each in catalogue().values() if head in (each.key, *_name_heads(each))]
    return alike or _definitions_by_task(measure)


def _definitions_by_task(measure: str) -> list[Definition]:
    """Return what a name such as P_5 means in each task that has it."""
    found = []
    for task in dict.fromkeys(each.task for each in catalogue().values()):
        with suppress(AssayError):
            found.append(measure_named(measure, task).definition)
    return found


def _name_heads(definition: Definition) -> list[str]:
    return [definition.name, *(alias.partition("(")[0] for alias in definition.aliases)]
