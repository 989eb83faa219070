"""Dimensionality reduction: neighbor ranks against scikit-learn, stress and variance, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from scipy.spatial.distance import pdist, squareform
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.selection.learning_tasks import neighbor_ranks as module
from assay.selection.learning_tasks.curse_of_dimensionality import dimension_table
from assay.selection.learning_tasks.embedding_quality import explained_variance, stress
from assay.selection.learning_tasks.neighbor_ranks import neighbor_ranks

pytest.importorskip("sklearn")


def spaces(size: int = 150, seed: int = 0) -> tuple[Any, Any]:
    draw = np.random.default_rng(seed)
    X = draw.normal(size=(size, 6)) + 1e3  # far from the origin: digits must not be lost
    return X, X[:, :2] + draw.normal(size=(size, 2)) / 5


@pytest.mark.parametrize("k", [1, 5, 20])
@pytest.mark.parametrize("cells", [4_000_000, 1000])
def test_ranks_give_the_trustworthiness_of_scikit_learn(
    k: int, cells: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sklearn.manifold import trustworthiness

    monkeypatch.setattr(module, "BLOCK_CELLS", cells)
    X, embedded = spaces()
    ranks = neighbor_ranks(X, embedded, k)
    expected = trustworthiness(X, embedded, n_neighbors=k)
    assert ranks.trustworthiness().mean() == pytest.approx(expected, abs=1e-12)
    expected = trustworthiness(embedded, X, n_neighbors=k)
    assert ranks.continuity().mean() == pytest.approx(expected, abs=1e-12)


def test_ranks_worked_by_hand() -> None:
    # On a line at 0, 1, 3, 7, 20; the embedding exchanges 1 and 7.
    line = np.array([[0.0], [1.0], [3.0], [7.0], [20.0]])
    ranks = neighbor_ranks(line, line[[0, 3, 2, 1, 4]], 1)
    # The nearest in the embedding: of 0 it is item 3 (rank 3 before), of 1 (now at 7) item 2 (rank
    # 2), of 3 item 3 (rank 3), of 7 (now at 1) item 0 (rank 3), of 20 item 1 (rank 3).
    assert ranks.embedded[:, 0].tolist() == [3, 2, 3, 0, 1]
    assert ranks.ranks_of_embedded[:, 0].tolist() == [3, 2, 3, 3, 3]
    # With n = 5 and k = 1 a rank of 3 is 2 too many, of at most (2·5 − 3 − 1)/2 = 3.
    expected = [1 - 2 / 3, 1 - 1 / 3, 1 - 2 / 3, 1 - 2 / 3, 1 - 2 / 3]
    np.testing.assert_allclose(ranks.trustworthiness(), expected)


def test_stress_is_that_of_all_distances() -> None:
    X, embedded = spaces(60)
    d, e = squareform(pdist(X)), squareform(pdist(embedded))
    factor = (d * e).sum() / (e**2).sum()
    expected = np.sqrt(((d - factor * e) ** 2).sum() / (d**2).sum())
    assert stress(X, embedded) == pytest.approx(expected, rel=1e-6)
    assert stress(X, 7 * X) == pytest.approx(0, abs=1e-6)


def test_explained_variance_is_that_of_principal_components() -> None:
    from sklearn.decomposition import PCA

    X, _ = spaces()
    model = PCA(2).fit(X)
    expected = model.explained_variance_ratio_.sum()
    assert explained_variance(X, model.transform(X)) == pytest.approx(expected)
    scaled = (X - X.mean(axis=0)) / X.std(axis=0)
    found = assay.learn.reduction(X, methods="pca").components
    np.testing.assert_allclose(found["share"], PCA().fit(scaled).explained_variance_ratio_)
    assert (found["low"] <= found["share"]).all()
    assert (found["share"] <= found["high"]).all()
    assert found["together"][-1] == pytest.approx(1)


@pytest.mark.parametrize(("features", "said"), [(4, True), (25, False)])
def test_the_components_together_have_no_interval_for_a_reason(features: int, said: bool) -> None:
    X = np.random.default_rng(4).normal(size=(80, features))
    found = assay.learn.reduction(X, methods="pca")
    reason = "all components together explain the whole variance in every sample: no interval"
    assert (reason in found.notes) == said
    assert np.isnan(found.components["together_low"][-1]) == said
    assert reason not in assay.learn.reduction(X, methods="pca", interval=None).notes


def test_embeddings_are_compared() -> None:
    from sklearn.datasets import load_digits

    X, y = (each[:200] for each in load_digits(return_X_y=True))
    found = assay.learn.reduction(X, y, methods=["pca", "random"], by={"even": y % 2 == 0})
    for measure in ("trustworthiness", "continuity", "neighborhood_hit", "explained_variance"):
        values = found.scores[measure]
        assert values["pca"] > values["random"], measure
    assert found.comparison is not None
    assert found.comparison.pairs.filter(slice="all")["high"].item() < 0
    assert "all features" in found.scores["kNN_accuracy"]
    assert set(found.scores.slices) == {"even=false", "even=true"}
    every = found.scores.summary()
    assert (every["low"] <= every["value"] + 1e-12).all()
    assert (every["value"] <= every["high"] + 1e-12).all()
    assert len(found.plot(show="pca").points) == 10


def test_neighborhood_hit_counts_neighbors_of_the_same_class() -> None:
    X = np.arange(12.0)[:, None]
    y = np.repeat(["a", "b"], 6)
    found = assay.learn.reduction(X, y, methods="pca", dimensions=1, neighbors=2)
    # Only the two items at the border have a neighbor of the other class: one of two each.
    assert found.scores["neighborhood_hit"]["pca"] == pytest.approx((10 + 2 * 0.5) / 12)


def test_dimensions_are_a_curse() -> None:
    X, _ = spaces(40)
    table = assay.learn.reduction(X, methods="pca").dimensions
    assert table["contrast"].is_sorted(descending=True)
    assert table["accuracy_low"][0] > table["accuracy_high"][-1]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("x,y\n1,2\n,1\n3,4\n", {}, r"t\.csv:3: the feature x is missing"),
        ("x,y\n1,2\n2,1\n3,4\n", {"neighbors": 2}, "below half the 3 items"),
        ("x,y\n1,2\n2,1\n3,4\n", {"dimensions": 3}, "from 1 to 2 are possible"),
        ("x,y\n1,2\n2,1\n3,4\n", {"methods": "umap"}, "there is no method 'umap'"),
        ("x,y\n1,2\n2,1\n3,4\n", {"embeddings": {"e": [[1.0]]}}, "has 1 rows, the data 3"),
        ("x,y\n1,a\n2,a\n3,a\n", {"target": "y"}, "every y is a"),
    ],
)
def test_bad_input_is_reported(
    text: str, options: dict[str, Any], message: str, tmp_path: Path
) -> None:
    (tmp_path / "t.csv").write_text(text)
    with pytest.raises(AssayError, match=message):
        assay.learn.reduction(tmp_path / "t.csv", **options)


def test_command_with_an_embedding_in_columns(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    _, embedded = spaces(30)
    X = embedded @ np.random.default_rng(1).normal(size=(2, 6))
    frame = pl.DataFrame(X, [f"x{n}" for n in range(6)]).with_columns(
        u1=embedded[:, 0], u2=embedded[:, 1], flat=pl.lit(1.0)
    )
    frame.write_csv("t.csv")
    arguments = ("t.csv", "--methods", "random", "--embedding", "mine=u*", "--plot", "f.svg")
    done = call("learn", "reduction", *arguments)
    assert done.code == 0, done.err
    assert "1 feature with the same value in every row: flat" in done.out
    lines = [line.split() for line in done.out.splitlines()]
    values = {line[0]: float(line[2]) for line in lines if line[1:2] == ["trustworthiness"]}
    assert values["mine"] > values["random"]
    assert call("learn", "reduction", "t.csv", "--embedding", "u").code == 2


def test_dimensions_have_intervals_over_independent_sets() -> None:
    wide, narrow = dimension_table(assay.Bootstrap(0.99), 1), dimension_table(assay.Bootstrap(), 1)
    assert (wide["contrast_low"] < narrow["contrast_low"]).all()
    assert (narrow["contrast"].diff().drop_nulls() < 0).all()
    others = [dimension_table(None, seed)["accuracy"].to_numpy() for seed in range(2, 22)]
    inside = [
        (low <= np.mean(values)) & (np.mean(values) <= high)
        for low, high, values in zip(
            narrow["accuracy_low"], narrow["accuracy_high"], np.array(others).T, strict=True
        )
    ]
    assert np.mean(inside) >= 0.75
