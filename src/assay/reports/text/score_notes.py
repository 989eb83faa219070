"""Notes below tables: how intervals were computed, what is undefined, files of systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from assay.core.catalogue import catalogue
from assay.core.closed_form_intervals import FEW_OUTCOMES
from assay.core.errors import AssayError
from assay.core.names import measure as measure_named
from assay.core.phrases import pluralize, quantity
from assay.engine.result import ALL
from assay.engine.scores import Scores
from assay.formats.system_names import candidate_names
from assay.statistics.intervals.interval_settings import (
    ALL_POINTS,
    ALL_REJECTED,
    AT_BOUND_METHOD,
    BIASED,
    CLOSED_FORM,
    EXACT_SHARE,
    FEW_PER_CELL,
    FEW_UNITS,
    METHODS,
    NO_SPREAD,
    NO_WIDTH,
    OF_RANKS,
    RARE_OUTCOMES,
    TOO_FEW,
)
from assay.statistics.intervals.ratio_intervals import MOST_FEW_UNITS

_SAID = {
    AT_BOUND_METHOD: "all at a bound, so that no resample differs: Wilson's interval",
    NO_WIDTH: "no resample differs, so that there is no interval",
    FEW_UNITS: f"at most {MOST_FEW_UNITS} units: Student's t at a fifth of the probability of"
    " error",
    EXACT_SHARE: f"0-1 values of at most {MOST_FEW_UNITS} units: Clopper and Pearson's exact"
    " interval",
    RARE_OUTCOMES: f"fewer than {FEW_OUTCOMES} successes or failures: Wilson's interval",
    BIASED: "noise alone moves this value in a sample (a maximum or a mean of absolute gaps), so"
    " that there is no interval",
    ALL_POINTS: "computed from all points at once, so that there is no interval",
    FEW_PER_CELL: "fewer than 5 items for each pair of cluster and class (6 for MI and VI), so that"
    " there is no interval: entropies of so few are too biased",
    TOO_FEW: "with so few units (ties left out) the test rejects nothing at this level, so that"
    " there is no interval",
    NO_SPREAD: "most differences that the test compares are equal, so that its interval has no"
    " width and is not shown",
    ALL_REJECTED: "the test rejects every shift of the differences, so that there is no interval",
    OF_RANKS: "the test compares ranks, so that there is no interval of the difference",
}
REMARKS = frozenset(_SAID)
"""The methods that have a remark of their own."""
VERY_FEW = 5
"""With fewer units a note says so."""


def width_notes(made: Iterable[tuple[str, str, str]], systems: int) -> list[str]:
    """Return a line for each unusual method, from measure, system and method of each interval.

    The systems are named if there are several.
    """
    found: dict[str, dict[str, list[str]]] = {}
    for measure, system, method in made:
        if method in _SAID:
            found.setdefault(method, {}).setdefault(measure, []).append(system)
    return [
        f"{', '.join(_about(each, found[method], systems) for each in found[method])}: {said}"
        for method, said in _SAID.items()
        if method in found
    ]


def _about(measure: str, by_measure: dict[str, list[str]], systems: int) -> str:
    first, *others = dict.fromkeys(by_measure[measure])
    more = f" and {len(others)} more" if others else ""
    return measure if systems == 1 else f"{measure} of {first}{more}"


def very_few_notes(counts: Iterable[tuple[str, int, str]]) -> list[str]:
    """Return a line for each number of units below five, from measure, units and their kind."""
    found: dict[str, list[str]] = {}
    for measure, units, kind in counts:
        if 0 < units < VERY_FEW:
            found.setdefault(quantity(units, kind), []).append(measure)
    return [
        f"{', '.join(dict.fromkeys(measures))}: only {units}; with fewer than {VERY_FEW} intervals"
        " and tests can show little"
        for units, measures in found.items()
    ]


MOST_FILES = 5
"""At most this many files are named; the conventions in JSON have all of them."""


def system_file_notes(conventions: Mapping[str, Any]) -> list[str]:
    """Return a line on the systems whose names differ from those of their files."""
    sources: Mapping[str, str] = conventions.get("sources") or {}
    if len(sources) < 2:  # The table of one system does not have its name.
        return []
    renamed = [
        f"{name} = {file}"
        for name, file in sources.items()
        if name != Path(file).stem and name not in candidate_names(file)
    ]
    more = f" and {len(renamed) - MOST_FILES} more" if len(renamed) > MOST_FILES else ""
    return [f"files: {', '.join(renamed[:MOST_FILES])}{more}"] if renamed else []


def score_notes(scores: Scores) -> list[str]:
    """Return the notes below a table: intervals, and what is undefined."""
    return [
        *positive_notes(scores),
        *decision_notes(scores),
        *system_file_notes(scores.conventions),
        *interval_notes(scores),
        *undefined_notes(scores),
    ]


def decision_notes(scores: Scores) -> list[str]:
    """Return how classes were predicted, if probabilities decided and a measure sees them."""
    decided = scores.conventions.get("decided_by")
    if decided is None:
        return []
    if scores.task == "labelsets":
        return [f"predicted labels: those with a {decided}"]
    if scores.task == "classification" and not any(map(_sees_classes, scores.measures)):
        return []
    return [f"predicted class: the one with the {decided}"]


def _sees_classes(name: str) -> bool:
    """Return whether a measure depends on the predicted classes, or its name is not known."""
    from assay.evidence.views.confusion import Confusion

    try:
        return measure_named(name, "classification").definition.view is Confusion
    except AssayError:
        return True


def positive_notes(scores: Scores) -> list[str]:
    """Return the positive class, and a warning where its scores seem to be reversed."""
    positive = scores.conventions.get("positive")
    if positive is None:
        return []
    decided = scores.conventions.get("decided_at")
    at = "" if decided is None else f", if the score is at or above {decided:g}"
    said = [f"positive class: '{positive}' (`positive` names another){at}"]
    by_chance = {
        each.name: each.chance for each in catalogue().search(scores.task, "chance=").values()
    }
    below = {
        each.measure: chance
        for each in scores.results
        if (chance := by_chance.get(each.measure)) is not None
        and (each.high < chance or (each.interval == NO_WIDTH and each.value < chance))
    }
    return said + [
        f"{name} is surely below {f'{chance:g}'.removeprefix('0')}:"
        f" is '{positive}' the class with the higher scores?"
        for name, chance in below.items()
    ]


def interval_notes(scores: Scores) -> list[str]:
    """Return how the intervals were computed."""
    interval = scores.conventions.get("interval")
    if not interval:
        return []
    used = {each.interval for each in scores.results} - {""}
    made = f", {_interval_method(scores, interval)}" if not used or used - REMARKS else ""
    counts = (
        (each.measure, int(np.count_nonzero(~np.isnan(each.values))), each.unit_kind)
        for each in scores.results
        if each.slice == ALL and each.unit_kind in _SAMPLED and each.aggregate != "whole"
        if (each.unit_kind, len(each.units)) != ("group", 1)  # Its items are the sample.
    )
    return [
        f"[low, high]: {100 * interval['confidence']:g}% interval{made}",
        *very_few_notes(counts),
        *_method_exceptions(scores, interval),
    ]


_SAMPLED = ("query", "item", "fold", "unit", "group")
"""Units that are a sample: of a few of them little can be said."""


def undefined_notes(scores: Scores) -> list[str]:
    """Return for how many units a measure is undefined, and why."""
    notes = (
        f"{each.system}: {each.measure} is undefined for {count} of {len(each.units)}"
        f" {pluralize(each.unit_kind)}: {reason}"
        for each in scores.results
        if each.slice == ALL
        for reason, count in each.undefined.items()
    )
    return list(dict.fromkeys(notes))


def _interval_method(scores: Scores, interval: Mapping[str, Any]) -> str:
    """Return how intervals are made that have no remark of their own."""
    if "resamples" not in interval:
        return str(interval["method"])
    sampled = f"{interval['resamples']} bootstrap resamples of the {_sampled_units(scores)}"
    return f"{sampled}, seed {interval['seed']}: {interval['method']}"


def _method_exceptions(scores: Scores, interval: Mapping[str, Any]) -> list[str]:
    """The measures whose intervals were made in another way than the line above says."""
    asked = interval.get("name", "")
    usual = {asked, "", *REMARKS} | ({"wilson"} if asked == "jackknife" else set())
    said, closed = [], []
    for each in (result for result in scores.results if result.slice == ALL):
        if each.interval == CLOSED_FORM:
            closed.append(each.measure)
        elif asked and each.interval not in usual:
            way = METHODS.get(each.interval, each.interval)
            said.append(f"{each.measure}: {asked} does not apply; its interval is by {way}")
    whole = [
        (each.measure, each.system, each.interval) for each in scores.results if each.slice == ALL
    ]
    if closed:
        its = "its interval is" if len(set(closed)) == 1 else "their intervals are"
        said.append(f"{', '.join(dict.fromkeys(closed))}: {its} in closed form")
    return [*dict.fromkeys(said), *width_notes(whole, len(scores.systems))]


def _sampled_units(scores: Scores) -> str:
    kinds = {each.unit_kind for each in scores.results} - {"system"}  # a cost of the whole run
    if kinds == {"group"} and all(len(each.units) > 1 for each in scores.results):
        return "groups"
    return "queries" if kinds == {"query"} else "items"
