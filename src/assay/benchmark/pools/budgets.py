"""How many documents of each topic are judged: a size, a share, a budget over all, or hours."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from assay.core.errors import UsageError


@dataclass(frozen=True)
class Budget:
    """A limit on what is judged; without any, everything is."""

    size: int | None = None
    """Documents of each topic."""
    documents: int | None = None
    """Documents of all topics together."""
    hours: float | None = None
    minutes: float = 1.5
    """Minutes for each document."""
    share: float | None = None
    """Share of the documents of each topic."""

    def __post_init__(self) -> None:
        limits = (self.size, self.documents, self.hours, self.share)
        given = [each for each in limits if each is not None]
        if len(given) > 1:
            raise UsageError("give one of `size`, `share`, `budget` and `hours`, not several")
        if not all(0 < each < math.inf for each in (*given, self.minutes)):
            raise UsageError("a size, a share, a budget, hours and minutes are above 0 and finite")
        if self.hours is not None and not self.hours * 60 / self.minutes < 1e15:
            raise UsageError(f"`hours` is {self.hours:g}: more documents than can be judged")
        if self.share is not None and self.share > 1:
            raise UsageError(f"share is {self.share:g}: a number above 0, at most 1, is expected")

    @property
    def total(self) -> int | None:
        """The documents of all topics together; None without a budget."""
        if self.hours is not None:
            return int(self.hours * 60 / self.minutes)
        return self.documents

    @property
    def limited(self) -> bool:
        """Whether there is any limit."""
        return self.size is not None or self.share is not None or self.total is not None

    def shares(self, sizes: Mapping[str, int]) -> dict[str, int]:
        """Return how many documents of each topic are judged, given how many there are.

        A share is rounded up. A budget is shared equally; what a topic with few documents leaves
        goes to the others, and the remainder to the first topics in ascending order of their ids.
        """
        if self.size is not None:
            return {query: min(count, self.size) for query, count in sizes.items()}
        if self.share is not None:
            exact = {query: self.share * count for query, count in sizes.items()}
            return {query: math.ceil(each - 1e-9) for query, each in exact.items()}
        left = self.total
        if left is None:
            return dict(sizes)
        if left < len(sizes):
            raise UsageError(
                f"the budget of {left} documents is smaller than the number of topics,"
                f" {len(sizes)}; raise it, or leave topics out"
            )
        shares: dict[str, int] = {}
        for place, (query, count) in enumerate(sorted(sizes.items(), key=lambda item: item[1])):
            shares[query] = min(count, left // (len(sizes) - place))
            left -= shares[query]
        for query in sorted(shares):
            if left and shares[query] < sizes[query]:
                shares[query] += 1
                left -= 1
        return shares
