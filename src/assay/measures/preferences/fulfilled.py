"""Shares of fulfilled preferences."""

from __future__ import annotations

from typing import Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats, Ints, exact_mean
from assay.core.definition import Ratio, Undefined, define
from assay.evidence.views.preference_pairs import Comparisons, PreferenceGroup, PreferencePairs

TASKS = ("preferences",)
Pairs: TypeAlias = Literal["all", "either", "both"]
_UNDEFINED = Undefined("no document is preferred to another", "no preferred pair is retrieved")


@define(
    "prefs_simp",
    aliases=["prefs_simp_ret(pairs=both)", "prefs_simp_imp(pairs=either)"],
    undefined=_UNDEFINED,
    variants=["prefs_simp(pairs=both)", "prefs_simp(pairs=either)"],
    standard=True,
)
def preferences_fulfilled(preferences: PreferencePairs, pairs: Pairs = "all") -> Ratio:
    """The share of the preferences that the ranking fulfills.

    A preference is fulfilled when the preferred document is ranked above the other, or alone is
    retrieved; where neither is retrieved it is not. ``pairs=either`` ignores those, and
    ``pairs=both`` counts only preferences between two retrieved documents.

    >>> measure("prefs_simp")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.667])
    """
    return Ratio(
        preferences.per_query(lambda one: _fulfilled_pairs(one, pairs)),
        preferences.per_query(lambda one: _possible_pairs(one, pairs)),
    )


@define(
    "prefs_avgjg",
    aliases=["prefs_avgjg_ret(pairs=both)", "prefs_avgjg_imp(pairs=either)"],
    undefined=_UNDEFINED,
    variants=["prefs_avgjg(pairs=both)", "prefs_avgjg(pairs=either)"],
    label="preferences fulfilled, by user",
)
def prefs_avgjg(preferences: PreferencePairs, pairs: Pairs = "all") -> Floats:
    """The share of the preferences that the ranking fulfills, averaged over users' groups.

    A user with many preferences counts no more than one with few. As in trec_eval, a group without
    a preference that counts adds 0.

    >>> measure("prefs_avgjg")(preferred("acb", "a>b", "b>c", "c>d"))
    array([0.66666667])
    """
    return preferences.per_query(lambda one: _mean_by_group(one, pairs))


def _mean_by_group(one: Comparisons, pairs: str) -> float:
    if not _possible_pairs(one, pairs):
        return np.nan
    return exact_mean(
        (one.fulfilled_preferences(group) & counted).sum() / max(counted.sum(), 1)
        for group in one.groups
        for counted in [one.counted_preferences(group, pairs)]
    )


@define(
    "prefs_pair",
    aliases=["prefs_pair_ret(pairs=both)", "prefs_pair_imp(pairs=either)"],
    undefined=_UNDEFINED,
    variants=["prefs_pair(pairs=both)", "prefs_pair(pairs=either)"],
    label="preferences fulfilled, by pair",
)
def prefs_pair(preferences: PreferencePairs, pairs: Pairs = "all") -> Floats:
    """The share of fulfilled preferences of each pair of documents, averaged over pairs.

    A pair that three users order one way and two the other is worth 3/5 or 2/5; where neither
    document is retrieved it is worth 0.

    >>> measure("prefs_pair")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.667])
    """
    return preferences.per_query(lambda one: _share_of_pairs(one, pairs))


def _share_of_pairs(one: Comparisons, pairs: str) -> float:
    if not _possible_pairs(one, pairs):
        return np.nan
    low, kept = [], []
    for group in one.groups:
        counted = one.counted_preferences(group, pairs)
        first = np.minimum(group.better, group.worse)[counted]
        second = np.maximum(group.better, group.worse)[counted]
        low.append(first * one.documents + second)
        kept.append(one.fulfilled_preferences(group)[counted])
    _, pair = np.unique(np.concatenate(low), return_inverse=True)
    shares = np.bincount(pair, np.concatenate(kept)) / np.bincount(pair)
    return exact_mean(shares.tolist())


@define(
    "prefs_possible",
    better="neither",
    bounds=(0, np.inf),
    aggregate="sum",
    aliases=["prefs_num_prefs_poss"],
)
def preferences_possible(preferences: PreferencePairs) -> Floats:
    """The number of preferences.

    >>> measure("prefs_possible")(preferred("acb", "a>b", "b>c", "c>d"))
    array([3.])
    """
    return preferences.per_query(lambda one: _possible_pairs(one, "all"))


@define(
    "prefs_fulfilled",
    bounds=(0, np.inf),
    aggregate="sum",
    aliases=["prefs_num_prefs_ful", "prefs_num_prefs_ful_ret(pairs=both)"],
    variants=["prefs_fulfilled(pairs=both)"],
    label="preferences fulfilled, in number",
)
def prefs_fulfilled(preferences: PreferencePairs, pairs: Pairs = "all") -> Floats:
    """The number of preferences that the ranking fulfills.

    >>> measure("prefs_fulfilled")(preferred("acb", "a>b", "b>c", "c>d"))
    array([2.])
    """
    return preferences.per_query(lambda one: _fulfilled_pairs(one, pairs))


