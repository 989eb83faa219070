"""Preferences among the first documents: ppref, rpref and wpref."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Bools, Floats
from assay.core.definition import Ratio, Undefined, define
from assay.core.parameters import Depth
from assay.evidence.views.preference_pairs import Comparisons, PreferenceGroup, PreferencePairs

_UNDEFINED = Undefined("no document is preferred to another", "no preferred pair is retrieved")


@define("ppref", undefined=_UNDEFINED, variants=["ppref@2"])
def precision_of_preferences(preferences: PreferencePairs, cutoff: Depth | None = None) -> Ratio:
    """The share of the preferences that involve the first k documents that are fulfilled.

    >>> measure("ppref@2")(preferred("acb", "a>b", "b>c", "c>d"))
    array([0.66666667])
    """
    return Ratio(
        preferences.per_query(lambda one: _sum(one, cutoff, fulfilled=True)),
        preferences.per_query(lambda one: _sum(one, cutoff)),
    )


@define("rpref", undefined="no document is preferred to another", variants=["rpref@2"])
def recall_of_preferences(preferences: PreferencePairs, cutoff: Depth | None = None) -> Ratio:
    """The share of all preferences that the first k documents fulfill.

    >>> measure("rpref@1")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.333])
    """
    return Ratio(
        preferences.per_query(lambda one: _sum(one, cutoff, fulfilled=True)),
        preferences.per_query(lambda one: float(sum(len(group.better) for group in one.groups))),
    )


@define("wpref", undefined=_UNDEFINED, variants=["wpref@2"])
def weighted_precision_of_preferences(
    preferences: PreferencePairs, cutoff: Depth | None = None
) -> Ratio:
    """Ppref with preferences weighted by the rank of the higher of the two documents.

    A preference whose upper document is at rank i weighs 1 / log2(i + 1).

    >>> measure("wpref")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.721])
    """
    return Ratio(
        preferences.per_query(lambda one: _sum(one, cutoff, fulfilled=True, weighted=True)),
        preferences.per_query(lambda one: _sum(one, cutoff, weighted=True)),
    )


def _sum(
    one: Comparisons, cutoff: int | None, fulfilled: bool = False, weighted: bool = False
) -> float:
    total = 0.0
    for group in one.groups:
        touched = _ranked_pairs(one, group, cutoff)
        kept = touched & one.fulfilled_preferences(group) if fulfilled else touched
        weight = _upper_weight(one, group, touched) if weighted else np.ones(len(touched))
        total += float(weight[kept].sum())
    return total


def _ranked_pairs(one: Comparisons, group: PreferenceGroup, cutoff: int | None) -> Bools:
    within = int(np.searchsorted(one.rank, cutoff or np.inf, side="right"))
    return np.minimum(group.better, group.worse) < within


def _upper_weight(one: Comparisons, group: PreferenceGroup, touched: Bools) -> Floats:
    upper = np.minimum(group.better, group.worse)
    weight = np.zeros(len(upper))
    weight[touched] = 1 / np.log2(one.rank[upper[touched]] + 1.0)
    return weight
