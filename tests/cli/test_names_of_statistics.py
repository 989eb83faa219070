"""Tests, methods and goals by the names that other tools and papers use."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from tests.cli.terminal import call

import assay
from assay import AssayError

SCORES = np.random.default_rng(3).random((12, 3))


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = [
        f"{system},{unit},{SCORES[unit, column]}"
        for column, system in enumerate("abc")
        for unit in range(len(SCORES))
    ]
    Path("scores.csv").write_text("system,unit,AP\n" + "\n".join(rows) + "\n")
    random = np.random.default_rng(4)
    items = [
        f"{'yes' if truth else 'no'},{random.normal(truth)},{random.normal(truth)}"
        for truth in random.integers(0, 2, 60)
    ]
    Path("p.csv").write_text("truth,one,two\n" + "\n".join(items) + "\n")


def test_nemenyi_is_what_friedman_reports_for_the_pairs() -> None:
    found = assay.compare("scores.csv", test="nemenyi")
    assert found.pairs.equals(assay.compare("scores.csv", test="friedman").pairs)
    assert "the test nemenyi is called friedman here" in " ".join(found.warnings)
    ranks = stats.rankdata(SCORES, axis=1).mean(axis=0)
    error = np.sqrt(3 * 4 / (6 * len(SCORES)))
    q = abs(ranks[0] - ranks[1]) / error * np.sqrt(2)
    p = float(stats.studentized_range.sf(q, 3, np.inf))
    own = found.pairs.row(0, named=True)
    assert own["p"] == pytest.approx(p, rel=1e-4)
    assert call("compare", "scores.csv", "--test", "Nemenyi").code == 0


def areas(measure: str, *more: str) -> tuple[str, ...]:
    """The words of a comparison of two scores."""
    columns = ("--truth", "truth", "--score", "one", "--score", "two", "--positive", "yes")
    return ("compare", "classification", "p.csv", *columns, "-m", measure, *more)


def test_delong_compares_areas_and_nothing_else() -> None:
    named = call(*areas("AUC", "--test", "delong", "--format", "json"))
    assert named.code == 0, named.err
    assert named.out == call(*areas("AUC", "--format", "json")).out
    assert "delong" not in named.err
    refused = call(*areas("AP", "--test", "delong"))
    assert refused.code == 2
    assert "DeLong's test compares areas under the ROC curve (AUC, Gini), not AP" in refused.err


@pytest.mark.parametrize(
    ("other", "ours"),
    [("ds", "dawid-skene"), ("DawidSkene", "dawid-skene"), ("mv", "majority"), ("MACE", "mace")],
)
def test_methods_of_aggregation(other: str, ours: str) -> None:
    rows = {"item": list("xxyy"), "assessor": list("1212"), "label": list("aabb")}
    found = assay.aggregate(rows, other)
    assert found.method == ours
    assert found.labels.equals(assay.aggregate(rows, ours).labels)


@pytest.mark.parametrize(
    ("other", "ours"),
    [
        ("recall:0.95", "sensitivity:0.95"),
        ("tpr:0.9", "sensitivity:0.9"),
        ("fpr:0.1", "fallout:0.1"),
        ("ppv:0.6", "precision:0.6"),
    ],
)
def test_goals_that_require_a_rate(other: str, ours: str) -> None:
    words = ("threshold", "p.csv", "--truth", "truth", "--score", "one", "--positive", "yes")
    named, known = (call(*words, "--goal", goal, "--format", "json") for goal in (other, ours))
    assert named.code == 0, named.err
    assert named.out.replace(other, ours) == known.out


def test_resamples_and_permutations_have_a_limit() -> None:
    for option, value in (("--resamples", "1000000000"), ("--permutations", "1000000000000")):
        done = call("compare", "scores.csv", option, value)
        assert done.code == 2
        assert "must be at most" in done.err
    with pytest.raises(AssayError, match="resamples must be at most 10,000,000"):
        assay.Bootstrap(resamples=10**20)


@pytest.mark.parametrize("share", ["-1", "0", "nan", "inf"])
def test_a_share_of_test_items_is_above_zero(share: str) -> None:
    done = call("compare", "scores.csv", "--test-share", share)
    assert done.code == 2
    assert "the share of test to training items is above 0" in done.err
