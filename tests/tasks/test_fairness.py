"""Fairness: gaps by criterion, their intervals and tests, the worst slices."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from scipy.stats import chi2_contingency, fisher_exact
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep

import assay
from assay.cli.application import main
from assay.tasks.classification.fairness import newcombe_interval

# Worked by hand: group a has TP 30, FN 10, FP 5, TN 55; group b TP 12, FN 18, FP 20, TN 50.
TRUE = [1] * 40 + [0] * 60 + [1] * 30 + [0] * 70
SAID = [1] * 30 + [0] * 10 + [1] * 5 + [0] * 55 + [1] * 12 + [0] * 18 + [1] * 20 + [0] * 50
GROUP = ["a"] * 100 + ["b"] * 100


def _row(report: assay.FairnessReport, criterion: str) -> dict[str, object]:
    return report.gaps.filter(pl.col("criterion") == criterion).row(0, named=True)


def test_the_criteria_by_name() -> None:
    report = assay.fairness(TRUE, SAID, by={"group": GROUP})
    gaps = dict(report.gaps.select("criterion", "gap").iter_rows())
    assert gaps == pytest.approx(
        {
            "demographic parity": 35 / 100 - 32 / 100,
            "equal opportunity": 30 / 40 - 12 / 30,
            "predictive equality": 20 / 70 - 5 / 60,
            "predictive parity": 30 / 35 - 12 / 32,
            "equal accuracy": 85 / 100 - 62 / 100,
            "equalized odds": 30 / 40 - 12 / 30,
        }
    )
    odds, opportunity = _row(report, "equalized odds"), _row(report, "equal opportunity")
    equality = _row(report, "predictive equality")
    exact = [fisher_exact([[30, 10], [12, 18]]).pvalue, fisher_exact([[5, 55], [20, 50]]).pvalue]
    assert [opportunity["p"], equality["p"]] == pytest.approx(exact)
    assert odds["p"] == pytest.approx(2 * min(exact))
    assert (opportunity["highest"], opportunity["lowest"]) == ("group=a", "group=b")


@pytest.mark.parametrize("counts", [((30, 40), (12, 30)), ((5, 5), (1, 9)), ((9, 10), (0, 20))])
def test_the_interval_is_newcombes(counts: tuple[tuple[int, int], tuple[int, int]]) -> None:
    expected = confint_proportions_2indep(*counts[0], *counts[1], method="newcomb")
    assert newcombe_interval(*counts, 0.95) == pytest.approx(expected)


def test_more_slices_and_the_worst_of_them() -> None:
    draw = np.random.default_rng(1)
    true, group = draw.integers(0, 2, 400), draw.choice(list("wxyz"), 400)
    wrong = draw.random(400) < np.where(group == "w", 0.5, 0.1)
    said = np.where(wrong, 1 - true, true)
    group[:5] = "r"
    report = assay.fairness(true, said, by={"g": group}, min_size=20)
    assert "g=r (5)" in report.notes[0]
    right = {g: (int((true == said)[group == g].sum()), int((group == g).sum())) for g in "wxyz"}
    count, of = int((true == said).sum()), len(true)
    tests = [fisher_exact([[c, n - c], [count - c, of - n - count + c]]) for c, n in right.values()]
    corrected = multipletests([each.pvalue for each in tests], method="holm")[1]
    expected = {f"g={g}": p for g, p in zip(right, corrected, strict=True)}
    worst = report.worst
    assert worst["slice"][0] == "g=w"
    assert worst.height < len(right), "only worse slices are listed, all are searched"
    assert (worst["difference"] < 0).all()
    assert dict(worst.select("slice", "corrected").iter_rows()) == pytest.approx(
        {name: expected[name] for name in worst["slice"]}
    )
    higher = assay.fairness(true, said, by={"g": group}, rate="FPR").worst
    assert (higher["difference"] > 0).all()
    table = [[count, of - count] for count, of in right.values()]
    found = _row(report, "equal accuracy")["p"]
    assert found == pytest.approx(chi2_contingency(table, correction=False).pvalue)


def test_the_command_prints_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pl.DataFrame({"y": TRUE, "p": SAID, "g": GROUP}).write_csv(tmp_path / "t.csv")
    arguments = [
        "fairness",
        str(tmp_path / "t.csv"),
        "--truth",
        "y",
        "--predicted",
        "p",
        "--by",
        "g",
    ]
    with suppress(SystemExit):
        main(arguments)
    printed = capsys.readouterr().out
    assert "equal opportunity" in printed
    assert "0.3500" in printed


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": {"g": ["x"] * 200}}, "fewer than two slices"),
        ({"by": {"g": GROUP}, "min_size": 500}, "fewer than two slices"),
        ({"by": ()}, "name their column with `by`"),
        ({"by": {"g": GROUP}, "rate": "F"}, "`rate=F` is not one of"),
    ],
)
def test_what_is_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(assay.AssayError, match=message):
        assay.fairness(TRUE, SAID, **options)


def test_the_page_and_the_text_have_titles(tmp_path: Path) -> None:
    found = assay.fairness([1, 0, 1, 1] * 15, [1] * 60, by={"group": ["a", "b"] * 30})
    assert str(found).startswith("gaps\n")
    assert "\nworst slices\n" in str(found)
    assert "equal opportunity: TPR" in str(found)
    page = found.report(tmp_path / "fairness.html").read_text()
    assert "<h1>Fairness</h1>" in page
    assert "Worst slices</h2>" in page


def test_slices_without_a_difference() -> None:
    found = assay.fairness([1, 0] * 40, [1, 0] * 40, by={"group": ["a"] * 40 + ["b"] * 40})
    assert found.worst.is_empty()
    assert found.worst.columns[:3] == ["system", "slice", "items"]
    assert "\nworst slices\n" not in str(found)
    assert "<table" in found._repr_html_()
