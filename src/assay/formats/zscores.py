"""Reference values for z-scores: lines of query, measure, mean and standard deviation."""

from __future__ import annotations

from pathlib import Path
from typing import TypeAlias

from assay.core.errors import FormatError
from assay.formats.files import read_bytes

References: TypeAlias = dict[tuple[str, str], tuple[float, float]]
"""The mean and the standard deviation for a query and a measure."""


def read_zscores(path: str | Path) -> References:
    """The reference values of a file as trec_eval's ``-Z`` takes it."""
    content, _ = read_bytes(path)
    references: References = {}
    for line, text in enumerate(content.decode(errors="replace").splitlines(), 1):
        fields = text.split()
        if not fields or fields[0].startswith("#"):
            continue
        if len(fields) != 4:
            raise FormatError(
                f"{len(fields)} fields where 4 are expected;"
                " a line is: query, measure, mean, standard deviation",
                str(path),
                line,
            )
        query, measure, *numbers = fields
        try:
            mean, deviation = map(float, numbers)
        except ValueError:
            raise FormatError(
                f"'{numbers[0]}' and '{numbers[1]}' should be two numbers,"
                " the mean and the standard deviation",
                str(path),
                line,
            ) from None
        references[query, measure] = mean, deviation
    return references
