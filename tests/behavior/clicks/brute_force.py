"""Click models as programs of coin flips, worked out by trying every outcome.

Independent of the package: a model is a function that flips named coins and returns clicks. All
runs of the program are enumerated, which gives exact probabilities, and expectation maximization by
counting the coins of the runs that produce what was observed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Key = tuple[Any, ...]
Coins = dict[Key, float]
Flip = Callable[[Key], bool]
Program = Callable[[Sequence[str], Flip], list[int]]


class _NeedsOutcome(Exception):
    def __init__(self, key: Key) -> None:
        self.key = key


def runs(program: Program, docs: Sequence[str], coins: Coins) -> Iterator[tuple[float, list, list]]:
    """Yield the probability, the coins with their outcomes, and the clicks of every run."""
    waiting: list[list[bool]] = [[]]
    while waiting:
        chosen = waiting.pop()
        used: list[tuple[Key, bool]] = []

        def flip(key: Key, chosen: list[bool] = chosen, used: list = used) -> bool:
            if len(used) == len(chosen):
                raise _NeedsOutcome(key)
            used.append((key, chosen[len(used)]))
            return used[-1][1]

        try:
            clicks = program(docs, flip)
        except _NeedsOutcome as needed:
            options = [
                o for o in (True, False) if (coins[needed.key] if o else 1 - coins[needed.key])
            ]
            waiting += [[*chosen, outcome] for outcome in options]
            continue
        chance = 1.0
        for key, outcome in used:
            chance *= coins[key] if outcome else 1 - coins[key]
        yield chance, used, clicks


def click_chances(program: Program, docs: Sequence[str], coins: Coins) -> dict[tuple, float]:
    """The probability of every click vector."""
    total: dict[tuple, float] = defaultdict(float)
    for chance, _, clicks in runs(program, docs, coins):
        total[tuple(clicks)] += chance
    return total


def improve(
    program: Program,
    log: Sequence[tuple[Sequence[str], Sequence[int]]],
    coins: Coins,
    prior: tuple[float, float] = (0, 0),
    fixed: Sequence[Key] = (),
) -> Coins:
    """One step of expectation maximization."""
    hits: dict[Key, float] = defaultdict(float)
    misses: dict[Key, float] = defaultdict(float)
    for docs, seen in log:
        matching = [r for r in runs(program, docs, coins) if list(r[2]) == list(seen)]
        total = sum(chance for chance, _, _ in matching)
        for chance, used, _ in matching:
            for key, outcome in used:
                (hits if outcome else misses)[key] += chance / total
    return {
        key: value
        if key in fixed or not hits[key] + misses[key] + sum(prior)
        else (hits[key] + prior[0]) / (hits[key] + misses[key] + sum(prior))
        for key, value in coins.items()
    }


def pbm(docs: Sequence[str], flip: Flip) -> list[int]:
    clicks = []
    for rank, doc in enumerate(docs):
        examined = flip(("examination", rank))
        attractive = flip(("attractiveness", doc))
        clicks.append(int(examined and attractive))
    return clicks


def ubm(docs: Sequence[str], flip: Flip) -> list[int]:
    clicks: list[int] = []
    last = 0
    for rank, doc in enumerate(docs):
        examined = flip(("examination", rank, last))
        attractive = flip(("attractiveness", doc))
        clicks.append(int(examined and attractive))
        last = rank + 1 if clicks[-1] else last
    return clicks


def _chain(docs: Sequence[str], flip: Flip, goes_on: Callable[[int, str, bool], bool]) -> list[int]:
    clicks = [0] * len(docs)
    for rank, doc in enumerate(docs):
        clicks[rank] = int(flip(("attractiveness", doc)))
        if rank + 1 < len(docs) and not goes_on(rank, doc, bool(clicks[rank])):
            break
    return clicks


def cascade(docs: Sequence[str], flip: Flip) -> list[int]:
    return _chain(docs, flip, lambda rank, doc, click: not click)


def dcm(docs: Sequence[str], flip: Flip) -> list[int]:
    return _chain(docs, flip, lambda rank, doc, click: not click or flip(("continuation", rank)))


def sdbn(docs: Sequence[str], flip: Flip) -> list[int]:
    return _chain(docs, flip, lambda rank, doc, click: not (click and flip(("satisfaction", doc))))


def dbn(docs: Sequence[str], flip: Flip) -> list[int]:
    def goes_on(rank: int, doc: str, click: bool) -> bool:
        if click and flip(("satisfaction", doc)):
            return False
        return flip(("continuation", 0))

    return _chain(docs, flip, goes_on)


def ccm(docs: Sequence[str], flip: Flip) -> list[int]:
    def goes_on(rank: int, doc: str, click: bool) -> bool:
        if not click:
            return flip(("after_skip", 0))
        satisfied = flip(("attractiveness", doc))
        return flip(("after_satisfied" if satisfied else "after_unsatisfied", 0))

    return _chain(docs, flip, goes_on)


def global_ctr(docs: Sequence[str], flip: Flip) -> list[int]:
    return [int(flip(("rate", 0))) for _ in docs]


def rank_ctr(docs: Sequence[str], flip: Flip) -> list[int]:
    return [int(flip(("rate", rank))) for rank, _ in enumerate(docs)]


def doc_ctr(docs: Sequence[str], flip: Flip) -> list[int]:
    return [int(flip(("rate", doc))) for doc in docs]


PROGRAMS: dict[str, Program] = {
    "global-ctr": global_ctr,
    "rank-ctr": rank_ctr,
    "doc-ctr": doc_ctr,
    "pbm": pbm,
    "ubm": ubm,
    "cascade": cascade,
    "dcm": dcm,
    "sdbn": sdbn,
    "dbn": dbn,
    "ccm": ccm,
}
