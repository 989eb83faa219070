"""Fusion: the scores of ranx where it is right, laws, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from tests.conftest import ROOT

from assay.cli.application import application
from assay.core.errors import UsageError
from assay.fusion.fuse import fuse
from assay.fusion.fusion_methods import METHODS, NORMALIZATIONS

RANX = json.loads((ROOT / "tests/oracles/ranx.json").read_text())
"""What ranx says; ``scripts/values_from_ranx.py`` made it."""
DOCS = [f"d{n}" for n in range(12)]


def _runs(seed: int = 3, count: int = 3) -> list[dict[str, dict[str, float]]]:
    draw = np.random.default_rng(seed)
    return [
        {
            f"q{q}": {
                doc: float(score)
                for doc, score in zip(
                    draw.choice(DOCS, 8, replace=False), draw.permutation(40)[:8], strict=True
                )
            }
            for q in range(4)
        }
        for _ in range(count)
    ]


def _scores(run: Any) -> dict[tuple[str, str], float]:
    return {(query, doc): score for query, doc, score, _ in run.frame.iter_rows()}


@pytest.mark.parametrize("case", RANX["fused"], ids=lambda case: f"{case['method']}-{case['norm']}")
def test_methods_equal_ranx(case: dict[str, Any]) -> None:
    expected = {
        (query, doc): score for query, docs in case["scores"].items() for doc, score in docs.items()
    }
    method = case["method"].removesuffix("fuse")
    norm = {"normalize": case["norm"]} if case["norm"] else {}
    assert _scores(fuse(RANX["runs"], method, **norm)) == pytest.approx(expected, rel=1e-12)


def test_weighted_sum_by_hand() -> None:
    runs = [{"1": {"a": 3.0, "b": 1.0}}, {"1": {"b": 4.0, "c": 2.0}}]
    fused = fuse(runs, "sum", normalize="none", weights=[1, 0.5])
    assert fused.frame.rows() == [("1", "b", 3.0, 1), ("1", "a", 3.0, 2), ("1", "c", 1.0, 3)]


def test_the_winner_of_every_duel_is_first() -> None:
    runs = [{"1": {"a": 3.0, "b": 2.0, "c": 1.0}}, {"1": {"a": 3.0, "c": 2.0}}, {"1": {"c": 2.0}}]
    fused = fuse(runs, "condorcet").frame
    # a beats b and draws with c over the lists that have either; c beats b.
    assert fused["doc"].to_list() == ["a", "c", "b"]


@given(st.integers(0, 10**6), st.sampled_from(sorted(METHODS)))
def test_a_run_fused_with_itself_keeps_its_order(seed: int, method: str) -> None:
    run = _runs(seed, 1)[0]
    fused = fuse([run, run], method).frame
    for query, docs in run.items():
        own = fused.filter(query=query)["doc"].to_list()
        assert own == sorted(docs, key=docs.__getitem__, reverse=True)


@pytest.mark.parametrize("method", sorted(METHODS))
def test_the_order_of_lines_does_not_matter(method: str) -> None:
    runs = _runs()
    turned = [
        {query: dict(reversed(docs.items())) for query, docs in reversed(run.items())}
        for run in runs
    ]
    assert fuse(runs, method).frame.equals(fuse(turned, method).frame)


@pytest.mark.parametrize("norm", sorted(NORMALIZATIONS))
def test_equal_scores_are_no_trouble(norm: str) -> None:
    runs = [{"1": {"a": 1.0, "b": 1.0}}, {"1": {"c": 0.0}}]
    assert np.isfinite(fuse(runs, "sum", normalize=norm).frame["score"].to_numpy()).all()


def test_a_query_of_one_run_only_is_kept() -> None:
    fused = fuse([{"1": {"a": 1.0}}, {"2": {"b": 1.0}}], "borda").frame
    assert fused["query"].to_list() == ["1", "2"]


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"method": "rff"}, "there is no method 'rff'.*Did you mean rrf"),
        ({"normalize": "minmxa"}, "Did you mean min-max"),
        ({"weights": [1]}, "1 weight for 2 runs"),
        ({"weights": [1, -2]}, "the weight of run .2. is -2"),
        ({"p": 1}, "p is 1"),
        ({"k": -1}, "k is -1"),
    ],
)
def test_bad_settings_are_refused(options: dict, complaint: str) -> None:
    with pytest.raises(UsageError, match=complaint):
        fuse([{"1": {"a": 1.0}}, {"1": {"a": 2.0}}], **options)


def test_one_run_is_refused() -> None:
    with pytest.raises(UsageError, match="one run alone"):
        fuse({"1": {"a": 1.0}})


def test_the_command_writes_a_run(tmp_path: Path) -> None:
    for name, lines in {"x": "1 Q0 a 1 3 x\n1 Q0 b 2 1 x\n", "y": "1 Q0 b 1 9 y\n"}.items():
        (tmp_path / name).write_text(lines)
    arguments = ["fuse", str(tmp_path / "x"), str(tmp_path / "y"), "--method", "isr"]
    shown = CliRunner().invoke(application, arguments)
    assert shown.exit_code == 0
    assert shown.output == "1 Q0 b 1 2.5 isr\n1 Q0 a 2 1.0 isr\n"


def test_max_refuses_lists_whose_best_score_is_not_above_zero() -> None:
    logs = {"1": {"a": -1.0, "b": -2.0}}
    other = {"1": {"a": 2.0, "b": 1.0}}
    with pytest.raises(UsageError, match="the best score of query 1 is -1, and max divides"):
        fuse({"logs": logs, "other": other}, "sum", normalize="max")
    assert fuse({"logs": logs, "other": other}, "rrf", normalize="max").frame.height == 2
    assert _scores(fuse([other, other], "sum", normalize="max"))["1", "b"] == 1.0
