"""Labels and areas of figures: they do not collide, and can be distinguished in print."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from tests.reports.test_course_figures import COLUMNS, ITEMS

import assay
from assay.reports.figures.figure import text_width


def test_names_of_areas_stand_where_they_are_seen() -> None:
    def place(svg: str, name: str) -> float:
        found = re.search(rf'<text x="([\d.]+)"[^>]*>{name}</text>', svg)
        assert found is not None
        return float(found[1])

    svg = assay.plot("densities", ITEMS, **COLUMNS, threshold=0.54).svg
    assert place(svg, "TP") - place(svg, "FP") > 40
    assert abs(place(svg, "TN") - place(svg, "FN")) > 1
    same = {"sick": ["no", "yes"] * 10, "p": [n // 2 / 10 for n in range(20)]}
    svg = assay.plot("densities", same, **COLUMNS, threshold=0.5).svg
    heights = [
        float(each)
        for name in ("TN", "FN")
        for each in re.findall(rf'<text x="[\d.]+" y="([\d.]+)"[^>]*>{name}</text>', svg)
    ]
    assert abs(heights[0] - heights[1]) > 12


def test_labels_of_ranks_below_short_lists_do_not_collide() -> None:
    qrels = {"q": {f"d{n}": int(n % 3 == 0) for n in range(20)}}
    run = {"q": {f"d{n}": -n for n in range(20)}}
    svg = assay.plot("pr", qrels, run, average="ranks").svg
    places = [
        tuple(map(float, each))
        for each in re.findall(r'<text x="([\d.]+)" y="([\d.]+)"[^>]*font-size="10"', svg)
    ]
    assert len(places) > 3
    for number, (x, y) in enumerate(places):
        assert all(abs(x - a) > 10 or abs(y - b) > 8 for a, b in places[:number])


def test_matrices_of_several_methods_are_panels_and_unknown_counts_have_no_color() -> None:
    counts = {"method": ["A", "B"], "tp": [7, 4], "fp": [7, 2], "fn": [13, 16]}
    for table in (counts | {"tn": [10, 20]}, counts):
        figure = assay.plot("matrix", table)
        assert figure.title.startswith("Confusion matrices: actual classes in rows")
        first = figure.points["A: counts"]
        assert [first["positive"].tolist(), first["negative"][0]] == [[7, 7], 13]
        assert "nan" not in figure.svg
    assert "negative → negative: –" in figure.svg


def test_long_names_below_many_columns_are_turned() -> None:
    names = [f"category {chr(97 + n)}" for n in range(15)]
    svg = assay.plot("confusion", {"truth": names, "guess": names}, predicted="guess").svg
    for name in names:
        assert re.search(rf'transform="rotate\(-90 [^>]*>{name}</text>', svg)
    letters = [chr(97 + n) for n in range(15)]
    short = assay.plot("confusion", {"truth": letters, "guess": letters}, predicted="guess").svg
    assert short.count("rotate(-90") == 1  # The title of the axis.


@pytest.mark.parametrize("classes", [3, 9, 12])
def test_names_below_the_columns_of_a_matrix_do_not_collide(classes: int) -> None:
    names = [f"{chr(97 + n)}utomobile" for n in range(classes)]
    figure = assay.plot("confusion", {"truth": names, "guess": names}, predicted="guess")
    below = re.findall(
        r'<text x="([\d.]+)" y="[\d.]+" text-anchor="middle"[^>]*>([^<]+)<', figure.svg
    )
    ticks = [(float(x), word) for x, word in below if word[1:2] == "u"]
    assert len(ticks) == classes
    apart = [b[0] - a[0] for a, b in pairwise(ticks)]
    assert all(text_width(word, 11) < room for (_, word), room in zip(ticks, apart, strict=False))


def test_parts_of_a_split_have_different_shades() -> None:
    items = {"item": [f"i{n}" for n in range(20)]}
    splits = assay.split_items(items, shares=[60, 20, 20], item="item", seed=1)
    svg = assay.plot("splits", splits).svg
    shades = set(re.findall(r'width="16" height="12" [^>]*fill-opacity="([\d.]+)"', svg))
    assert shades == {"0.35", "0.65", "1.0"}
