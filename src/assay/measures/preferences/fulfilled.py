"""Preferences that a ranking fulfils: by preference, by pair, by user."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, exact_mean
from assay.core.definition import Ratio, Undefined, define
from assay.evidence.views.preference_pairs import Comparisons, PreferencePairs

Pairs: TypeAlias = Literal["all", "either", "both"]
_UNDEFINED = Undefined("no document is preferred to another", "no preferred pair is retrieved")


@define(
    "prefs_simp",
    aliases=["prefs_simp_ret(pairs=both)", "prefs_simp_imp(pairs=either)"],
    undefined=_UNDEFINED,
    variants=["prefs_simp(pairs=both)", "prefs_simp(pairs=either)"],
    label="preferences fulfilled",
    standard=True,
)
def prefs_simp(preferences: PreferencePairs, pairs: Pairs = "all") -> Ratio:
    """The share of the preferences that the ranking fulfils.

    A preference is fulfilled when the preferred document stands above the other, or alone is
    retrieved; where neither is retrieved it is not. ``pairs=either`` passes over those, and
    ``pairs=both`` counts only preferences between two retrieved documents.

    >>> measure("prefs_simp")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.667])
    """
    return Ratio(
        preferences.each(lambda one: _fulfilled_pairs(one, pairs)),
        preferences.each(lambda one: _possible_pairs(one, pairs)),
    )


@define(
    "prefs_avgjg",
    aliases=["prefs_avgjg_ret(pairs=both)", "prefs_avgjg_imp(pairs=either)"],
    undefined=_UNDEFINED,
    variants=["prefs_avgjg(pairs=both)", "prefs_avgjg(pairs=either)"],
    label="preferences fulfilled, by user",
)
def prefs_avgjg(preferences: PreferencePairs, pairs: Pairs = "all") -> Floats:
    """The share of the preferences that the ranking fulfils, averaged over the users' groups.

    A user with many preferences counts no more than one with few. As in trec_eval, a group without
    a preference that counts adds 0.

    >>> measure("prefs_avgjg")(preferred("acb", "a>b", "b>c", "c>d"))
    array([0.66666667])
    """
    return preferences.each(lambda one: _mean_by_group(one, pairs))


def _mean_by_group(one: Comparisons, pairs: str) -> float:
    if not _possible_pairs(one, pairs):
        return np.nan
    return exact_mean(
        (one.fulfilled(group) & counted).sum() / max(counted.sum(), 1)
        for group in one.groups
        for counted in [one.counted(group, pairs)]
    )


@define(
    "prefs_pair",
    aliases=["prefs_pair_ret(pairs=both)", "prefs_pair_imp(pairs=either)"],
    undefined=_UNDEFINED,
    variants=["prefs_pair(pairs=both)", "prefs_pair(pairs=either)"],
    label="preferences fulfilled, by pair",
)
def prefs_pair(preferences: PreferencePairs, pairs: Pairs = "all") -> Floats:
    """The share of its preferences that the ranking fulfils, averaged over pairs of documents.

    A pair that three users order one way and two the other is worth 3/5 or 2/5; where neither
    document is retrieved it is worth 0.

    >>> measure("prefs_pair")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.667])
    """
    return preferences.each(lambda one: _share_of_pairs(one, pairs))


def _share_of_pairs(one: Comparisons, pairs: str) -> float:
    if not _possible_pairs(one, pairs):
        return np.nan
    low, kept = [], []
    for group in one.groups:
        counted = one.counted(group, pairs)
        first = np.minimum(group.better, group.worse)[counted]
        second = np.maximum(group.better, group.worse)[counted]
        low.append(first * one.documents + second)
        kept.append(one.fulfilled(group)[counted])
    _, pair = np.unique(np.concatenate(low), return_inverse=True)
    shares = np.bincount(pair, np.concatenate(kept)) / np.bincount(pair)
    return exact_mean(shares.tolist())


@define(
    "prefs_possible",
    better="neither",
    bounds=(0, np.inf),
    aggregate="sum",
    aliases=["prefs_num_prefs_poss"],
    label="preferences possible",
)
def prefs_possible(preferences: PreferencePairs) -> Floats:
    """How many preferences there are.

    >>> measure("prefs_possible")(preferred("acb", "a>b", "b>c", "c>d"))
    array([3.])
    """
    return preferences.each(lambda one: _possible_pairs(one, "all"))


@define(
    "prefs_fulfilled",
    bounds=(0, np.inf),
    aggregate="sum",
    aliases=["prefs_num_prefs_ful", "prefs_num_prefs_ful_ret(pairs=both)"],
    variants=["prefs_fulfilled(pairs=both)"],
    label="preferences fulfilled, in number",
)
def prefs_fulfilled(preferences: PreferencePairs, pairs: Pairs = "all") -> Floats:
    """How many preferences the ranking fulfils.

    >>> measure("prefs_fulfilled")(preferred("acb", "a>b", "b>c", "c>d"))
    array([2.])
    """
    return preferences.each(lambda one: _fulfilled_pairs(one, pairs))


def _possible_pairs(one: Comparisons, pairs: str) -> float:
    return float(sum(one.counted(group, pairs).sum() for group in one.groups))


def _fulfilled_pairs(one: Comparisons, pairs: str) -> float:
    return float(
        sum((one.fulfilled(group) & one.counted(group, pairs)).sum() for group in one.groups)
    )
