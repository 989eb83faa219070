"""RatingTable: which label each assessor gave to each item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import ClassVar, Self

import numpy as np
import polars as pl

from assay.core.arrays import Bools, Floats, Ints, unit_rows
from assay.core.errors import DataError, NeedsInput
from assay.core.tables import Ratings
from assay.evidence.alike_items import alike_items, sort_entries
from assay.evidence.column_values import (
    label_codes,
    refuse_duplicate_keys,
    refuse_empty,
    sorted_labels,
)
from assay.evidence.labels import (
    Labels,
    label_order,
    label_values,
    listed_labels,
    merge_orders,
    refuse_unlisted,
)
from assay.evidence.views.view import bytewise, join_fields, places_among
from assay.evidence.views.weighted_items import LazyNames, WeightedItems, item_codes

MOST_SINGLE_ITEMS = 50_000
"""Of more items than this, those that were rated alike are counted together."""
EVERY_PAIR = 100
"""Of more assessors than this, only pairs that share an item are looked at."""


@dataclass(frozen=True)
class RatingTable(WeightedItems):
    """Ratings by item, then by assessor: a label each; nothing is kept where there is no rating."""

    task: ClassVar[str] = "agreement"
    part_kinds: ClassVar[tuple[str, ...]] = ("pair", "assessor")

    items: Sequence[str]
    assessors: tuple[str, ...]
    labels: tuple[str, ...]
    """In their order, where they have one."""
    item: Ints
    assessor: Ints
    code: Ints
    """The number of the label of each rating."""
    weight: Floats
    """Units × item: how often each item counts."""
    values: Floats | None = None
    """The labels as numbers, where they are numbers."""
    each: str | None = None
    """What the units are, if not the whole: pair or assessor."""

    @classmethod
    def of(
        cls,
        codes: Ints,
        items: tuple[str, ...],
        assessors: tuple[str, ...],
        labels: tuple[str, ...],
        values: Floats | None = None,
    ) -> Self:
        """One table of items × assessors with the number of a label in each cell, −1 for none."""
        item, assessor = np.nonzero(codes >= 0)
        ones = np.ones((1, len(items)))
        code = codes[item, assessor].astype(np.int64)
        return cls(items, assessors, labels, item, assessor, code, ones, values)

    def parts(self, kind: str) -> tuple[str, ...]:
        """Return the assessors, or the pairs of them."""
        if kind == "assessor":
            return self.assessors
        return tuple(f"{self.assessors[a]} – {self.assessors[b]}" for a, b in self.pairs)

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The numbers of the pairs of assessors."""
        if len(self.assessors) <= EVERY_PAIR:
            return list(combinations(range(len(self.assessors)), 2))
        one, two, _ = self._rating_pairs
        met = np.unique(self.assessor[one] * len(self.assessors) + self.assessor[two])
        return [divmod(each, len(self.assessors)) for each in met.tolist()]

    @cached_property
    def _rating_pairs(self) -> tuple[Ints, Ints, Ints]:
        """All pairs of ratings of one item: two numbers of ratings, and the item."""
        ones, twos = [], []
        most = int(np.bincount(self.item, minlength=1).max(initial=0))
        for apart in range(1, most):
            one = np.flatnonzero(self.item[apart:] == self.item[:-apart])
            ones.append(one)
            twos.append(one + apart)
        one = np.concatenate(ones) if ones else np.empty(0, np.int64)
        two = np.concatenate(twos) if twos else np.empty(0, np.int64)
        return one, two, self.item[one]

    def tables(self) -> Iterator[Floats]:
        """For each weighting: unit × label × label, how often one label met another.

        The labels of a pair stand with the first assessor's in rows; those of an assessor against
        the others with its own in rows.
        """
        size = len(self.labels)
        one, two, item = self._rating_pairs
        cell = self.code[one] * size + self.code[two]
        if self.each == "assessor":
            mirrored = self.code[two] * size + self.code[one]
            place = np.concatenate((self.assessor[one], self.assessor[two])) * size * size
            place += np.concatenate((cell, mirrored))
            item, units = np.concatenate((item, item)), len(self.assessors)
        else:
            numbers = {pair: number for number, pair in enumerate(self.pairs)}
            key = self.assessor[one] * len(self.assessors) + self.assessor[two]
            lookup = np.zeros(len(self.assessors) ** 2, dtype=np.int64)
            for (a, b), number in numbers.items():
                lookup[a * len(self.assessors) + b] = number
            place, units = lookup[key] * size * size + cell, len(self.pairs)
        for weights in self.weight:
            flat = np.bincount(place, weights[item], units * size * size)
            yield flat.astype(np.float64, copy=False).reshape(units, size, size)

    @cached_property
    def counts(self) -> Floats:
        """Item × label: how many assessors gave it."""
        place = self.item * len(self.labels) + self.code
        flat = np.bincount(place, minlength=len(self.items) * len(self.labels))
        return flat.reshape(len(self.items), len(self.labels)).astype(np.float64)

    def by_ratings(self, least: int) -> Iterator[tuple[float, Floats, Floats]]:
        """Items with equally many ratings together: how many, their weights, and their counts.

        Whatever is added up among them are whole numbers, so that no sum is rounded.
        """
        sizes = self.counts.sum(axis=1)
        for size in np.unique(sizes[sizes >= least]).tolist():
            own = sizes == size
            yield size, self.weight[:, own], self.counts[own]

    def numbers(self) -> Floats:
        """Return the labels as numbers; refused where they are words."""
        if self.values is None:
            raise NeedsInput(
                f"this measure needs labels that are numbers; here they are"
                f" {', '.join(self.labels[:5])}"
            )
        return self.values

    def take(self, chosen: Bools) -> Self:
        """Return only some of the items."""
        number = np.cumsum(chosen) - 1
        kept = chosen[self.item]
        return replace(
            self,
            items=tuple(np.asarray(self.items, dtype=object)[chosen].tolist()),
            item=number[self.item[kept]],
            assessor=self.assessor[kept],
            code=self.code[kept],
            weight=self.weight[:, chosen],
        )

    def condensed(self, few: int | None = None) -> Self:
        """Return the ratings of many items, with items that were rated alike counted together.

        No number of a measure depends on it; item names and the draws of resamples do.
        """
        most = MOST_SINGLE_ITEMS if few is None else few
        if len(self.items) <= most or len(self.weight) > 1:
            return self
        different = len(self.assessors) * len(self.labels)
        rating = self.assessor * len(self.labels) + self.code
        first, counts = alike_items(self.item, rating, different, self.weight[0])
        if len(first) > self.weight.sum() / 2:
            return self
        starts = np.searchsorted(self.item, first)
        sizes = np.searchsorted(self.item, first, side="right") - starts
        rows = unit_rows(starts, sizes)
        return replace(
            self,
            items=LazyNames(len(first), lambda: tuple(self.items[n] for n in first.tolist())),
            item=np.repeat(np.arange(len(first)), sizes),
            assessor=self.assessor[rows],
            code=self.code[rows],
            weight=counts[None, :],
        )

    def ideal(self) -> Self:
        """Every assessor gives the label of the first to rate the item."""
        first = np.searchsorted(self.item, np.arange(len(self.items)))
        said = np.append(self.code, 0)[first]
        return replace(self, code=said[self.item])

    def __add__(self, other: Self) -> Self:
        """The items of both, over the assessors and labels of both, which keep their order."""
        assessors = bytewise({*self.assessors, *other.assessors})
        values = _common_label_values(self, other)
        labels = merge_orders(self.labels, other.labels, values)
        both = (self, other)
        return replace(
            self,
            assessors=assessors,
            labels=labels,
            item=np.concatenate((self.item, other.item + len(self.items))),
            assessor=np.concatenate(
                [places_among(each.assessors, assessors)[each.assessor] for each in both]
            ),
            code=np.concatenate([places_among(each.labels, labels)[each.code] for each in both]),
            items=(*self.items, *other.items),
            **join_fields(self, other, "weight"),
            values=np.asarray([values[label] for label in labels]) if values else None,
        )


