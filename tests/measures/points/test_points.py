"""Groupings by the points alone, beside scikit-learn and by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

import assay
from assay import AssayError, measure
from assay.evidence import distances
from assay.evidence.views.points import Points
from assay.testing import placed


def blobs(size: int = 300, groups: int = 5, width: int = 4, seed: int = 0) -> Any:
    random = np.random.default_rng(seed)
    codes = random.integers(0, groups, size)
    return random.normal(size=(size, width)) + codes[:, None] * 0.8 + 3, codes


def view(features: Any, codes: Any, **more: Any) -> Any:
    names = tuple(f"k{n}" for n in range(codes.max() + 1))
    return Points.of(names, codes, features=features, **more)


@pytest.fixture
def narrow_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks so narrow that clusters and blocks cross in every way."""
    monkeypatch.setattr(distances, "ACROSS", 17)


@pytest.mark.oracle
@pytest.mark.usefixtures("narrow_blocks")
@pytest.mark.parametrize(
    ("distance", "theirs"),
    [
        ("euclidean", "euclidean"),
        ("squared", "sqeuclidean"),
        ("cosine", "cosine"),
        ("manhattan", "manhattan"),
    ],
)
def test_silhouette_equals_scikit_learn(distance: str, theirs: str) -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    features, codes = blobs()
    order = np.argsort(codes, kind="stable")
    expected = metrics.silhouette_samples(features, codes, metric=theirs)[order]
    ours = measure(f"silhouette(distance={distance})")(view(features, codes))
    assert ours == pytest.approx(expected, abs=1e-12)


@pytest.mark.oracle
def test_silhouette_from_a_matrix_equals_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    features, codes = blobs(80)
    matrix = metrics.pairwise_distances(features, metric="chebyshev")
    expected = metrics.silhouette_score(matrix, codes, metric="precomputed")
    data = pl.DataFrame(matrix, schema=[f"d{n}" for n in range(80)]).with_columns(c=codes)
    scores = assay.clustering(
        data, "silhouette", cluster="c", features="d*", distance="precomputed", bootstrap=None
    )
    assert scores["silhouette"]["c"] == pytest.approx(expected)


@pytest.mark.oracle
def test_indices_equal_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    features, codes = blobs()
    seen = view(features, codes)
    assert measure("DB")(seen)[0] == pytest.approx(metrics.davies_bouldin_score(features, codes))
    assert measure("CH")(seen)[0] == pytest.approx(metrics.calinski_harabasz_score(features, codes))


@pytest.mark.usefixtures("narrow_blocks")
@pytest.mark.parametrize("distance", ["euclidean", "squared", "cosine", "manhattan"])
def test_means_and_extremes_equal_those_of_all_pairs(distance: str) -> None:
    spatial = pytest.importorskip("scipy.spatial.distance")
    theirs = {"squared": "sqeuclidean", "manhattan": "cityblock"}.get(distance, distance)
    features, codes = blobs(60)
    table = spatial.squareform(spatial.pdist(features, theirs))
    same = codes[:, None] == codes
    other = ~np.eye(60, dtype=bool)
    seen = view(features, codes)

    def ours(name: str) -> Any:
        return measure(f"{name}(distance={distance})")(seen)[0]

    assert ours("within_distance") == pytest.approx(table[same & other].mean())
    assert ours("between_distance") == pytest.approx(table[~same].mean())
    assert ours("Dunn") == pytest.approx(table[~same].min() / table[same].max())
    if distance == "cosine":
        cosines = 1 - table
        assert measure("within_similarity")(seen)[0] == pytest.approx(cosines[same & other].mean())
        assert measure("between_similarity")(seen)[0] == pytest.approx(cosines[~same].mean())


def test_squares_add_up() -> None:
    seen = view(*blobs())
    parts = measure("WSS")(seen)[0] + measure("BSS")(seen)[0]
    assert parts == pytest.approx(measure("TSS")(seen)[0])


def test_simplified_silhouette_by_hand() -> None:
    # The means are .5 and 6: point 0 is .5 from its own and 6 from the other.
    values = measure("silhouette(form=simplified)")(placed("aabb", [0, 1, 5, 7]))
    assert values == pytest.approx([5.5 / 6, 4.5 / 5, 3.5 / 4.5, 5.5 / 6.5])


