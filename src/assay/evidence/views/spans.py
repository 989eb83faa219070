"""Spans: pieces of text with a type, true and predicted, document by document."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal, Self, TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.evidence.views.view import bytewise, join_fields
from assay.evidence.views.weighted_items import WeightedItems, order_by_content

Span: TypeAlias = tuple[int, int, str]
"""Where a span begins, where it ends (the first place after it), and its type."""
Match: TypeAlias = Literal["exact", "partial", "type", "boundary"]
MATCHES: tuple[Match, ...] = ("exact", "partial", "type", "boundary")


@dataclass(frozen=True)
class Spans(WeightedItems):
    """Counts of spans by document and type; which spans match is settled when they are built."""

    task: ClassVar[str] = "spans"
    part_kinds: ClassVar[tuple[str, ...]] = ("type",)

    documents: tuple[str, ...]
    types: tuple[str, ...]
    true: Floats
    """Documents × type: how many true spans there are."""
    predicted: Floats
    """Documents × type: how many spans were predicted."""
    found: dict[Match, Floats]
    """For each way of matching, documents × type: true spans found (a part counts as such)."""
    right: dict[Match, Floats]
    """Likewise the predicted spans that are right."""
    weight: Floats
    """Units × document: how often each document counts."""
    each: str | None = None

    @classmethod
    def of(
        cls,
        truth: Sequence[Sequence[Span]],
        predicted: Sequence[Sequence[Span]],
        documents: Sequence[str] = (),
    ) -> Self:
        """The view of the spans of documents, in an order of their own: not that of the lists.

        Each document keeps its name, or the number of its place.
        """
        names, pairs = order_by_content(truth, predicted, documents)
        types = bytewise({one[2] for spans in (truth, predicted) for doc in spans for one in doc})
        shape = (len(truth), len(types))
        actual_count, predicted_count = np.zeros((2, *shape))
        found = {match: np.zeros(shape) for match in MATCHES}
        right = {match: np.zeros(shape) for match in MATCHES}
        number = {name: place for place, name in enumerate(types)}
        for place, (own, given) in enumerate(pairs):
            for one in own:
                actual_count[place, number[one[2]]] += 1
            for one in given:
                predicted_count[place, number[one[2]]] += 1
            for match in MATCHES:
                for one, other, credit in match_spans(own, given, match):
                    found[match][place, number[one[2]]] += credit
                    right[match][place, number[other[2]]] += credit
        counts = actual_count, predicted_count
        return cls(names, types, *counts, found, right, np.ones((1, len(truth))))

    def parts(self, kind: str) -> tuple[str, ...]:
        """Return the types."""
        return self.types

    @property
    def support(self) -> Floats:
        """How many true spans a unit has."""
        return self.count(self.true)

    def count(self, counts: Floats) -> Floats:
        """Counts by document and type, added up for each unit."""
        by_type = self.weight @ counts
        return by_type.ravel() if self.each == "type" else by_type.sum(axis=1)

    def ideal(self) -> Self:
        """Exactly the true spans predicted."""
        perfect = dict.fromkeys(MATCHES, self.true)
        return replace(self, predicted=self.true, found=perfect, right=perfect)

    def __add__(self, other: Self) -> Self:
        """Return the documents of both, over the types of both."""
        types = bytewise({*self.types, *other.types})

        def both(mine: Floats, theirs: Floats) -> Floats:
            """Return the counts of both over the same types."""
            return np.vstack((self._spread(mine, types), other._spread(theirs, types)))

        return replace(
            self,
            types=types,
            true=both(self.true, other.true),
            predicted=both(self.predicted, other.predicted),
            found={match: both(self.found[match], other.found[match]) for match in MATCHES},
            right={match: both(self.right[match], other.right[match]) for match in MATCHES},
            **join_fields(self, other, "documents", "weight"),
        )

    def _spread(self, counts: Floats, types: tuple[str, ...]) -> Floats:
        spread = np.zeros((len(counts), len(types)))
        spread[:, [types.index(name) for name in self.types]] = counts
        return spread


def match_spans(
    truth: Sequence[Span], predicted: Sequence[Span], match: Match
) -> list[tuple[Span, Span, float]]:
    """Pairs of a true and a predicted span that match, each used once, and the credit of each.

    ``exact``: same place and type. ``boundary``: same place, whatever the type. ``type``: same
    type and some overlap. ``partial``: some overlap, whatever the type; half the credit unless the
    place is the same. The pair with the largest overlap is taken first.
    """
    pairs = []
    for one in truth:
        for other in predicted:
            overlap = min(one[1], other[1]) - max(one[0], other[0])
            same_place, same_type = one[:2] == other[:2], one[2] == other[2]
            fits = {
                "exact": same_place and same_type,
                "boundary": same_place,
                "type": same_type and overlap > 0,
                "partial": overlap > 0,
            }[match]
            if fits:
                credit = 0.5 if match == "partial" and not same_place else 1.0
                pairs.append((-credit, -overlap, not same_type, one, other))
    taken: list[tuple[Span, Span, float]] = []
    left, free = list(truth), list(predicted)
    for negated, _, _, one, other in sorted(pairs):
        if one in left and other in free:
            left.remove(one)
            free.remove(other)
            taken.append((one, other, -negated))
    return taken
