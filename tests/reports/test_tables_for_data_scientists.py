"""What a data scientist takes from results: matrices, points and tables, wide and long."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from tests.cli.terminal import call

import assay
from assay.core.errors import UsageError
from assay.reports.figures.point_tables import OmittedSeriesWarning

RANDOM = np.random.default_rng(7)
TRUTH = RANDOM.integers(0, 3, 90)
GUESS = np.where(RANDOM.random(90) < 0.6, TRUTH, RANDOM.integers(0, 3, 90))
YES = (TRUTH > 0).astype(int)
SCORES = {name: np.clip(0.3 * YES + 0.7 * RANDOM.random(90), 0, 1) for name in ("lr", "nb")}


@pytest.fixture(scope="module")
def two() -> assay.Scores:
    return assay.classification(YES, y_score=SCORES, measures="ACC AUC")


def test_a_confusion_matrix_is_an_array() -> None:
    found = assay.classification(TRUTH, GUESS, interval=None).confusion()["classifier"]
    assert np.array_equal(np.asarray(found), metrics.confusion_matrix(TRUTH, GUESS))
    assert np.asarray(found, dtype=np.int64).dtype == np.int64


@pytest.mark.parametrize(
    ("ours", "theirs"), [("actual", "true"), ("predicted", "pred"), ("all", "all")]
)
def test_shares_of_a_matrix(ours: str, theirs: str) -> None:
    matrix = assay.confusion(TRUTH, GUESS)
    expected = metrics.confusion_matrix(TRUTH, GUESS, normalize=theirs)
    for name in (ours, theirs):
        assert matrix.frame(normalize=name).drop("actual").to_numpy() == pytest.approx(expected)
    with pytest.raises(UsageError, match="normalization 'rows'"):
        matrix.frame(normalize="rows")


def test_which_classes_are_confused() -> None:
    found = assay.confusion(TRUTH, GUESS).confusions()
    wrong = pd.DataFrame({"actual": TRUTH, "predicted": GUESS}).query("actual != predicted")
    expected = wrong.value_counts().to_dict()
    pairs = zip(found["actual"].cast(int), found["predicted"].cast(int), strict=True)
    assert dict(zip(pairs, found["items"].to_list(), strict=True)) == expected
    assert found["items"].to_list() == sorted(found["items"], reverse=True)
    assert assay.confusion([1, 0], [1, 0]).confusions().is_empty()


def test_the_larger_number_is_the_positive_class() -> None:
    expected = assay.classification(YES, y_score=SCORES["lr"], interval=None, measures="AUC F")
    for low, high in ((1, 2), (2, 4), (-1, 1)):
        labels = np.where(YES == 1, high, low)
        found = assay.classification(labels, y_score=SCORES["lr"], interval=None, measures="AUC F")
        assert found["AUC"] == expected["AUC"]
        assert found["F"] == expected["F"]
        assert assay.threshold(labels, SCORES["lr"], "youden").threshold == pytest.approx(
            assay.threshold(YES, SCORES["lr"], "youden").threshold
        )


def test_points_of_a_figure_as_tables(two: assay.Scores, tmp_path: Path) -> None:
    figure = two.plot("roc")
    frame = figure.to_pandas()
    fpr, tpr, _ = metrics.roc_curve(YES, SCORES["nb"], drop_intermediate=False)
    own = frame[frame.series == "nb"]
    assert own["FPR"].to_numpy() == pytest.approx(fpr)
    assert own["TPR"].to_numpy() == pytest.approx(tpr)
    bins = two.plot("calibration")
    assert set(bins.to_polars()["series"]) == {"lr", "nb"}
    line = bins.frames()["calibration line of lr"]
    assert set(line["coefficient"]) == {"slope", "intercept"}
    with pytest.warns(OmittedSeriesWarning, match="left out: calibration line of lr"):
        bins.save(tmp_path / "bins.csv")
    figure.save(tmp_path / "roc.csv")
    assert pd.read_csv(tmp_path / "roc.csv")["TPR"].to_numpy() == pytest.approx(frame["TPR"])


def test_pr_and_gain_of_predictions_on_the_command_line(tmp_path: Path) -> None:
    table = tmp_path / "p.csv"
    pd.DataFrame({"y": YES, "p": SCORES["lr"]}).to_csv(table, index=False)
    for kind, other in (("pr", "precision-recall"), ("gain", "cumulative-gain")):
        written = []
        for name in (kind, other):
            out = tmp_path / f"{name}.csv"
            call("plot", name, str(table), "--truth", "y", "--score", "p", "-o", str(out))
            written.append(out.read_bytes())
        assert written[0] == written[1]
    done = call("plot", "calibration", str(table), "--truth", "y", "--score", "p", "-o", str(out))
    assert "left out: calibration line" in " ".join(done.err.split())


def test_scores_wide_and_long(two: assay.Scores) -> None:
    wide, long = two.to_markdown(wide=True), two.to_markdown(wide=False)
    assert wide == two.to_markdown()
    assert wide.splitlines()[0] == "| system | ACC | AUC | ranks |"
    assert long.splitlines()[0].startswith("| system | measure | value | low | high |")
    assert len(long.splitlines()) == 2 + 4
    assert "[" not in two.to_markdown(intervals=False)
    assert two.to_latex() == two.to_latex(intervals=False, wide=True)
    assert " [" in two.to_latex(intervals=True)
    assert "% [low, high]: 95% interval" in two.to_latex(intervals=True)
    assert r"system & measure & value & low & high" in two.to_latex(wide=False)


def test_comparisons_wide_and_long(two: assay.Scores) -> None:
    found = assay.compare(two, baseline="nb")
    assert found.to_markdown() == found.to_markdown(wide=False)
    assert "| baseline | system | ACC value | ACC difference |" in found.to_markdown(wide=True)
    pairs = found.to_latex(wide=False)
    assert "system & value & difference & low & high & relative" in pairs
    assert "% AUC (higher is better)" in pairs
    assert "0.0000 &" not in found.to_latex(wide=True)
    row = next(
        line for line in found.to_latex(intervals=True).splitlines() if line.startswith("lr")
    )
    assert row.count("[") == 2


@pytest.mark.parametrize("form", ["to_markdown", "to_latex", "to_pandas", "to_polars"])
def test_other_results_have_one_layout(form: str) -> None:
    result: Any = assay.confusion(TRUTH, GUESS)
    with pytest.raises(UsageError, match="one layout"):
        getattr(result, form)(wide=True)


def test_intervals_are_refused_where_they_cannot_be_chosen(two: assay.Scores) -> None:
    compared, fairness = assay.compare(two), assay.fairness(YES, TRUTH > 1, by={"group": GUESS})
    chosen = assay.threshold(YES, SCORES["lr"], "youden")
    results: tuple[Any, ...] = (compared, fairness, chosen)
    for result in results:
        with pytest.raises(UsageError, match="leave `intervals` out"):
            result.to_markdown(intervals=False)
    with pytest.raises(UsageError, match="the table 'systems' has one layout"):
        compared.to_polars("systems", wide=True)


def test_every_table_goes_to_pandas(two: assay.Scores) -> None:
    assert list(two.to_pandas("per_class")["system"]) == ["lr", "lr", "nb", "nb"]
    assert two.to_pandas("per_unit").shape[0] == two.per_unit().height
    compared = assay.compare(two)
    assert set(compared.to_pandas("systems")["system"]) == {"lr", "nb"}
    assert assay.confusion(TRUTH, GUESS).to_pandas("confusions").columns[0] == "actual"
    chosen = assay.threshold(YES, SCORES["lr"], "youden", evaluate=(YES, SCORES["nb"]))
    assert "TPR" in chosen.to_pandas("evaluated").to_string()
    with pytest.raises(UsageError, match="there is no table 'pairs'"):
        two.to_pandas("pairs")
