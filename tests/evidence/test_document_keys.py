"""Finding keys among many, also where their first bits are the same."""

import numpy as np
import polars as pl
import pytest

from assay.evidence.alignment.judged_documents import KeyIndex
from assay.evidence.alignment.run_batches import Batch, find_duplicates

CROWDED = np.append(np.arange(40, dtype=np.uint64), np.uint64(2**63))  # few first bits differ
SPREAD = np.random.default_rng(5).integers(0, 2**64, 3000, dtype=np.uint64)


@pytest.mark.parametrize("key", [CROWDED, SPREAD, np.concatenate((CROWDED, SPREAD))])
def test_every_key_is_found_at_its_place(key: np.ndarray) -> None:
    asked = np.concatenate((key[::-1], key[:5] + np.uint64(1_000_003)))
    rows, at = KeyIndex.of(key).find_keys(asked)
    assert rows.tolist() == list(range(len(key)))
    assert at.tolist() == list(range(len(key)))[::-1]


@pytest.mark.parametrize("key", [CROWDED, SPREAD])
def test_distinct_keys_are_not_repeated(key: np.ndarray) -> None:
    assert not len(KeyIndex.of(key).duplicate_places())


@pytest.mark.parametrize("key", [CROWDED, SPREAD])
@pytest.mark.parametrize("places", [[3], [3, 3], [0, 7, 39]])
def test_all_places_of_a_repeated_key_are_told(key: np.ndarray, places: list[int]) -> None:
    twice = np.concatenate((key, key[places]))
    wanted = np.flatnonzero(np.isin(twice, key[places]))
    np.testing.assert_array_equal(KeyIndex.of(twice).duplicate_places(), wanted)


HALF = 1 << 32


@pytest.mark.parametrize(
    ("docs", "keys", "rows"),
    [
        ("abcd", [1, 1 + HALF, 7, 7 + HALF], None),
        ("abca", [1, 1 + HALF, 7, 1 + 2 * HALF], None),
        ("abcd", [1, 1, 7, 8], None),
        ("aabc", [1, 1, 1 + HALF, 7], [0, 1]),
    ],
)
def test_documents_with_a_key_or_half_of_it_in_common_are_not_duplicates(
    docs: str, keys: list[int], rows: list[int] | None
) -> None:
    batch = Batch(
        queries=pl.Series(["q1", "q2"]),
        number=np.array([0, 1]),
        offsets=np.array([0, 2, 4]),
        key=np.array(keys, dtype=np.uint64),
        doc=pl.Series(list(docs)),
        score=np.zeros(4),
        row=np.arange(4),
        rank=None,
    )
    found = find_duplicates(batch)
    assert (None if found is None else found["row"].to_list()) == rows
