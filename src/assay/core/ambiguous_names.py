"""What a name in a table can mean: a measure of one task or of several, and its bounds."""

from __future__ import annotations

import re
import unicodedata
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
    the widest bounds of these if all values lie within them, and none otherwise. scikit-learn
    negates losses, and so their bounds.
    """
    try:
        return measure_named(measure, task).definition.bounds
    except AssayError:
        alike = matching_definitions(measure)
    low = min((each.bounds[0] for each in alike), default=-np.inf)
    high = max((each.bounds[1] for each in alike), default=np.inf)
    known, negated = values[~np.isnan(values)], all(each.better == "lower" for each in alike)
    for ends in ((low, high), *([(-high, -low)] if negated else [])):
        if ((ends[0] <= known) & (known <= ends[1])).all():
            return ends
    return -np.inf, np.inf


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


FILLERS = frozenset({"a", "the", "of", "s", "index", "measure", "score", "coefficient"})
"""Words that do not tell one measure from another."""
GREEK = str.maketrans({"α": "alpha", "κ": "kappa", "π": "pi", "ρ": "rho", "τ": "tau"})


def definitions_in_words(words: str) -> list[Definition]:
    """Return the measures that are called so in words, such as "break-even point"; or none.

    Where no label, name or alias has just these words, the longest labels within them are taken
    ("mean average precision"), or else the labels that contain them.
    """
    asked, known = _words(words), list(catalogue().values())
    called = {
        each.key: [_words(name) for name in (each.label, *_name_heads(each))] for each in known
    }
    if same := [each for each in known if asked in called[each.key]]:
        return same
    labels = {each.key: called[each.key][0] for each in known}
    longest = max((len(each) for each in labels.values() if each <= asked), default=0)
    if longest:
        return [
            each for each in known if labels[each.key] <= asked and len(labels[each.key]) == longest
        ]
    return [each for each in known if asked <= labels[each.key]] if asked else []


def _words(text: str) -> frozenset[str]:
    """Return the words of a name without case, accents and fillers; any number is k."""
    plain = unicodedata.normalize("NFKD", text.casefold().translate(GREEK))
    found = re.findall(r"[^\W\d_]+|\d+", "".join(c for c in plain if not unicodedata.combining(c)))
    return frozenset("k" if each.isdigit() else each for each in found) - FILLERS
