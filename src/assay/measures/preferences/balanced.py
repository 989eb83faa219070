"""Preferences fulfilled, with as many non-relevant documents as relevant ones."""

from __future__ import annotations

from typing import Literal

import numpy as np

from assay.core.arrays import Floats, Ints, exact_mean
from assay.core.definition import Undefined, define
from assay.evidence.views.preference_pairs import Comparisons, PreferenceGroup, PreferencePairs


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
    """The share of the preferences that the ranking fulfils, with R non-relevant documents.

    In each group with R relevant documents only the first R documents of level 0 count; where
    there are fewer, as many as lack are taken to stand below all retrieved ones. With one group and
    two levels this is akin to bpref. ``counting=trec_eval`` repeats what that program counts: it
    also compares the documents of level 0 with each other, and a group with nothing to compare
    makes the whole query 0.

    >>> measure("prefs_balanced")(preferred("acb", "a>b", "b>c", "c>d")).round(3)
    array([0.737])
    """
    own = _Plain if counting == "plain" else _AsTrecEval
    return preferences.each(own(pairs == "both").query)


class _Plain:
    """Counts in each group, with too many non-relevant documents left out."""

    def __init__(self, both: bool) -> None:
        self.both = both

    def query(self, one: Comparisons) -> float:
        shares = [self.group(one, group) for group in one.groups]
        return exact_mean(share for share in shares if not np.isnan(share))

    def group(self, one: Comparisons, group: PreferenceGroup) -> float:
        relevant, other = self._split(one, group)
        kept = np.isin(group.members, self._dropped(one, group), invert=True)
        names = group.members[kept]
        counted = one.counted(group, "both" if self.both else "all")
        counted &= np.isin(group.better, names) & np.isin(group.worse, names)
        fulfilled = float((one.fulfilled(group) & counted).sum())
        possible = float(counted.sum())
        lacking = max(len(relevant) - len(other), 0)
        fulfilled += lacking * int((relevant < one.retrieved).sum())
        possible += lacking * self._padded(one, group, relevant)
        fulfilled, possible = self._beside(one, group, fulfilled, possible)
        return fulfilled / possible if possible else np.nan

    def _split(self, one: Comparisons, group: PreferenceGroup) -> tuple[Ints, Ints]:
        seen = group.members < (one.retrieved if self.both else one.documents)
        return group.members[seen & (group.level > 0)], group.members[seen & (group.level == 0)]

    def _dropped(self, one: Comparisons, group: PreferenceGroup) -> Ints:
        relevant, other = self._split(one, group)
        return other[len(relevant) :]

    def _padded(self, one: Comparisons, group: PreferenceGroup, relevant: Ints) -> int:
        return len(relevant)

    def _beside(
        self, one: Comparisons, group: PreferenceGroup, fulfilled: float, possible: float
    ) -> tuple[float, float]:
        return fulfilled, possible


class _AsTrecEval(_Plain):
    """The same with what trec_eval 9 and 10 count in addition."""

    def query(self, one: Comparisons) -> float:
        shares = [self.group(one, group) for group in one.groups]
        return 0.0 if np.isnan(shares).any() else exact_mean(shares)

    def _dropped(self, one: Comparisons, group: PreferenceGroup) -> Ints:
        relevant, other = self._split(one, group)
        if len(relevant) >= len(other):
            return other[:0]
        # With subgroups, all relevant documents set the limit, also those not retrieved.
        limit = len(relevant) if group.ranked else int((group.level > 0).sum())
        return other[limit:]

    def _padded(self, one: Comparisons, group: PreferenceGroup, relevant: Ints) -> int:
        return int((group.level > 0).sum())

    def _beside(
        self, one: Comparisons, group: PreferenceGroup, fulfilled: float, possible: float
    ) -> tuple[float, float]:
        relevant, other = self._split(one, group)
        if not group.ranked or len(relevant) >= len(other):
            return fulfilled, possible
        above = np.minimum(np.arange(len(relevant)), (other < one.retrieved).sum())
        return fulfilled + float(above.sum()), possible + float(len(relevant) * len(other))
