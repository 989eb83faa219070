"""Array types, sums of numbers within units, and numbers of extreme size."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from assay.core.frozen_dataclass import dataclass, fields, replace

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
Record = TypeVar("Record", bound=Any)
"""A dataclass of arrays."""

CELLS_AT_ONCE = 2_000_000
"""The greatest size of an array that could also be computed in parts."""

ROUNDING = 1e-13
"""A spread below this share of the mean may be rounding."""
_USUAL = 400
"""Up to this power of two, and down to its inverse, squares can be added up without scaling."""


def row_blocks(total: int, width: int) -> Iterator[int]:
    """Yield parts of the total, each small enough for rows of that width."""
    step = max(1, CELLS_AT_ONCE // max(width, 1))
    for start in range(0, total, step):
        yield min(step, total - start)


def row_slices(total: int, width: int) -> Iterator[slice]:
    """Yield slices of so many rows (or columns), each small enough for rows of that width."""
    start = 0
    for size in row_blocks(total, width):
        yield slice(start, start + size)
        start += size


def take_units(record: Record, units: slice | Ints) -> Record:
    """Return some of the units of a record whose arrays have an entry for each unit."""
    values = ((each.name, getattr(record, each.name)) for each in fields(record))
    changes = {name: value[units] for name, value in values if isinstance(value, np.ndarray)}
    taken: Record = replace(record, **changes)
    return taken


def unit_offsets(counts: Ints) -> Ints:
    """Return where each of consecutive units of these sizes begins, and the end."""
    offsets = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    return offsets


def unit_rows(starts: Ints, counts: Ints) -> Ints:
    """Return the rows of units one after the other: so many of each, from its start."""
    offsets = unit_offsets(counts)
    return np.repeat(starts - offsets[:-1], counts) + np.arange(offsets[-1])


def unit_numbers(offsets: Ints) -> Ints:
    """Return the unit number of each entry."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


def unit_ranks(offsets: Ints) -> Ints:
    """Return the rank of each entry within its unit, from 1."""
    place = np.arange(1, offsets[-1] + 1)
    place -= np.repeat(offsets[:-1], np.diff(offsets))
    return place


def sum_at(place: NDArray[np.integer], values: NDArray[np.generic], size: int) -> Floats:
    """Return the sum of the values at each place."""
    return np.bincount(place, weights=values, minlength=size).astype(np.float64, copy=False)


def segment_scan(operation: np.ufunc, values: NDArray[np.generic], offsets: Ints) -> Floats:
    """Return the running sum, product or maximum within each unit."""
    counts = np.diff(offsets)
    result = np.empty(int(offsets[-1]), dtype=np.float64)
    for first, last in _unit_blocks(counts):
        width = int(counts[first:last].max(initial=0))
        inside = np.arange(width) < counts[first:last, None]
        padded = np.zeros(inside.shape)
        entries = slice(int(offsets[first]), int(offsets[last]))
        padded[inside] = values[entries]
        with np.errstate(invalid="ignore"):  # infinities of both signs have no sum
            result[entries] = operation.accumulate(padded, axis=1)[inside]
    return result


def _unit_blocks(counts: Ints, cells: int = CELLS_AT_ONCE) -> list[tuple[int, int]]:
    """Return ranges of consecutive units, each small enough for a rectangular array."""
    blocks, first, width = [], 0, 0
    for unit, count in enumerate(counts.tolist()):
        width = max(width, count)
        if width * (unit + 1 - first) > cells and unit > first:
            blocks.append((first, unit))
            first, width = unit, count
    blocks.append((first, len(counts)))
    return blocks


def sorted_sum(values: Floats) -> Floats:
    """Return the sum over the last axis, smallest first: the same bits in any order."""
    return np.sort(values, axis=-1).sum(axis=-1)


def exact_mean(values: Iterable[float] | Floats) -> float:
    """Return the correctly rounded mean, the same in any order; NaN without values."""
    listed = values if isinstance(values, np.ndarray) else list(values)
    return exact_ratio(listed, [float(len(listed))])


def exact_ratio(
    numerators: Sequence[float] | Floats, denominators: Sequence[float] | Floats
) -> float:
    """Return the quotient of two correctly rounded sums; NaN where the second is 0."""
    bottom = exact_sum(denominators)
    if not bottom:
        return math.nan
    try:
        return exact_sum(numerators) / bottom
    except OverflowError:  # the sum is beyond the largest double; the quotient is not
        return math.fsum(value * 2.0**-64 for value in numerators) / bottom * 2.0**64


def exact_sum(values: Sequence[float] | Floats) -> float:
    """Return the correctly rounded sum, the same in any order."""
    if not isinstance(values, np.ndarray):
        return math.fsum(values)
    if len(values) <= _AT_ONCE or not largest_size(values[:1]) < _LARGEST_IN_BLOCKS:
        return math.fsum(values.tolist())
    if values.strides == (0,):  # one number, repeated
        return float(values[0]) * len(values)
    if not largest_size(values) < _LARGEST_IN_BLOCKS:
        return math.fsum(values.tolist())
    return exact_block_sum(len(values), lambda span: values[span])


def exact_block_sum(count: int, values: Callable[[slice], Floats]) -> float:
    """Return the correctly rounded sum of so many numbers, which are computed block by block.

    They must be below 1e280. Two threads share the blocks of a long sum.
    """
    blocks = [slice(start, start + _AT_ONCE) for start in range(0, count, _AT_ONCE)]
    if len(blocks) < _FEW_BLOCKS:
        return math.fsum(_parts_of_blocks(values, blocks))
    with ThreadPoolExecutor(2) as pool:
        halves = pool.map(partial(_parts_of_blocks, values), (blocks[::2], blocks[1::2]))
        return math.fsum(chain.from_iterable(halves))


