"""Keys of pairs of query and document, and finding a few of them among very many."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from assay.core.arrays import Ints

Keys: TypeAlias = NDArray[np.uint64]


@dataclass(frozen=True)
class KeyIndex:
    """Keys by their first bits: nearly all others fall through at the first look."""

    key: Keys
    slots: NDArray[np.int32]
    """For each beginning the key that has it, or -1."""
    shift: np.uint64
    crowded: Ints
    """The keys, in rising order, whose slot is taken by another."""

    @classmethod
    def of(cls, key: Keys) -> KeyIndex:
        """An index of these keys."""
        room = 32 if len(key) < 1 << 15 else 8
        bits = min(max((len(key) * room).bit_length(), 10), 24)
        shift = np.uint64(64 - bits)
        slots = np.full(1 << bits, -1, dtype=np.int32)
        slot, own = _key_prefixes(key, shift), np.arange(len(key), dtype=np.int32)
        slots[slot] = own
        lost = np.flatnonzero(slots[slot] != own)
        return cls(key, slots, shift, lost[np.argsort(key[lost])])

    def repeated(self) -> Ints:
        """The places of keys that stand more than once, which should be none: all of theirs."""
        lost = self.key[self.crowded]
        again = self.key[self.slots[_key_prefixes(lost, self.shift)]] == lost
        again[1:] |= lost[1:] == lost[:-1]
        return np.flatnonzero(np.isin(self.key, lost[again])) if again.any() else self.crowded[:0]

    def found(self, key: Keys) -> tuple[Ints, Ints]:
        """Which of the given keys are known, and which these are."""
        slot = self.slots[_key_prefixes(key, self.shift)]
        rows = np.flatnonzero(slot >= 0)
        at, asked = slot[rows].astype(np.int64), key[rows]
        same = self.key[at] == asked
        if len(self.crowded):
            other = np.flatnonzero(~same)
            known = self.key[self.crowded]
            place = np.minimum(np.searchsorted(known, asked[other]), len(known) - 1)
            fits = known[place] == asked[other]
            at[other[fits]] = self.crowded[place[fits]]
            same[other[fits]] = True
        kept = np.flatnonzero(same)
        return rows[kept], at[kept]


def _key_prefixes(key: Keys, shift: np.uint64) -> Ints:
    """The first bits of each key, as numbers that need no conversion before they can be places."""
    return (key >> shift).view(np.int64)
