"""Results of threads are in the order of the items, of which few are taken ahead."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from assay.core.map_ahead import map_ahead


def test_results_are_in_order_whoever_is_faster() -> None:
    def square(number: int) -> int:
        time.sleep(0.01 if number % 3 == 0 else 0)
        return number**2

    assert list(map_ahead(square, range(20))) == [number**2 for number in range(20)]
    assert not list(map_ahead(square, []))


def test_few_items_are_taken_ahead() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = map_ahead(str, items())
    assert [next(results) for _ in range(10)] == [str(number) for number in range(10)]
    assert len(taken) <= 13


def test_an_error_comes_with_the_result_of_its_item() -> None:
    results = map_ahead(lambda number: 1 // number, [1, 1, 0, 1])
    assert [next(results), next(results)] == [1, 1]
    with pytest.raises(ZeroDivisionError):
        next(results)