def exact_parts(values: Floats) -> list[float]:
    """Return few numbers with the same sum as all of them, exactly: parts of a sum can be sent.

    They must be below 1e280.
    """
    blocks = [slice(start, start + _AT_ONCE) for start in range(0, len(values), _AT_ONCE)]
    return few_parts(_parts_of_blocks(lambda span: values[span], blocks))


def few_parts(parts: Iterable[float]) -> list[float]:
    """Return few numbers with the same sum as others, exactly."""
    left, kept = list(parts), []
    while total := math.fsum(left):
        kept.append(total)
        left.append(-total)
    return kept


_AT_ONCE = 1 << 16
"""How many numbers a block has: no sum of their leading 36 bits is rounded."""
_FEW_BLOCKS = 16
_LARGEST_IN_BLOCKS = 1e280


def _parts_of_blocks(values: Callable[[slice], Floats], blocks: Sequence[slice]) -> list[float]:
    """Return numbers with the same sum as all numbers of the blocks."""
    rest, leading = np.empty(_AT_ONCE), np.empty(_AT_ONCE)
    return [part for each in blocks for part in _exact_parts(values(each), rest, leading)]


def _exact_parts(block: Floats, rest: Floats, leading: Floats) -> Iterator[float]:
    """Yield numbers with the same sum as the block, none of which was rounded.

    Adding and subtracting a large power of two leaves the leading bits of each number: multiples of
    one unit, whose sum a double can hold. What is left of the numbers, at most half a unit, goes on
    to the next round. The other arrays are overwritten: new ones take more time than the sums.
    """
    largest, left = largest_size(block), block
    exponent = math.frexp(largest)[1]
    rest, leading = rest[: len(block)], leading[: len(block)]
    while largest:
        grid = math.ldexp(1.0, exponent + 17)
        np.add(left, grid, out=leading)
        np.subtract(leading, grid, out=leading)
        yield float(leading.sum())
        left = np.subtract(left, leading, out=rest)
        largest, exponent = rest.max() or -rest.min(), exponent - 36


def largest_size(values: Floats) -> float:
    """Return the largest absolute value; NaN where there is NaN."""
    return max(float(values.max(initial=0)), -float(values.min(initial=0)))


def ratio(
    numerator: NDArray[np.generic] | float, denominator: NDArray[np.generic] | float
) -> Floats:
    """Return the quotient, NaN where the denominator is 0."""
    top, bottom = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    result = np.full(top.shape, np.nan)
    np.divide(top, bottom, out=result, where=bottom != 0)
    return result


@dataclass(frozen=True)
class Ratio:
    """Numerators and denominators, one of each per unit.

    A measure that returns a ratio can be averaged over units (macro) or pooled (micro).
    """

    numerator: Floats
    denominator: Floats
    undefined: Bools | None = None
    """Units that are undefined on their own although they count when all are pooled."""

    @property
    def values(self) -> Floats:
        """The quotient of each unit, NaN where the denominator is 0."""
        top, below = self.numerator, self.denominator
        alike = top.shape == below.shape and top.dtype == below.dtype == np.float64
        # Most items weigh 1: then millions of values are not copied.
        quotient = top if alike and (below == 1).all() else ratio(top, below)
        return quotient if self.undefined is None else np.where(self.undefined, np.nan, quotient)

    def __getitem__(self, units: slice | Bools | Ints) -> Ratio:
        """Return some of the units."""
        if isinstance(units, np.ndarray) and units.dtype == bool and units.all():
            return self
        undefined = None if self.undefined is None else self.undefined[units]
        return Ratio(self.numerator[units], self.denominator[units], undefined)


def unit_values(result: Floats | Ratio) -> Floats:
    """Return the value of each unit from the result of a formula."""
    return result.values if isinstance(result, Ratio) else result


def power_of_two(*columns: Floats) -> float:
    """Return what numbers are divided by so that their squares neither overflow nor vanish.

    It is 1 for numbers of usual size. Division by a power of two is exact.
    """
    largest = max(map(largest_size, columns), default=0.0)
    if largest == 0 or not math.isfinite(largest):
        return 1.0
    exponent = math.frexp(largest)[1] - 1
    return 1.0 if abs(exponent) <= _USUAL else 2.0**exponent


def constant_rows(values: Floats, weight: Floats) -> Bools:
    """Return which rows of weights count only items of one value."""
    kept = weight > 0
    low = np.where(kept, values, np.inf).min(axis=1, initial=np.inf)
    high = np.where(kept, values, -np.inf).max(axis=1, initial=-np.inf)
    return low >= high


def center_rows(values: Floats, weight: Floats, total: Floats) -> tuple[Floats, Floats, Floats]:
    """Return the mean of each row of weights, the deviations from it and their squares' sum.

    Where all values that count are equal the mean is that value, and nothing deviates. Only rows
    whose spread is not above rounding are looked at in full.
    """
    mean = ratio((weight * values).sum(axis=1), total)
    apart = values - mean[:, None]
    spread = (weight * apart**2).sum(axis=1)
    doubtful = np.flatnonzero(spread <= total * (ROUNDING * mean) ** 2)
    same = doubtful[constant_rows(values, weight[doubtful]) & (total[doubtful] > 0)]
    if len(same):
        mean[same] = values[(weight[same] > 0).argmax(axis=1)]
        apart[same] = values - mean[same, None]
        spread[same] = 0.0
    return mean, apart, spread