def _common_label_values(one: RatingTable, two: RatingTable) -> dict[str, float]:
    """The number of each label; nothing where labels are words, or the tables do not agree."""
    if one.values is None or two.values is None:
        return {}
    first = dict(zip(one.labels, one.values.tolist(), strict=True))
    second = dict(zip(two.labels, two.values.tolist(), strict=True))
    agree = all(second[label] == first[label] for label in first.keys() & second.keys())
    return first | second if agree else {}


def build_rating_table(
    ratings: Ratings,
    scale: str = "nominal",
    labels: Labels = None,
    order: Sequence[str] = (),
    repeated: bool = False,
) -> RatingTable:
    """Return the ratings by item and assessor, with the labels in their order.

    ``labels`` lists all that may occur, in order. ``order`` is that of an ordered column, else
    numbers are ordered by value and words by name. With ``repeated`` an assessor may rate an item
    several times.
    """
    refuse_empty(ratings)
    frame = ratings.frame
    ordered = _order_labels(ratings, scale, listed_labels(labels), order)
    assessors = sorted_labels(frame["assessor"])
    code = label_codes(frame["label"], ordered)
    items, item = item_codes(frame["item"], len(frame) if repeated else MOST_SINGLE_ITEMS)
    assessor = label_codes(frame["assessor"], assessors)
    order_of_rows = sort_entries(
        (item, len(items)), (assessor, len(assessors)), (code, len(ordered))
    )
    item, assessor = item[order_of_rows], assessor[order_of_rows]
    if not repeated and ((np.diff(item) == 0) & (np.diff(assessor) == 0)).any():
        refuse_duplicate_keys(ratings, "item", "assessor")
    values = label_values(ordered)
    return RatingTable(
        items,
        assessors,
        ordered,
        item,
        assessor,
        code[order_of_rows],
        np.ones((1, len(items))),
        values,
    )


def _order_labels(
    ratings: Ratings, scale: str, listed: Sequence[str], order: Sequence[str]
) -> tuple[str, ...]:
    """Return the labels in their order; refuse one that the list or the scale does not have."""
    given = ratings.frame["label"]
    if listed:
        refuse_unlisted(ratings, ["label"], listed)
        return tuple(listed)
    known = given.unique().to_list()
    values = label_values(known)
    are_valid = values is not None and (scale != "ratio" or bool((values >= 0).all()))
    if are_valid or scale == "nominal":
        return label_order(known, order)
    numbers = given.cast(pl.Float64, strict=False)
    bad = (numbers.is_null() | ~numbers.is_finite()).arg_true()
    if len(bad) and (scale in ("interval", "ratio") or (scale == "ordinal" and not order)):
        row = int(bad[0])
        remedy = "; name the labels in their order with `labels`" if scale == "ordinal" else ""
        raise DataError(
            f"{ratings.source.place(row)}: the label '{given[row]}' is not a number, but the scale"
            f" is {scale}{remedy}"
        )
    if scale == "ratio" and (numbers < 0).any():
        row = int((numbers < 0).arg_true()[0])
        raise DataError(
            f"{ratings.source.place(row)}: the label {given[row]} is below 0, which a ratio scale"
            " does not have"
        )
    return label_order(known, order)
