"""Fusion of scores near the largest double, against exact fractions; scores that are not finite."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Context, Decimal
from fractions import Fraction
from pathlib import Path

import pytest
from tests.cli.terminal import call

from assay.core.errors import DataError, UsageError
from assay.fusion.fuse import fuse

RUNS: list[dict[str, float]] = [
    {"a": 1e308, "b": -1e308, "c": 1.0},
    {"a": 1e308, "b": -1e308, "c": 2.0},
    {"a": -1.5e308, "b": 1.5e308, "d": 1e-300},
]
List = dict[str, Fraction]


def _root(number: Fraction) -> Fraction:
    digits = Context(prec=60, Emax=10**6, Emin=-(10**6))
    found = digits.sqrt(digits.divide(Decimal(number.numerator), Decimal(number.denominator)))
    return Fraction(found)


def _min_max(scores: List) -> List:
    low, high = min(scores.values()), max(scores.values())
    return {doc: (score - low) / (high - low) for doc, score in scores.items()}


def _shares(scores: List) -> List:
    low = min(scores.values())
    total = sum(score - low for score in scores.values())
    return {doc: (score - low) / total for doc, score in scores.items()}


def _standard(scores: List) -> List:
    mean = sum(scores.values(), Fraction()) / len(scores)
    spread = _root(sum(((s - mean) ** 2 for s in scores.values()), Fraction()) / len(scores))
    return {doc: (score - mean) / spread for doc, score in scores.items()}


def _ranks(scores: List) -> List:
    order = sorted(scores, key=lambda doc: scores[doc], reverse=True)
    return {doc: 1 - Fraction(order.index(doc), len(order)) for doc in scores}


def _median(scores: list[Fraction]) -> Fraction:
    order = sorted(scores)
    return (order[(len(order) - 1) // 2] + order[len(order) // 2]) / 2


NORMALIZATIONS: dict[str, Callable[[List], List]] = {
    "none": lambda scores: scores,
    "min-max": _min_max,
    "max": lambda scores: {doc: s / max(scores.values()) for doc, s in scores.items()},
    "sum": _shares,
    "zmuv": _standard,
    "rank": _ranks,
}
METHODS: dict[str, Callable[[list[Fraction]], Fraction]] = {
    "sum": lambda scores: sum(scores, Fraction()),
    "mnz": lambda scores: sum(scores, Fraction()) * len(scores),
    "anz": lambda scores: sum(scores, Fraction()) / len(scores),
    "min": min,
    "max": max,
    "med": _median,
}


@pytest.mark.parametrize("normalize", NORMALIZATIONS)
@pytest.mark.parametrize("method", METHODS)
def test_large_scores_give_the_finite_number(method: str, normalize: str) -> None:
    lists = [
        NORMALIZATIONS[normalize]({doc: Fraction(score) for doc, score in run.items()})
        for run in RUNS
    ]
    expected = {
        doc: float(METHODS[method]([each[doc] for each in lists if doc in each])) for doc in "abcd"
    }
    fused = fuse([{"q": run} for run in RUNS], method, normalize=normalize)
    found = {doc: score for _, doc, score, _ in fused.frame.iter_rows()}
    assert found == pytest.approx(expected, rel=1e-12, abs=1e-15 if normalize != "none" else 0)


@pytest.mark.parametrize("method", ["rrf", "isr", "rbc", "borda", "condorcet"])
def test_methods_by_rank_do_not_look_at_the_size(method: str) -> None:
    small = [{doc: score / 1e306 for doc, score in run.items()} for run in RUNS]
    large = fuse([{"q": run} for run in RUNS], method)
    assert large.frame.equals(fuse([{"q": run} for run in small], method).frame)


def test_weights_of_large_scores() -> None:
    fused = fuse([{"q": run} for run in RUNS], "sum", normalize="none", weights=[4, 2, 4])
    scores = dict(fused.frame.select("doc", "score").iter_rows())
    assert scores == {"a": 0.0, "b": 0.0, "c": 8.0, "d": 4e-300}


def test_a_sum_that_no_number_holds_is_refused() -> None:
    with pytest.raises(UsageError, match=r"document a for query q is too large .*min-max"):
        fuse([{"q": RUNS[0]}, {"q": RUNS[1]}], "sum", normalize="none")


@pytest.mark.parametrize("method", ["rrf", "sum", "mnz", "borda"])
@pytest.mark.parametrize("word", ["inf", "-inf", "nan"])
def test_scores_that_are_not_finite_are_refused(tmp_path: Path, method: str, word: str) -> None:
    one, two = tmp_path / "one.run", tmp_path / "two.run"
    one.write_text("q Q0 a 1 2 x\nq Q0 b 2 1 x\n")
    two.write_text(f"q Q0 a 1 2 y\nq Q0 b 2 {word} y\n")
    done = call("fuse", str(one), str(two), "--method", method)
    assert (done.code, done.out) == (1, "")
    said = " ".join(done.err.split())
    assert f"{two}:2: the score " in said
    assert ("NaN" if word == "nan" else "is infinite") in said


def test_nan_that_is_kept_is_refused_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.run").write_text("q Q0 a 1 2 x\nq Q0 b 2 nan x\n")
    with pytest.raises(DataError, match=r"a\.run:2: the score of document b .*not a number"):
        fuse([tmp_path / "a.run", {"q": RUNS[0]}], "sum", policies={"nan_scores": "keep"})
