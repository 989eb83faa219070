"""Preferences: what trec_eval prints, compatibility as published, and cases by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest

import assay
from assay.tasks.preferences import preferences
from assay.testing import preferred, rankings


def _printed(path: Path, word: str) -> list[list[str]]:
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    return [fields for fields in lines if word in fields[0]]


def _differences(
    scores: assay.Scores, printed: list[list[str]], names: list[str]
) -> Iterator[tuple[str, ...]]:
    """What differs from what is printed; trec_eval shows and averages 0 for what is undefined."""
    for name, result in zip(names, scores.results, strict=True):
        values = np.nan_to_num(result.values)
        total = values.sum() if result.aggregate == "sum" else values.mean()
        got = dict(zip(result.units, values, strict=True)) | {"all": total}
        for _, query, text in (row for row in printed if row[0] == name):
            shown = f"{got[query]:.4f}" if "." in text else str(int(got[query]))
            if shown != text:
                yield name, query, text, shown


@pytest.mark.shared
@pytest.mark.parametrize(
    ("form", "judged", "run", "output"),
    [
        ("levels", "prefs.test", "prefs.results.test", "out.test.prefs"),
        ("levels", "prefs.comment.test", "prefs.results.test", "out.test.prefs"),
        ("qrels", "qrels.test", "results.test", "out.test.qrels_prefs"),
    ],
)
def test_trec_eval_prints_the_same(
    shared_data: Path, form: str, judged: str, run: str, output: str
) -> None:
    folder = shared_data / "trec_eval"
    printed = _printed(folder / output, "prefs")
    names = list(dict.fromkeys(name for name, _, _ in printed))
    assert len(names) == 14
    scores = preferences(
        folder / judged,
        folder / run,
        names,
        form=form,
        profile="trec_eval-prefs",
        bootstrap=None,
    )
    assert list(_differences(scores, printed, names)) == []


@pytest.mark.shared
@pytest.mark.parametrize("judged", ["qrels.123", "qrels.comments.123"])
def test_judgment_groups_as_trec_eval_prints_them(shared_data: Path, judged: str) -> None:
    folder = shared_data / "trec_eval"
    printed = _printed(folder / "out.test.qrels_jg", "avgjg")
    names = list(dict.fromkeys(name for name, _, _ in printed))
    scores = assay.retrieval(
        folder / judged, folder / "results.test", names, profile="trec_eval-10", bootstrap=None
    )
    assert list(_differences(scores, printed, names)) == []


@pytest.mark.shared
def test_compatibility_as_published(shared_data: Path) -> None:
    folder = shared_data / "ir_measures"
    expected = json.loads((folder / "compat_expected.json").read_text())
    for key in ("p=0.95", "p=0.9", "p=0.8"):
        name = f"Compat({key})"
        scores = assay.retrieval(folder / "compat.qrels", folder / "compat.run", name)
        result = scores.results[0]
        for query, value in zip(result.units, result.values, strict=True):
            assert value == pytest.approx(expected[key][query], abs=1e-9)
        if "mean" in expected[key]:
            assert result.value == pytest.approx(expected[key]["mean"], abs=1e-8)


def _overlap(one: list[str], other: list[str], p: float, depth: int) -> float:
    sums = [p ** (i - 1) * len(set(one[:i]) & set(other[:i])) / i for i in range(1, depth + 1)]
    return sum(sums)


def test_compatibility_is_the_best_overlap_with_any_ideal() -> None:
    listed, grades = list("abcde"), {"a": 1, "b": 2, "d": 2, "e": 1, "f": 2}
    ideals = [list(top) + list(rest) for top in permutations("bdf") for rest in permutations("ae")]
    best = max(_overlap(listed, ideal, 0.8, 20) for ideal in ideals)
    perfect = _overlap(ideals[0], ideals[0], 0.8, 20)
    drawn = rankings("12?21|2")
    assert grades == {"a": 1, "b": 2, "d": 2, "e": 1, "f": 2}
    assert assay.measure("Compat(p=0.8)@20")(drawn)[0] == pytest.approx(best / perfect)


def test_a_perfect_order_is_fully_compatible() -> None:
    assert assay.measure("Compat")(rankings("3221"))[0] == pytest.approx(1)


def test_several_users() -> None:
    table = {
        "query": ["1"] * 6,
        "group": ["u", "u", "v", "v", "w", "w"],
        "subgroup": ["0"] * 6,
        "doc": ["a", "b"] * 3,
        "level": [2, 1, 2, 1, 1, 2],
    }
    run = {"1": {"a": 2.0, "b": 1.0}}
    scores = preferences(table, run, "prefs_simp prefs_pair prefs_avgjg", bootstrap=None)
    assert [each.value for each in scores.results] == pytest.approx([2 / 3, 2 / 3, 2 / 3])


def test_what_follows_is_counted_too() -> None:
    table = {
        "query": ["1"] * 4,
        "group": ["u"] * 4,
        "subgroup": ["0", "0", "1", "1"],
        "doc": ["a", "b", "b", "c"],
        "level": [2, 1, 2, 1],
    }
    scores = preferences(table, {"1": {"c": 1.0, "a": 2.0}}, "prefs_possible prefs_fulfilled")
    assert [each.value for each in scores.results] == [3.0, 2.0]


def test_precision_and_recall_of_preferences_by_hand() -> None:
    view = preferred("acb", "a>b", "b>c", "c>d")
    # a above b: fulfilled, weight 1; c above b: not, weight .631; c and not d: fulfilled, .631.
    assert assay.measure("ppref@1")(view)[0] == 1.0
    assert assay.measure("rpref@2")(view)[0] == pytest.approx(2 / 3)
    weight = 1 / np.log2(3)
    assert assay.measure("wpref")(view)[0] == pytest.approx((1 + weight) / (1 + 2 * weight))


def test_nothing_retrieved_is_undefined_for_retrieved_pairs_only() -> None:
    view = preferred("x", "a>b")
    assert assay.measure("prefs_simp")(view)[0] == 0.0
    assert np.isnan(assay.measure("prefs_simp(pairs=both)")(view)[0])
