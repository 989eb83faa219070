"""Figures of experiments, searches and splits: names, colors and keys."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.behavior.online_comparison import OnlineComparison
from assay.core.errors import UsageError
from assay.reports.figures.behavior_figures import online_figure
from assay.reports.figures.effect_figures import pair_name
from assay.reports.pages.page import page_table
from assay.reports.text.confusion_text import matrix_rows

LONG = "dense-retriever-with-a-long-name"


def _colors(svg: str) -> list[str]:
    return re.findall(r'<circle [^>]*fill="var\(--(\w+)\)"', svg)


def test_of_a_pair_with_long_names_both_are_seen() -> None:
    assert pair_name("new", "old") == "new − old"
    assert pair_name(LONG, "bm25") == "dense-retriever-with-a-long-na… − bm25"
    assert pair_name("bm25", LONG) == "bm25 − dense-retriever-with-a-long-na…"
    assert [len(each) for each in pair_name(LONG, LONG).split(" − ")] == [17, 17]


def test_more_seconds_are_not_drawn_as_better() -> None:
    plan = assay.lab.design(["old", "new"], 4, 8).plan
    noise = np.random.default_rng(1).random(plan.height)
    seconds = noise + pl.Series(plan["system"] == "old").to_numpy() * 20
    shown = assay.lab.analyze(plan.with_columns(seconds=pl.Series(seconds)), "seconds").plot()
    assert _colors(shown.svg) == ["accent"]


def test_the_color_of_evidence_is_that_of_the_system_it_favors() -> None:
    rows: list[dict[str, Any]] = [
        {"evidence": "A/B test", "measure": name, "difference": value, "favors": favors}
        for name, value, favors in [("clicks", 2, "new"), ("seconds", 2, "old"), ("s", -2, "new")]
    ]
    frame = pl.DataFrame(rows).with_columns(
        low=pl.col("difference") - 1.0, high=pl.col("difference") + 1.0
    )
    found = online_figure(OnlineComparison("new", "old", frame))
    assert _colors(found.svg) == ["good", "bad", "good"]


def test_the_key_of_a_split_does_not_reach_the_ticks() -> None:
    items = {"item": [f"i{n}" for n in range(50)]}
    figure = assay.plot("splits", assay.split_items(items, shares=[60, 20, 20], item="item"))
    boxes = re.findall(r'<rect x="[\d.]+" y="([\d.]+)" width="16" height="12"', figure.svg)
    tick = re.search(r'<text x="[\d.]+" y="([\d.]+)"[^>]*>50</text>', figure.svg)
    assert tick is not None
    assert len(boxes) == 3
    assert max(map(float, boxes)) + 12 < float(tick[1]) - 8


def _rank(k: float) -> dict[str, dict[str, float]]:
    return {f"q{n}": {"a": 1.0, "b": abs(k - 2) * (n % 3)} for n in range(9)}


def _search() -> assay.Tuning:
    queries = [f"q{n}" for n in range(9)]
    return assay.tune(
        {
            "callable": _rank,
            "method": "grid",
            "parameters": {"k": [1.0, 2.0, 3.0]},
            "evaluation": {
                "qrels": {query: {"a": 1} for query in queries},
                "splits": {"query": queries, "split": ["dev"] * 6 + ["eval"] * 3},
                "validation": "dev",
                "test": "eval",
                "measure": "RR",
            },
        }
    )


def test_the_chosen_trial_has_a_shape_and_each_table_of_a_search_a_name(tmp_path: Path) -> None:
    page = _search().report(tmp_path / "page.html").read_text()
    drawings = re.findall(r"<svg .*?</svg>", page, re.DOTALL)
    diamonds = [re.findall(r'<path d="M[^"]+Z" fill="var\(--bad\)"', each) for each in drawings]
    assert [len(each) for each in diamonds] == [2, 2]  # The trial, and the key.
    assert re.findall(r"<h2[^>]*>([^<]+)</h2>", page)[-2:] == ["Trials", "Test"]


def test_the_table_of_a_curve_has_its_name_and_small_numbers_stay_whole(tmp_path: Path) -> None:
    losses = {"iteration": [1, 2, 3], "train": [3, 2, 1], "validation": [3, 2, 2.5]}
    page = assay.learn.loss(losses).report(tmp_path / "page.html").read_text()
    assert "<caption>Curve</caption>" in page
    table = page_table(["name", "p"], [["a", "1.3e-15"], ["b-c", "0.5"]], "p")
    assert '<td class="whole">1.3e-15</td>' in table
    assert "<td>0.5</td>" in table


def test_a_page_of_counts_has_no_empty_table_of_digests(tmp_path: Path) -> None:
    (tmp_path / "m.csv").write_text("method,tp,fp,fn,tn\nA,95,30,5,70\n")
    out = tmp_path / "page.html"
    done = call("report", "confusion", str(tmp_path / "m.csv"), "-o", str(out))
    assert done.code == 0
    page = out.read_text()
    assert "Inputs and their digests" not in page
    # Always no: (30 + 70) of the 200 items are right, and no positive one is found.
    assert "<caption>This matrix and baselines</caption>" in page
    always_no = page.partition('scope="row">always no')[2].partition("</tr>")[0]
    assert always_no.count("<td>0.5000</td>") == 3  # ACC, BA and NPV
    assert "<td>0.0000</td>" in always_no


def test_a_share_below_1_does_not_read_1() -> None:
    matrix = assay.confusion(
        [[5, 10], [1, 9000]], rows="predicted", labels=["Yes", "No"], positive="Yes"
    )
    margins = [row[-1] for row in matrix_rows(matrix, "predicted")]
    assert margins[1:3] == ["0.33 = PPV", "0.9999 = NPV"]
    assert margins[-1] == "0.999 = ACC"  # 9005 / 9016 = .99878
    perfect = assay.confusion([[5, 0], [0, 9]], rows="actual", labels=["a", "b"], positive="a")
    assert matrix_rows(perfect, "actual")[-1][-1] == "1.00 = ACC"


def test_a_frame_is_not_a_saved_result() -> None:
    with pytest.raises(UsageError, match=r"not a DataFrame; .* assay.read_score_table"):
        assay.load(pl.DataFrame({"a": [1]}))