def _possible_pairs(one: Comparisons, pairs: str) -> float:
    return float(sum(one.counted_preferences(group, pairs).sum() for group in one.groups))


def _fulfilled_pairs(one: Comparisons, pairs: str) -> float:
    return float(
        sum(
            (one.fulfilled_preferences(group) & one.counted_preferences(group, pairs)).sum()
            for group in one.groups
        )
    )


@define(
    "prefs_balanced",
    aliases=[
        "prefs_avgjg_Rnonrel(counting=trec_eval)",
        "prefs_avgjg_Rnonrel_ret(pairs=both,counting=trec_eval)",
    ],
    undefined=Undefined("no document is preferred to another", "no preferred pair is retrieved"),
    variants=["prefs_balanced(pairs=both)", "prefs_balanced(counting=trec_eval)"],
    label="preferences fulfilled, balanced",
)
def prefs_balanced(
    preferences: PreferencePairs,
    pairs: Literal["all", "both"] = "all",
    counting: Literal["plain", "trec_eval"] = "plain",
) -> Floats:
    """The share of the preferences that the ranking fulfills, with R non-relevant documents.

    In each group with R relevant documents only the first R documents of level 0 count; where
    there are fewer, the missing ones are ranked below all retrieved ones. With one group and
    two levels this is akin to bpref. ``counting=trec_eval`` repeats what that program counts: it
    also compares the documents of level 0 with each other, and a group with nothing to compare
    makes the whole query 0.

    >>> measure("prefs_balanced")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.737])
    """
    own = _Plain if counting == "plain" else _AsTrecEval
    return preferences.per_query(own(pairs == "both").query)


class _Plain:
    """Counts in each group, with too many non-relevant documents left out."""

    def __init__(self, both: bool) -> None:
        self.both = both

    def query(self, one: Comparisons) -> float:
        """Return the mean over the groups of a query."""
        shares = [self.group(one, group) for group in one.groups]
        return exact_mean(share for share in shares if not np.isnan(share))

    def group(self, one: Comparisons, group: PreferenceGroup) -> float:
        """Return the share of fulfilled preferences of a group."""
        relevant, other = self._split(one, group)
        kept = np.isin(group.members, self._surplus_documents(one, group), invert=True)
        names = group.members[kept]
        counted = one.counted_preferences(group, "both" if self.both else "all")
        counted &= np.isin(group.better, names) & np.isin(group.worse, names)
        fulfilled = float((one.fulfilled_preferences(group) & counted).sum())
        possible = float(counted.sum())
        lacking = max(len(relevant) - len(other), 0)
        fulfilled += lacking * int((relevant < one.retrieved).sum())
        possible += lacking * self._missing_pairs(one, group, relevant)
        fulfilled, possible = self._add_other_pairs(one, group, fulfilled, possible)
        return fulfilled / possible if possible else np.nan

    def _split(self, one: Comparisons, group: PreferenceGroup) -> tuple[Ints, Ints]:
        seen = group.members < (one.retrieved if self.both else one.documents)
        return group.members[seen & (group.level > 0)], group.members[seen & (group.level == 0)]

    def _surplus_documents(self, one: Comparisons, group: PreferenceGroup) -> Ints:
        relevant, other = self._split(one, group)
        return other[len(relevant) :]

    def _missing_pairs(self, one: Comparisons, group: PreferenceGroup, relevant: Ints) -> int:
        return len(relevant)

    def _add_other_pairs(
        self, one: Comparisons, group: PreferenceGroup, fulfilled: float, possible: float
    ) -> tuple[float, float]:
        return fulfilled, possible


class _AsTrecEval(_Plain):
    """The same with what trec_eval 9 and 10 count in addition."""

    def query(self, one: Comparisons) -> float:
        """Return the mean over the groups of a query."""
        shares = [self.group(one, group) for group in one.groups]
        return 0.0 if np.isnan(shares).any() else exact_mean(shares)

    def _surplus_documents(self, one: Comparisons, group: PreferenceGroup) -> Ints:
        relevant, other = self._split(one, group)
        if len(relevant) >= len(other):
            return other[:0]
        # With subgroups, all relevant documents set the limit, also those not retrieved.
        limit = len(relevant) if group.ranked else int((group.level > 0).sum())
        return other[limit:]

    def _missing_pairs(self, one: Comparisons, group: PreferenceGroup, relevant: Ints) -> int:
        return int((group.level > 0).sum())

    def _add_other_pairs(
        self, one: Comparisons, group: PreferenceGroup, fulfilled: float, possible: float
    ) -> tuple[float, float]:
        relevant, other = self._split(one, group)
        if not group.ranked or len(relevant) >= len(other):
            return fulfilled, possible
        above = np.minimum(np.arange(len(relevant)), (other < one.retrieved).sum())
        return fulfilled + float(above.sum()), possible + float(len(relevant) * len(other))
