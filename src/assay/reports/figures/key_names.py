"""What the key of a figure calls each system, beside a value of it."""

from __future__ import annotations

from collections.abc import Mapping

from assay.formats.system_names import number_duplicates
from assay.reports.figures.lines_and_labels import KEY_LETTERS
from assay.reports.figures.plane import shorten_name


def key_names(values: Mapping[str, str]) -> dict[str, str]:
    """Return what a key shows for each name: as much of it as there is room for, and its value.

    Names that begin with the same letters are numbered.
    """
    room = KEY_LETTERS - max(map(len, values.values()), default=0)
    short = [shorten_name(name, room) for name in values]
    if len({*short}) < len(short):
        short = number_duplicates([shorten_name(name, room - len(" (1)")) for name in values])
    return {name: shown + values[name] for name, shown in zip(values, short, strict=True)}
