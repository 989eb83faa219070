"""OrderPairs: two orders of the same things; RankedLists: two rankings of any things, with ties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats, Ints, unit_offsets
from assay.core.tables import ids_as_text
from assay.evidence.alike_items import Codes, counts_once, dense_ranks, sort_entries
from assay.evidence.column_values import MOST_SORTED_AT_ONCE
from assay.evidence.discordant_counts import OrderedPairs, count_pairs, count_sorted_pairs
from assay.evidence.sorted_pairs import SortedPairs, sort_pairs
from assay.evidence.views.view import View
from assay.evidence.views.weighted_items import ItemNumbers, LazyNames


@dataclass(frozen=True)
class Ranking:
    """The ranks of items in one ranking: the first and the last of their tie, 0 if absent.

    The entries are the things of both rankings.
    """

    top: Ints
    bottom: Ints

    @property
    def length(self) -> int:
        """How many things the ranking holds."""
        return int(np.count_nonzero(self.top))

    @property
    def tied(self) -> bool:
        """Whether any two things share a place."""
        return bool((self.bottom > self.top).any())

    def take(self, chosen: Bools) -> Ranking:
        """Return only some of the things, where they stand."""
        return Ranking(self.top[chosen], self.bottom[chosen])

    def chances(self, depths: Ints) -> Floats:
        """Depth × thing: its chance to stand so high, if ties are broken at random."""
        share = (depths[:, None] - self.top + 1) / (self.bottom - self.top + 1)
        return np.where(self.top > 0, np.clip(share, 0, 1), 0)

    def squared_chances(self, depths: Ints) -> Floats:
        """At each depth the squares of the chances of all things, added up: tie by tie."""
        own = self.top > 0
        top, bottom = np.sort(self.top[own]), np.sort(self.bottom[own])
        inside = np.minimum(depths, len(top)) - 1
        within, size = depths - top[inside] + 1, bottom[inside] - top[inside] + 1
        return np.where(depths > len(top), len(top), top[inside] - 1 + within**2 / size)


@dataclass(frozen=True)
class RankedLists(View):
    """Pairs of rankings, one pair a group."""

    task: ClassVar[str] = "correlation"
    unit_kind: ClassVar[str] = "group"

    groups: tuple[str, ...]
    pairs: tuple[tuple[Ranking, Ranking], ...]

    @property
    def units(self) -> tuple[str, ...]:
        """The groups."""
        return self.groups

    def __iter__(self) -> Iterator[tuple[Ranking, Ranking]]:
        return iter(self.pairs)

    def ideal(self) -> Self:
        """Return the first ranking twice."""
        own = (first.take(first.top > 0) for first, _ in self.pairs)
        return replace(self, pairs=tuple((alone, alone) for alone in own))


@dataclass(frozen=True)
class OrderPairs(View):
    """Items with a number in each of two orders (higher is earlier), group after group."""

    task: ClassVar[str] = "correlation"
    unit_kind: ClassVar[str] = "group"

    groups: tuple[str, ...]
    offsets: Ints
    first: Floats
    second: Floats
    weight: Floats | None = None
    """Resamples × item, where the items of the only group are counted again."""
    items: Sequence[str] = ()
    """The names of the items, where they are known."""
    as_given: bool = False
    """Whether the items are in the order of the input, which no measure depends on."""

    @classmethod
    def of(cls, first: Floats, second: Floats) -> Self:
        """Return one group."""
        return cls(("all",), unit_offsets(np.asarray([len(first)])), first, second)

    @property
    def units(self) -> tuple[str, ...]:
        """The groups, or the only group once for each resample."""
        return self.groups if self.weight is None else ("all",) * len(self.weight)

    @property
    def names(self) -> Sequence[str]:
        """The names of the items, or their numbers."""
        return self.items or ItemNumbers.counted(len(self.first))

    @property
    def cells(self) -> Floats | None:
        """One count for each item of the only group; with several, the groups are drawn."""
        return np.ones(len(self.first)) if len(self.groups) == 1 else None

    def weighted_orders(self) -> Iterator[tuple[Floats, Floats, Floats]]:
        """Yield the two orders of each group, with a row of counts for each unit that it makes."""
        return map(self._weighted_group, range(len(self.groups)))

    def _weighted_group(self, number: int) -> tuple[Floats, Floats, Floats]:
        span = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        first, second = self.first[span], self.second[span]
        once = np.broadcast_to(1.0, (1, len(first)))
        return first, second, once if self.weight is None else self.weight

    @cached_property
    def _codes(self) -> dict[int, tuple[Codes, Codes]]:
        return {}

    def coded_group(self, number: int) -> tuple[Codes, Codes, Floats]:
        """Return the orders of one group as places among its different numbers, and the counts."""
        first, second, weight = self._weighted_group(number)
        if number not in self._codes:
            one, two = (Codes(dense_ranks(each)[0]) for each in (first, second))
            self._codes[number] = one, two
        return *self._codes[number], weight

    @cached_property
    def sorted_groups(self) -> list[SortedPairs | None]:
        """How the numbers of each group are ordered, where it has many items that count once."""
        return [
            sort_pairs(first, second)
            if counts_once(weight) and len(first) > MOST_SORTED_AT_ONCE
            else None
            for first, second, weight in self.weighted_orders()
        ]

    @cached_property
    def pair_counts(self) -> list[OrderedPairs]:
        """How the pairs of items of each group are ordered."""
        return [
            count_pairs(*self.coded_group(number)) if pairs is None else count_sorted_pairs(pairs)
            for number, pairs in enumerate(self.sorted_groups)
        ]

    def reweight(self, counts: Floats) -> Self:
        """Return the only group with its items counted as each row says.

        Items in the order of the input are sorted by their numbers: then what a row says does not
        depend on that order.
        """
        counted = self._sorted if self.as_given else self
        return replace(counted, weight=counts.astype(np.float64))

    @cached_property
    def _sorted(self) -> Self:
        """The items of the only group by both numbers."""
        order = sort_entries(dense_ranks(self.first), dense_ranks(self.second))
        names = self.items
        named = LazyNames(len(names), lambda: tuple(names[n] for n in order.tolist()))
        return replace(
            self,
            first=self.first[order],
            second=self.second[order],
            items=named,
            as_given=False,
        )

    def ideal(self) -> Self:
        """Return the same order twice."""
        return replace(self, second=self.first)

    def only(self, number: int) -> Self:
        """Return one of the groups alone."""
        span = slice(int(self.offsets[number]), int(self.offsets[number + 1]))
        return replace(
            self,
            groups=self.groups[number : number + 1],
            offsets=unit_offsets(np.asarray([span.stop - span.start])),
            first=self.first[span],
            second=self.second[span],
            items=self.items[span],
        )

    def inversions(self) -> dict[str, Any]:
        """Return every pair of one group in opposite order, the widest apart first."""
        first, second, _ = next(self.weighted_orders())
        above = (first[:, None] > first) & (second[:, None] < second)
        one, two = np.nonzero(above)
        gap = np.minimum(first[one] - first[two], second[two] - second[one])
        order = np.lexsort((two, one, -gap))
        names = np.asarray(self.names, dtype=object)
        return {
            "earlier in the first": names[one[order]].tolist(),
            "earlier in the second": names[two[order]].tolist(),
            "apart in the first": (first[one] - first[two])[order],
            "apart in the second": (second[two] - second[one])[order],
        }


def mid_ranks(values: Floats, weight: Floats) -> Floats:
    """The rank of each item from the smallest, tied items sharing the mean; a row per weighting.

    An item that counts twice takes two ranks.
    """
    return code_ranks(Codes(dense_ranks(values)[0]), weight)


def code_ranks(codes: Codes, weight: Floats) -> Floats:
    """Return the ranks of items whose values have these places among the different ones."""
    sums = codes.sums(weight)
    return np.take(np.cumsum(sums, axis=1) - (sums - 1) / 2, codes.place, axis=1)


def build_order_pairs(rows: pl.DataFrame) -> OrderPairs:
    """Return the items that both orders have, group after group, in bytewise order.

    Many items without a group are left in the order of the input: sorting names takes long.
    """
    if "group" not in rows.columns:
        numbers = (rows[name].to_numpy() for name in ("first", "second"))
        names = LazyNames(rows.height, lambda: tuple(ids_as_text(rows["item"]).to_list()))
        return replace(OrderPairs.of(*numbers), items=names, as_given=True)
    both = rows.drop_nulls(["first", "second"]).sort("group", "item")
    groups = rows["group"].unique().sort()
    sizes = both.group_by("group").len()
    counted = groups.to_frame("group").join(sizes, on="group", how="left", maintain_order="left")
    return OrderPairs(
        groups=tuple(groups.to_list()),
        offsets=unit_offsets(counted["len"].fill_null(0).cast(pl.Int64).to_numpy()),
        first=both["first"].to_numpy(),
        second=both["second"].to_numpy(),
        items=LazyNames(both.height, lambda: tuple(both["item"].to_list())),
    )


def build_ranked_lists(rows: pl.DataFrame) -> RankedLists:
    """Return the two whole rankings of each group; items with equal numbers are tied."""
    if "group" not in rows.columns:
        rows = rows.with_columns(ids_as_text(rows["item"]), group=pl.lit("all"))
    ranks = [
        pl.col(name)
        .rank(method, descending=True)
        .over("group")
        .fill_null(0)
        .cast(pl.Int64)
        .alias(f"{name} {method}")
        for name in ("first", "second")
        for method in ("min", "max")
    ]
    ranked = rows.sort("group", "item").with_columns(ranks)
    sizes = ranked.group_by("group", maintain_order=True).len()
    ends = np.cumsum(sizes["len"].to_numpy())[:-1]
    columns = [np.split(ranked[each.meta.output_name()].to_numpy(), ends) for each in ranks]
    pairs = tuple((Ranking(a, b), Ranking(c, d)) for a, b, c, d in zip(*columns, strict=True))
    return RankedLists(tuple(sizes["group"].to_list()), pairs)
