from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay import AssayError, catalogue, measure
from assay.core.names import declared_variants
from assay.evidence.views.contingency import Contingency
from assay.testing import clusters, memberships

WHOLE = [
    each
    for one in catalogue().of_task("clustering")
    if one.view is Contingency
    for each in declared_variants(one)
]


def test_single_items_are_pure() -> None:
    assert measure("purity")(clusters("a", "b", "a", "c"))[0] == 1


def test_one_cluster_is_inversely_pure() -> None:
    assert measure("inverse_purity")(clusters("abac"))[0] == 1


def test_bcubed_by_hand() -> None:
    # Cluster 1: (25 + 1)/6, cluster 2: (1 + 16 + 1)/6, cluster 3: (4 + 9)/5.
    drawn = clusters("xxxxxo", "xooood", "xxddd")
    precision = (26 / 6 + 18 / 6 + 13 / 5) / 17
    # x: (25 + 1 + 4)/8, o: (1 + 16)/5, d: (1 + 9)/4.
    recall = (30 / 8 + 17 / 5 + 10 / 4) / 17
    assert measure("B3P")(drawn)[0] == pytest.approx(precision)
    assert measure("B3R")(drawn)[0] == pytest.approx(recall)
    assert measure("B3F")(drawn)[0] == pytest.approx(2 * precision * recall / (precision + recall))


@pytest.mark.parametrize(
    ("name", "drawn", "reason"),
    [
        ("NMI", ("aaa",), "only one cluster and only one class"),
        ("V", ("aaa",), "only one cluster and only one class"),
        ("AMI", ("aaa",), "only one cluster"),
        ("ARI", ("aaa",), "both one group"),
        ("ARI", ("a", "b", "c"), "both single items"),
        ("homogeneity", ("aa", "a"), "only one class"),
        ("completeness", ("abc",), "only one cluster"),
        ("RI", ("a",), "fewer than two items"),
        ("pairP", ("a", "a", "b"), "in one cluster"),
        ("pairR", ("ab", "c"), "of one class"),
        ("FM", ("a", "b"), "of one class"),
        ("pairJaccard", ("a", "b"), "of one class"),
    ],
)
def test_undefined_with_its_reason(name: str, drawn: Any, reason: str) -> None:
    rows = [(n, mark) for n, word in enumerate(drawn) for mark in word]
    data = {"cluster": [n for n, _ in rows], "class": [mark for _, mark in rows]}
    result = assay.clustering(data, name, bootstrap=None).of(name)[0]
    assert np.isnan(result.value)
    assert reason in result.reasons[0]


@pytest.mark.parametrize("asked", WHOLE, ids=str)
def test_an_empty_table_is_undefined_or_without_pairs(asked: Any) -> None:
    empty = Contingency.of(np.zeros((2, 2)), ("a", "b"), ("x", "y"))
    value = asked(empty)[0]
    assert np.isnan(value) or value == 0


@pytest.mark.parametrize("asked", WHOLE, ids=str)
def test_parts_add_up_to_the_whole(asked: Any) -> None:
    one = Contingency.of(np.asarray([[3.0, 0], [1, 2]]), ("a", "b"), ("x", "y"))
    two = Contingency.of(np.asarray([[4.0, 1], [0, 2]]), ("b", "c"), ("y", "z"))
    whole = np.asarray([[3.0, 0, 0], [1, 6, 1], [0, 0, 2]])
    together = Contingency.of(whole, ("a", "b", "c"), ("x", "y", "z"))
    assert np.array_equal((one + two).dense(), together.dense())
    assert asked(one + two)[0] == asked(together)[0]


@pytest.mark.parametrize("asked", WHOLE, ids=str)
def test_resamples_at_once_equal_each_alone(asked: Any) -> None:
    counts = np.random.default_rng(2).integers(0, 9, (4, 3)).astype(float)
    view = Contingency.of(counts, tuple("abcd"), tuple("xyz"))
    drawn = np.random.default_rng(3).multinomial(60, view.cells / view.cells.sum(), 5).astype(float)
    alone = [asked(view.reweight(row[None, :]))[0] for row in drawn]
    assert np.array_equal(asked(view.reweight(drawn)), alone, equal_nan=True)


def test_overlapping_bcubed_equals_bcubed_where_nothing_overlaps() -> None:
    words = ("xxxxxo", "xooood", "xxddd")
    members = {
        f"i{n}{m}": (f"k{n}", mark) for n, word in enumerate(words) for m, mark in enumerate(word)
    }
    for name in ("B3P", "B3R"):
        whole = measure(name)(clusters(*words))[0]
        assert measure(f"e{name}")(memberships(**members)).mean() == pytest.approx(whole)


def test_overlapping_bcubed_sees_a_copied_cluster() -> None:
    # Amigó and others 2009: multiplicity matters. Two items share two clusters but one class.
    twice = memberships(a=("k1 k2", "x"), b=("k1 k2", "x"))
    assert measure("eB3P")(twice).tolist() == [0.5, 0.5]
    assert measure("eB3R")(twice).tolist() == [1, 1]


def test_an_item_in_two_clusters_is_refused_except_by_measures_for_it() -> None:
    data = {"i": ["d1", "d2", "d1"], "cluster": ["a", "a", "b"], "class": ["x", "y", "x"]}
    with pytest.raises(AssayError, match=r"row 3: the item d1 stands twice, first at .*row 1"):
        assay.clustering(data, "purity", item="i")
    assert assay.clustering(data, "eB3P", item="i")["eB3P"]["cluster"] > 0
    with pytest.raises(AssayError, match="need the name of each item"):
        assay.clustering(data, "eB3P")


def test_a_missing_class_is_named_by_its_row(tmp_path: Path) -> None:
    path = tmp_path / "clusters.csv"
    path.write_text("c,topic\n1,a\n2,\n")
    with pytest.raises(AssayError, match=r"clusters.csv:3: there is no class"):
        assay.clustering(path, cluster="c", classes="topic")


def test_no_rows_are_refused() -> None:
    empty = pl.DataFrame({"cluster": [], "class": []}, schema={"cluster": str, "class": str})
    with pytest.raises(AssayError, match="no rows"):
        assay.clustering(empty)


def test_many_clusters_and_classes_stay_small() -> None:
    names = np.arange(50_000)
    scores = assay.clustering({"cluster": names, "class": names // 2}, "ARI", bootstrap=None)
    assert 0 <= scores["ARI"]["cluster"] <= 1
