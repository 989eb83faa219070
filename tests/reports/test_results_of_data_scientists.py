"""What data scientists try first with results: figures of fairness, shares, names, captions."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.datasets import make_classification
from sklearn.metrics import confusion_matrix
from sklearn.model_selection import GridSearchCV
from sklearn.tree import DecisionTreeClassifier

import assay
from assay.core.errors import AssayError, UnknownMeasure, UsageError
from assay.measures.probabilities.calibration_line import calibration_line
from assay.reports.figures.score_figures import _forecasts, threshold_tables
from assay.reports.pages.optional_sections import slices_section

draw = np.random.default_rng(16)
TRUE = draw.integers(0, 2, 200)
MODELS = {
    name: np.where(draw.random(200) < right, TRUE, 1 - TRUE)
    for name, right in {"a": 0.9, "b": 0.7, "c": 0.8}.items()
}
CHANCES = {"a": np.clip(0.3 * TRUE + 0.7 * draw.random(200), 0, 1), "b": draw.random(200)}
GROUP = np.tile(["x", "y", "z", "z"], 50)


def test_fairness_has_a_figure_a_page_and_names_for_loggers(tmp_path: Path) -> None:
    found = assay.fairness(TRUE, MODELS, by={"group": GROUP})
    everything, one = found.plot(), found.plot(system="b")
    assert len(everything.points["intervals"]["name"]) == found.gaps.height == 18
    assert one.points["intervals"]["value"] == found.gaps.filter(system="b")["gap"].to_list()
    with pytest.raises(UsageError, match="there is no system 'd'"):
        found.plot(system="d")
    page = found.report(tmp_path / "fairness.html").read_text(encoding="utf-8")
    assert "<svg" in page
    assert "equalized odds" in page


def test_names_of_gaps_do_not_change_with_the_data() -> None:
    by = {"group": GROUP}
    found = assay.fairness(TRUE, MODELS["a"], by=by)
    other = assay.fairness(1 - TRUE, MODELS["b"], by=by)
    assert {*found.to_dict()} == {*other.to_dict()}
    (gap,) = found.gaps.filter(criterion="equal opportunity")["gap"]
    assert found.to_dict()["group/equal_opportunity/gap"] == gap
    assert "a/group/equal_opportunity/gap" in assay.fairness(TRUE, MODELS, by=by).to_dict()


def test_equalized_odds_names_both_rates_for_all_systems() -> None:
    text = str(assay.fairness(TRUE, MODELS, by={"group": GROUP}))
    assert "equalized odds: TPR and FPR, the wider gap" in " ".join(text.split())


def test_slices_are_searched_for_some_measures() -> None:
    worse = np.where((np.asarray(GROUP) == "x") & (np.arange(200) % 3 > 0), 1 - TRUE, MODELS["a"])
    scores = assay.classification(TRUE, worse, "ACC TPR MCC", by={"group": GROUP})
    assert set(assay.slice_gaps(scores, "TPR MCC")["measure"]) == {"TPR", "MCC"}
    (worst,) = assay.worst_slices(scores, ["accuracy"]).rows(named=True)
    assert (worst["measure"], worst["slice"]) == ("ACC", "group=x")
    assert worst["corrected"] == pytest.approx(3 * worst["p"])  # Holm: the first of three slices
    (among_all,) = assay.worst_slices(scores).filter(measure="ACC").rows(named=True)
    assert among_all["p"] == worst["p"]
    assert among_all["corrected"] > worst["corrected"]
    with pytest.raises(UnknownMeasure, match="'AUC' was not measured"):
        assay.worst_slices(scores, "AUC")
    with pytest.raises(UsageError, match="`min_size` is a number by its name"):
        assay.slice_gaps(scores, 20)


@pytest.mark.parametrize("normalize", ["true", "pred", "all"])
def test_shares_of_a_matrix_are_those_of_scikit_learn(normalize: Any) -> None:
    scores = assay.classification(TRUE, MODELS["b"])
    expected = confusion_matrix(TRUE, MODELS["b"], normalize=normalize)
    for show in ("actual", "predicted"):
        points = scores.plot("confusion", normalize=normalize, show=show).points["shares"]
        shares = np.stack([*points.values()], axis=1)
        assert np.allclose(shares if show == "actual" else shares.T, expected, rtol=0, atol=1e-15)
    assert (
        f"{expected[0, 1]:.0%}" in assay.confusion(TRUE, MODELS["b"]).plot(normalize=normalize).svg
    )


def test_an_unknown_normalization_is_refused() -> None:
    for result in (assay.classification(TRUE, MODELS), assay.confusion(TRUE, MODELS["a"])):
        with pytest.raises(AssayError, match="there is no normalization 'rows'"):
            result.plot("confusion", normalize="rows")


def test_a_notebook_shows_the_caption_of_a_figure() -> None:
    figure = assay.classification(TRUE, y_score=CHANCES).plot("calibration", n_bins=5)
    assert figure.title in figure._repr_html_()
    assert figure.title.startswith("Calibration in 5 bins")
    assert figure.svg != figure._repr_svg_()
    assert figure._repr_svg_() in figure._repr_html_()


def test_several_calibration_curves_have_their_lines() -> None:
    scores = assay.classification(TRUE, y_score=CHANCES, positive=1)
    figure = scores.plot("calibration")
    for name, table in threshold_tables(scores.origin).items():
        expected = calibration_line(_forecasts(table, "width"))
        assert figure.points[f"calibration line of {name}"]["value"].tolist() == (
            expected["value"].tolist()
        )
        assert f"{name}: slope {expected['value'][1]:.2f} [" in figure.title


@pytest.mark.parametrize("kind", ["pr", "roc", "lift", "gain", "det"])
def test_points_of_curves_have_the_names_of_the_models(kind: str) -> None:
    assert [*assay.classification(TRUE, y_score=CHANCES).plot(kind).points] == ["a", "b"]


@pytest.mark.parametrize(
    ("scoring", "name"),
    [
        (assay.scorer("MCC"), "MCC"),
        ("f1_macro", "f1_macro"),
        (assay.scorer("LogLoss"), "neg_LogLoss"),
        ("neg_log_loss", "neg_log_loss"),
        (None, "score"),
    ],
)
def test_the_score_of_a_search_has_the_name_of_its_measure(scoring: Any, name: str) -> None:
    items, classes = make_classification(120, random_state=0)
    grid = {"max_depth": [1, 3]}
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, scoring=scoring, cv=4)
    compared = assay.compare(search.fit(items, classes))
    assert set(compared.systems["measure"]) == {name}
    means = dict(compared.systems.select("system", "value").iter_rows())
    expected = search.cv_results_["mean_test_score"]
    assert [means["max_depth=1"], means["max_depth=3"]] == pytest.approx(expected.tolist())


def test_models_and_labels_in_doubt_may_be_arrays() -> None:
    table = {"truth": TRUE.tolist()} | {name: each.tolist() for name, each in MODELS.items()}
    expected = assay.suspects(table, "ACC MCC", predicted=["a", "b", "c"])
    assert expected.items.height > 5
    assert assay.suspects(TRUE, MODELS, ["ACC", "MCC"]) == expected
    assert assay.suspects(TRUE, pd.DataFrame(MODELS), "ACC MCC") == expected
    with pytest.raises(UsageError, match="names 1 columns; three models or more"):
        assay.suspects(TRUE, MODELS["a"])


def test_labels_have_their_table_by_default() -> None:
    scores = assay.labelsets([["a", "b"], ["a"], ["c"]], [["a"], ["a", "c"], ["c"]], "accuracy F")
    assert scores["subset"] == {"classifier": pytest.approx(1 / 3)}
    lines = str(scores).splitlines()
    assert lines[lines.index("by label") + 1].split() == ["label", "PPV", "TPR", "F", "support"]
    assert "by label" in scores._repr_html_()


def test_combined_labels_show_themselves(tmp_path: Path) -> None:
    frame = pd.DataFrame(MODELS).reset_index().melt("index", var_name="who", value_name="label")
    found = assay.aggregate(frame, item="index", assessor="who", label="label")
    text = str(found)
    assert "20 of 200 items" in text
    assert "method: majority" in text
    assert len(text) < 3000
    assert "reliability" in found._repr_html_()
    found.save(tmp_path / "labels.json")
    assert assay.load(tmp_path / "labels.json") == found
    assert len(found.to_pandas()) == 200


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [("average", "macro", r"F\(average=macro\)"), ("beta", 2, r"F\(beta=…\)")],
)
def test_settings_of_measures_are_part_of_their_names(name: str, value: Any, said: str) -> None:
    with pytest.raises(AssayError, match=f"there is no argument '{name}'.*{said}"):
        assay.classification(TRUE, MODELS["a"], "F1", **{name: value})


def test_many_measures_of_few_systems_are_rows_in_a_notebook() -> None:
    scores = assay.classification(TRUE, y_score=CHANCES)
    shown = scores._repr_html_()
    head = re.findall(r"<th[^>]*>([^<]+)</th>", shown[: shown.index("</table>")])
    assert head == ["measure", "a", "b", *scores.measures, "ranks"]
    few = assay.classification(TRUE, y_score=CHANCES, measures="ACC AUC")._repr_html_()
    head = re.findall(r"<th[^>]*>([^<]+)</th>", few[: few.index("</table>")])
    assert head[:4] == ["system", "ACC", "AUC", "ranks"]
    many = {f"model {n}": each for n in range(4) for each in CHANCES.values()}
    many |= {f"other {n}": CHANCES["b"] for n in range(4)}
    assert ">measure<" not in assay.classification(TRUE, y_score=many)._repr_html_()


def test_rates_by_class_have_as_many_digits_as_each_other() -> None:
    scores = assay.classification(["a", "a", "b", "c", "c"], ["a", "a", "b", "c", "b"])
    lines = str(scores).splitlines()
    rows = [line.split() for line in lines[lines.index("by class") + 1 :][:4]]
    assert rows[1] == ["a", "1.0000", "1.0000", "1.0000", "1.0000", "0.4000", "2"]


def test_a_page_shows_the_gaps_of_fairness_as_the_report_does(tmp_path: Path) -> None:
    scores = assay.classification(TRUE, MODELS["a"], by={"group": GROUP})
    page = scores.report(tmp_path / "page.html").read_text(encoding="utf-8")
    own = page[page.index('id="fairness"') :]
    (gap,) = assay.fairness(TRUE, MODELS["a"], by={"group": GROUP}).gaps.filter(
        criterion="equal opportunity"
    )["gap"]
    assert f"{gap:.4f}" in own
    assert "group: equal opportunity" in own  # in the figure
    assert "Worst slices" in own


@pytest.mark.parametrize("positive", ["fraud", "ok"])
def test_thresholds_are_evaluated_on_probabilities_of_both_classes(positive: str) -> None:
    """Labels are sorted: the first column is that of fraud."""
    names = np.where(TRUE == 1, "fraud", "ok")
    both = np.stack([CHANCES["a"], 1 - CHANCES["a"]], axis=1)
    own = both[:, 0 if positive == "fraud" else 1]
    (t, u), given = (slice(None, 100), slice(100, None)), {"positive": positive}
    expected = assay.threshold(names[t], own[t], "youden", evaluate=(names[u], own[u]), **given)
    found = assay.threshold(names[t], both[t], "youden", evaluate=(names[u], both[u]), **given)
    assert found.evaluated is not None
    assert found.evaluated.equals(expected.evaluated)


def test_an_average_beside_a_measure_is_explained() -> None:
    with pytest.raises(UnknownMeasure, match=r"An average is part of a name: F\(average=macro\)"):
        assay.classification(TRUE, MODELS["a"], ["F1 macro"])
    value = assay.classification(TRUE, MODELS["a"], ["f1_macro"], interval=None)
    same = assay.classification(TRUE, MODELS["a"], ["F(average=macro)"], interval=None)
    assert value.to_dict() == same.to_dict()


def test_what_comes_from_all_points_says_why_it_has_no_interval() -> None:
    points = np.concatenate([draw.normal(size=(30, 2)), draw.normal(4, size=(30, 2))])
    scores = assay.clustering(points, np.repeat([0, 1], 30))
    text = " ".join(str(scores).split())
    assert "CH, DB: computed from all points at once, so that there is no interval" in text
    intervals = dict(scores.summary().select("measure", "interval").iter_rows())
    assert intervals == {"CH": "all points", "DB": "all points", "silhouette": "jackknife"}


def test_the_support_of_a_class_is_whole_unless_items_have_weights() -> None:
    scores = assay.classification(TRUE, MODELS["a"], "ACC", interval=None)
    support = scores.per_class()["support"]
    assert support.dtype == pl.Int64
    assert support.to_list() == np.bincount(TRUE).tolist()
    weights = np.full(200, 2.0)
    weighed = assay.classification(TRUE, MODELS["a"], "ACC", weight=weights, interval=None)
    assert weighed.per_class()["support"].dtype == pl.Float64


def test_a_matrix_of_several_classifiers_is_refused_with_what_draws_it() -> None:
    said = r"is of one classifier, but there is a dict of a, b, c: .*plot\('confusion'\)"
    with pytest.raises(UsageError, match=said):
        assay.confusion(TRUE, MODELS)
    assert "<svg" in assay.classification(TRUE, MODELS).plot("confusion").svg


def test_slices_without_a_table_of_the_worst_have_no_note_on_it() -> None:
    same = assay.classification([1, 0] * 20, [1, 0] * 20, "MCC F1", by={"x": [1, 1, 2, 2] * 10})
    text, page = str(same), str(slices_section(same).content)
    assert "\nlargest gaps\n" in text
    assert not text.endswith("\n")
    for each in (text, page):
        assert "worst slices" not in each
        assert "Cochran" not in each
        assert "is corrected" not in each
    rates = {"x": np.resize([1, 1, 2, 2], 200)}
    differ = str(assay.classification(TRUE, MODELS["b"], "ACC", by=rates))
    assert "worst slices: against" in differ
    assert "Cochran" in differ
