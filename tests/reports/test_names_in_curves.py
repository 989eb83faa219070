"""Curves of classifiers: what the key says of each, and the series of a figure by name."""

from __future__ import annotations

import pytest

import assay

Y = [0, 1] * 6
P = [n * 7 % 12 / 12 for n in range(12)]


def test_the_key_of_precision_and_recall_says_ap() -> None:
    scores = assay.classification(Y, y_score={"one": P, "two": P[::-1]}, measures="AP")
    svg = scores.plot("pr").svg
    for name, value in scores["AP"].items():
        assert f"{name}: AP {value:.3f}" in svg
    single = assay.plot("precision-recall", Y, P)
    assert single.title.startswith(f"Precision and recall: AP {scores['AP']['one']:.3f};")


def test_a_series_of_a_figure_has_a_name() -> None:
    figure = assay.classification(Y, y_score={"lr": P}).plot("calibration")
    for name, frame in figure.frames().items():
        assert figure.to_polars(name).equals(frame)
        assert figure.to_pandas(name).to_dict("list").keys() == set(frame.columns)
    assert len(figure.frames()) > 1
    with pytest.raises(assay.AssayError, match="there is no series 'line'"):
        figure.to_pandas("line")