@pytest.mark.parametrize(
    ("name", "drawn"),
    [
        ("silhouette", placed("aaa", [0, 1, 2])),
        ("DB", placed("aaa", [0, 1, 2])),
        ("DB", placed("aabb", [0, 2, 1, 1])),
        ("CH", placed("aaa", [0, 1, 2])),
        ("CH", placed("abc", [0, 1, 2])),
        ("CH", placed("aabb", [0, 0, 1, 1])),
        ("Dunn", placed("aaa", [0, 1, 2])),
        ("Dunn", placed("abc", [0, 1, 2])),
        ("within_distance", placed("abc", [0, 1, 2])),
        ("between_distance", placed("aaa", [0, 1, 2])),
        ("explained_squares", placed("ab", [1, 1])),
    ],
)
def test_undefined(name: str, drawn: Any) -> None:
    assert np.isnan(measure(name)(drawn)).all()
    assert measure(name).definition.undefined.truth


def test_a_single_point_scores_zero_in_every_form() -> None:
    for form in ("usual", "lecture", "simplified"):
        values = measure(f"silhouette(form={form})")(placed("aab", [0, 1, 5]))
        assert values[2] == 0


def test_order_of_lines_and_names_of_columns_change_no_bit() -> None:
    features, codes = blobs(200, width=3)
    frame = pl.DataFrame(features, schema=["x1", "x2", "x3"]).with_columns(c=codes)
    names = "silhouette silhouette(distance=cosine) DB CH Dunn within_distance"
    one = assay.clustering(frame, names, cluster="c", features="x*", bootstrap=None)
    two = assay.clustering(
        frame.sample(fraction=1, shuffle=True, seed=1),
        names,
        cluster="c",
        features="x*",
        bootstrap=None,
    )
    for name in one.measures:
        assert one[name] == two[name]


def test_a_list_column_holds_coordinates() -> None:
    features, codes = blobs(50)
    frame = pl.DataFrame({"c": codes, "vector": features.tolist()})
    scores = assay.clustering(frame, "DB", cluster="c", features="vector", bootstrap=None)
    assert scores["DB"]["c"] == pytest.approx(measure("DB")(view(features, codes))[0])


def test_progress_ends_at_all() -> None:
    told: list[Any] = []
    frame = pl.DataFrame({"c": [0, 0, 1, 1], "x": [0.0, 1, 5, 6]})
    assay.clustering(frame, "silhouette", cluster="c", features="x", progress=told.append)
    assert told[-1] == 1


@pytest.mark.parametrize(
    ("columns", "complaint"),
    [
        ({"x1": ["a", "b", "c"]}, r"row 1: the feature x1 is 'a'"),
        ({"x1": [1.0, None, 2.0]}, r"row 2: the feature x1 is missing"),
        ({"x1": [1.0, 2.0, float("inf")]}, r"row 3: the feature x1 is inf"),
        ({"y": [1.0, 2.0, 3.0]}, r"no column is called 'x\*'"),
    ],
)
def test_bad_features_are_refused_with_their_row(columns: Any, complaint: str) -> None:
    with pytest.raises(AssayError, match=complaint):
        assay.clustering({"c": [1, 1, 2], **columns}, cluster="c", features="x*")


@pytest.mark.parametrize(
    ("matrix", "complaint"),
    [
        ([[0, 1], [1, 0], [2, 2]], "has 3 rows and 2 columns"),
        ([[0, 1, 2], [1, 0, 3], [2, 4, 0]], "row 2: the distance 3 in column 3 .* mirror image"),
        ([[0, 1, 2], [1, 1, 3], [2, 3, 0]], "row 2: the distance 1 in column 2 .* diagonal"),
        ([[0, -1, 2], [-1, 0, 3], [2, 3, 0]], "row 1: the distance -1 in column 2 .* negative"),
    ],
)
def test_bad_matrices_are_refused_with_their_row(matrix: Any, complaint: str) -> None:
    columns = {f"d{n}": column for n, column in enumerate(zip(*matrix, strict=True))}
    data = {"c": [1, 1, 2], **columns}
    with pytest.raises(AssayError, match=complaint):
        assay.clustering(data, "silhouette", cluster="c", features="d*", distance="precomputed")


def test_coordinates_are_needed_where_only_distances_were_given() -> None:
    data = {"c": [1, 1, 2], "d0": [0, 1, 2], "d1": [1, 0, 2], "d2": [2, 2, 0]}
    with pytest.raises(AssayError, match="coordinates"):
        assay.clustering(data, "DB", cluster="c", features="d*", distance="precomputed")


def test_the_origin_has_no_direction() -> None:
    with pytest.raises(AssayError, match="no direction"):
        measure("silhouette(distance=cosine)")(placed("aab", [[0, 0], [1, 0], [0, 1]]))


def test_a_measure_against_classes_says_what_it_needs() -> None:
    with pytest.raises(AssayError, match="class"):
        assay.clustering({"c": [1, 2], "x": [1.0, 2.0]}, "NMI", cluster="c", features="x")
    with pytest.raises(AssayError, match="coordinates"):
        assay.clustering({"c": [1, 2], "t": [1, 2]}, "silhouette", cluster="c", classes="t")
