"""Over everything that an interleaving method can draw, indifferent users prefer no system."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.behavior.interleaving.balanced import balanced_credit, balanced_list, prepare_debiased
from assay.behavior.interleaving.merged_list import METHODS, MergedList, find_method
from assay.behavior.interleaving.optimized import allowed_lists, optimize_lists
from assay.behavior.interleaving.pairwise_preference import preference_credit
from assay.behavior.interleaving.probabilistic import document_weights, expected_credits
from assay.behavior.interleaving.query_rankings import QueryRankings

NOTHING = np.zeros(0, dtype=np.int64)


class Script:
    """Random numbers that are given in advance: every choice of a method is enumerated."""

    def __init__(self, choices: list[int]) -> None:
        self.choices = choices
        self.sizes: list[int] = []

    def integers(self, size: int) -> int:
        self.sizes.append(size)
        place = len(self.sizes) - 1
        return self.choices[place] if place < len(self.choices) else 0


def every_draw(method: str, rankings: QueryRankings, depth: int) -> Iterator[tuple]:
    """All lists of a method that draws whole numbers evenly, with their probabilities."""
    sampler = find_method(method).prepare(rankings, depth)
    waiting: list[list[int]] = [[]]
    while waiting:
        choices = waiting.pop()
        script = Script(choices)
        merged = sampler(script)
        if len(script.sizes) > len(choices):
            size = script.sizes[len(choices)]
            waiting += [[*choices, n] for n in range(size)]
        else:
            yield Fraction(1, int(np.prod(script.sizes, dtype=object))), merged


def credit_of(
    method: str, rankings: QueryRankings, merged: MergedList, clicked: np.ndarray
) -> np.ndarray:
    credit = find_method(method).credit
    if credit is None:
        return merged.credits[:, clicked].sum(axis=1)
    available = np.array(merged.available or (), dtype=np.int64)
    return credit(rankings.ranks[:, merged.docs], available, clicked)


def click_patterns(length: int) -> list[np.ndarray]:
    return [np.array(bits, dtype=bool) for bits in product([0, 1], repeat=length)]


def expected_difference(method: str, rankings: QueryRankings, clicked: np.ndarray) -> float:
    """The mean difference of credits where users click the same ranks whatever is there."""
    total = 0.0
    for share, merged in every_draw(method, rankings, len(clicked)):
        credit = credit_of(method, rankings, merged, clicked)
        total += float(share) * (credit[0] - credit[1])
    return total


EVEN = ("team-draft", "debiased-balanced", "pairwise-preference", "balanced")


@pytest.mark.parametrize("method", EVEN)
def test_equal_rankers_have_an_expected_credit_of_0(method: str) -> None:
    rankings = QueryRankings.of(["abcd", "abcd"])
    for clicked in click_patterns(4):
        assert expected_difference(method, rankings, clicked) == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize("method", ["team-draft", "debiased-balanced", "pairwise-preference"])
@settings(max_examples=10)
@given(st.permutations("abcd"), st.permutations("abcd"))
def test_users_who_click_by_rank_alone_prefer_nobody(
    method: str, one: list[str], other: list[str]
) -> None:
    rankings = QueryRankings.of([one, other])
    for clicked in click_patterns(4):
        assert expected_difference(method, rankings, clicked) == pytest.approx(0, abs=1e-12)


def test_balanced_credit_is_biased_where_debiased_credit_is_not() -> None:
    """The example of Radlinski and Craswell: a b c d and b c d a."""
    rankings = QueryRankings.of(["abcd", "bcda"])
    clicks = [np.arange(4) == rank for rank in range(4)]
    wins = [
        np.sign(np.subtract(*balanced_credit(rankings.ranks[:, docs], NOTHING, clicked)))
        for first in (0, 1)
        for docs in [balanced_list(rankings, 4, first)]
        for clicked in clicks
    ]
    assert np.mean(wins) == pytest.approx(-0.5)
    debiased = [expected_difference("debiased-balanced", rankings, clicked) for clicked in clicks]
    assert debiased == pytest.approx([0, 0, 0, 0], abs=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_the_system_with_the_relevant_document_first_wins(method: str) -> None:
    rankings = QueryRankings.of(["rxyz", "xyzr"])
    sampler = find_method(method).prepare(rankings, 4)
    total = np.zeros(2)
    for seed in range(300):
        merged = sampler(np.random.default_rng(seed))
        clicked = np.array([rankings.docs[doc] == "r" for doc in merged.docs])
        total += credit_of(method, rankings, merged, clicked)
    assert total[0] > total[1]


def enumerate_assignments(rankings: QueryRankings, docs: tuple[int, ...]) -> np.ndarray:
    """The probability of each system at each rank, by enumerating who each document is from."""
    systems, length = rankings.systems, len(docs)
    totals = np.zeros((systems, length))
    for teams in product(range(systems), repeat=length):
        left = document_weights(rankings)
        joint = 1.0
        for doc, team in zip(docs, teams, strict=True):
            joint *= left[team, doc] / left[team].sum() / systems
            left[:, doc] = 0
        for rank, team in enumerate(teams):
            totals[team, rank] += joint
    return totals / totals.sum(axis=0)


@given(st.permutations("abcde"), st.permutations("abcde"), st.permutations(range(5)))
def test_probabilistic_credit_equals_enumeration(
    one: list[str], other: list[str], docs: list[int]
) -> None:
    rankings = QueryRankings.of([one, other])
    shown = tuple(docs[:4])
    assert np.allclose(
        expected_credits(rankings, shown), enumerate_assignments(rankings, shown), atol=1e-12
    )


def test_probabilistic_credit_of_three_systems_equals_enumeration() -> None:
    rankings = QueryRankings.of(["abcd", "bcda", "dbac"])
    for docs in permutations(range(4)):
        expected = enumerate_assignments(rankings, docs[:3])
        assert np.allclose(expected_credits(rankings, docs[:3]), expected, atol=1e-12)


def list_probability(rankings: QueryRankings, docs: tuple[int, ...]) -> float:
    """The probability that a probabilistic list is drawn, over all assignments."""
    left = document_weights(rankings)
    joint = 1.0
    for doc in docs:
        joint *= np.mean(left[:, doc] / left.sum(axis=1))
        left[:, doc] = 0
    return joint


def test_probabilistic_credit_is_unbiased() -> None:
    rankings = QueryRankings.of(["abcd", "bcda"])
    total = np.zeros(4)
    for docs in permutations(range(4)):
        credit = expected_credits(rankings, docs)
        total += list_probability(rankings, docs) * (credit[0] - credit[1])
    assert total[:3] == pytest.approx([0, 0, 0], abs=1e-12)


@given(st.permutations("abcdef"), st.permutations("abcdef"), st.integers(1, 5))
def test_optimized_lists_meet_their_constraints_exactly(
    one: list[str], other: list[str], depth: int
) -> None:
    found = optimize_lists(QueryRankings.of([one, other]), depth)
    assert sum(found.probabilities) == 1
    assert min(found.probabilities) >= 0
    assert found.bias == (0,) * depth


def test_optimized_lists_exist_for_all_pairs_of_rankings() -> None:
    docs = "abcde"
    for other in permutations(docs):
        assert set(optimize_lists(QueryRankings.of([docs, other]), 4).bias) == {0}


def test_optimized_lists_end_where_there_are_fewer_lists_than_draws() -> None:
    rankings = QueryRankings.of(["ab", "ab"])
    assert allowed_lists(rankings, 10) == [(0, 1)]
    sampler = find_method("optimized").prepare(rankings, 10)
    assert sampler(np.random.default_rng(1)).docs == (0, 1)


def test_optimized_lists_take_every_document_from_the_top_of_a_system() -> None:
    rankings = QueryRankings.of(["abcdef", "fedcba"])
    lists = allowed_lists(rankings, 3)
    assert len(lists) == 8
    tops = {("a", "b"), ("a", "f"), ("f", "a"), ("f", "e")}
    assert {tuple(rankings.docs[n] for n in docs[:2]) for docs in lists} == tops


def test_preferences_by_hand() -> None:
    """Clicks on rank 2 of a b c: b over a (skipped above) and over c (next below)."""
    rankings = QueryRankings.of(["abc", "bca"])
    ranks = rankings.ranks[:, [0, 1, 2]]
    credit = preference_credit(ranks, np.array([2, 2, 1]), np.array([False, True, False]))
    # b and a can both be first; c only from rank 2 on, so b and c would both have to be there:
    # b is at rank 2 and was not drawn at rank 1 with probability 1/2.
    assert credit.tolist() == [-1 + 2, 1 + 2]


def test_debiased_credits_of_the_two_lists_cancel() -> None:
    rankings = QueryRankings.of(["abcde", "cadbe"])
    sampler = prepare_debiased(rankings, 4)
    drawn = {
        merged.docs: merged.credits for _, merged in every_draw("debiased-balanced", rankings, 4)
    }
    assert len(drawn) == 2
    assert np.allclose(sum(drawn.values()), 0)
    assert sampler(np.random.default_rng(0)).docs in drawn


def test_team_draft_teams_differ_by_at_most_one_at_each_even_rank() -> None:
    rankings = QueryRankings.of(["abcdef", "fedcba", "cdefab"])
    for seed in range(20):
        merged = find_method("team-draft").prepare(rankings, 6)(np.random.default_rng(seed))
        for end in range(1, 7):
            counts = [merged.teams[:end].count(team) for team in range(3)]
            assert max(counts) - min(counts) <= 1
        assert len(set(merged.docs)) == 6


def test_more_than_two_systems_need_a_multileaving_method() -> None:
    from assay.core.errors import UsageError

    for name in METHODS:
        method = find_method(name)
        if method.most_systems is None:
            method.check(5)
        else:
            with pytest.raises(UsageError, match="for more use team-draft"):
                method.check(3)
