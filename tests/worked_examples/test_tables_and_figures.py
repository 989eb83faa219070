"""The tables and figures of the lectures, compared by their points through the public interface."""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

import assay

RELEVANT = {1, 2, 4, 6, 13}
QRELS = {"q": {f"d{n}": int(n in RELEVANT) for n in range(1, 15)}}
RUN = {"q": {f"d{n}": -n for n in range(1, 15)}}
PRECISION = [1, 1, 0.67, 0.75, 0.6, 0.67, 0.57, 0.5, 0.44, 0.4, 0.36, 0.33, 0.38, 0.36]
RECALL = [0.2, 0.4, 0.4, 0.6, 0.6, *[0.8] * 7, 1, 1]
FAMILY = [[13, 4, 2], [2, 15, 1], [5, 1, 57]]
NAMES = ["woman", "man", "child"]
# Class, score, and TPR and FPR in tenths with that score as threshold.
TWENTY = """
P .90 1 0, P .80 2 0, N .70 2 1, P .60 3 1, P .55 4 1, P .54 5 1, N .53 5 2, N .52 5 3, P .51 6 3,
N .50 6 4, P .40 7 4, N .39 7 5, P .38 8 5, N .37 8 6, N .36 8 7, N .35 8 8, P .34 9 8, N .33 9 9,
P .30 10 9, N .10 10 10
"""
ITEMS = [each.split() for each in TWENTY.split(",")]
SCORED = {"class": [each[0] for each in ITEMS], "score": [float(each[1]) for each in ITEMS]}
COLUMNS = {"truth": "class", "score": "score", "positive": "P"}
MODELS = {
    "method": [f"M{n}" for n in range(1, 6)],
    "retrieved": [80, 90, 120, 0, 50],
    "relevant_retrieved": [80, 70, 100, 0, 50],
    "relevant": [100] * 5,
    "corpus": [120] * 5,
}
METHODS = {
    "method": list("ABCD"),
    "tp": [95, 40, 90, 60],
    "fp": [30, 80, 70, 5],
    "fn": [5, 60, 10, 40],
    "tn": [70, 20, 30, 95],
}
POINTS = {
    "precision": [0.1, 0.5, 0.6, 0.6, 0.5, 0.5, 0.7, 0.9, 1],
    "recall": [1, 0.9, 0.7, 0.5, 0.4, 0.4, 0.3, 0.1, 0],
}
INTERPOLATED = [1, 0.9, 0.7, 0.7, 0.6, 0.6, 0.6, 0.6, 0.5, 0.5, 0.1]


def printed(values: Any, digits: int = 2) -> Any:
    """As near as the last digit that a lecture prints."""
    return pytest.approx(values, abs=0.5 * 10**-digits + 1e-9, nan_ok=True)


class TestTables:
    def test_precision_and_recall_at_every_rank(self) -> None:
        table = assay.explain_retrieval(QRELS, RUN, "AP", "q").table
        assert table["rank"].to_list() == list(range(1, 15))
        assert table["precision"].to_list() == printed(PRECISION)
        assert table["recall"].to_list() == pytest.approx(RECALL)
        assert table["sum"].to_list()[-1] == printed(0.76)

    def test_every_rank_of_discounted_gain(self) -> None:
        judged = {f"d{n}": grade for n, grade in enumerate([0, 2, 1, 3, 0, 2, 0, 3, 1, 3])}
        others = {"x": 3, "y": 3} | {f"z{n}": 2 for n in range(8)}
        run = {"q": {f"d{n}": -n for n in range(10)}}
        table = assay.explain_retrieval({"q": judged | others}, run, "nDCG@10", "q").table
        discounts = [1, 0.63, 0.5, 0.43, 0.39, 0.36, 0.33, 0.32, 0.3, 0.29]
        assert table["discount"].to_list() == printed(discounts)
        dcg = [0, 1.26, 1.76, 3.05, 3.05, 3.77, 3.77, 4.71, 5.01, 5.88]
        assert table["DCG"].to_list() == printed(dcg)
        assert table["ideal gain"].to_list() == [3] * 5 + [2] * 5
        ideal = [3, 4.89, 6.39, 7.68, 8.85, 9.56, 10.22, 10.86, 11.46, 12.04]
        assert table["ideal DCG"].to_list() == printed(ideal)
        ndcg = [0, 0.26, 0.28, 0.4, 0.35, 0.39, 0.37, 0.43, 0.44, 0.49]
        assert table["nDCG"].to_list() == printed(ndcg)

    def test_overview_of_the_cancer_test_in_both_orientations(self) -> None:
        cancer = assay.confusion([[20, 180], [10, 1820]], rows="predicted", labels=["yes", "no"])
        table = assay.overview(cancer, "predicted", digits=2).overview.rows()
        assert [row[1:] for row in table] == [
            ("TP = 20", "FP = 180", "PPV = 0.10", "FDR = 0.90"),
            ("FN = 10", "TN = 1820", "FOR = 0.01", "NPV = 0.99"),
            ("TPR = 0.67", "FPR = 0.09", "ACC = 0.91", ""),
            ("FNR = 0.33", "TNR = 0.91", "", "ERR = 0.09"),
        ]
        turned = assay.overview(cancer, "actual", digits=2).overview.rows()
        assert [row[1:3] for row in turned[:2]] == [
            ("TP = 20", "FN = 10"),
            ("FP = 180", "TN = 1820"),
        ]
        assert [row[3:] for row in turned[:2]] == [
            ("TPR = 0.67", "FNR = 0.33"),
            ("FPR = 0.09", "TNR = 0.91"),
        ]

    def test_five_models_given_as_sizes_of_sets(self) -> None:
        evidence = assay.ConfusionEvidence.read(MODELS)
        scores = evidence.scores("P R ACC F specificity fall-out", interval=None)
        none = math.nan
        expected: dict[str, list[float]] = {
            "PPV": [1, 0.78, 0.83, none, 1],
            "TPR": [0.8, 0.7, 1, 0, 0.5],
            "ACC": [0.83, 0.58, 0.83, 0.17, 0.58],
            "F": [0.89, 0.74, 0.91, none, 0.67],
            "TNR": [1, 0, 0, 1, 1],
            "FPR": [0, 1, 1, 0, 0],
        }
        for name, values in expected.items():
            assert [scores[name][f"M{n}"] for n in range(1, 6)] == printed(values)

    def test_given_points_of_precision_and_recall(self) -> None:
        found = assay.pr(POINTS)
        assert found.interpolated["points"].to_list() == INTERPOLATED
        assert found.summary["11pt_avg"].to_list() == printed([0.62])

    def test_accuracy_and_prevalence_of_each_class(self) -> None:
        table = assay.confusion(FAMILY, rows="predicted", labels=NAMES).per_class()
        assert table["ACC"].to_list() == printed([0.87, 0.92, 0.91])
        assert table["prevalence"].to_list() == pytest.approx([0.2, 0.2, 0.6])

    def test_predictive_values_at_another_prevalence(self) -> None:
        virus = assay.confusion([[595, 4965], [105, 94335]], rows="predicted", labels=["yes", "no"])
        table = assay.overview(virus, prevalence=[0.007, 0.5]).prevalences
        assert table is not None
        sensitivity, specificity = 0.85, 0.95
        ppv = sensitivity / (sensitivity + 1 - specificity)
        npv = specificity / (specificity + 1 - sensitivity)
        assert table["PPV"].to_list() == printed([0.107, ppv], 3)
        assert table["NPV"].to_list() == printed([0.999, npv], 3)

    def test_rates_from_densities(self) -> None:
        found = assay.rates(f_n="normal(90, 12)", f_p="normal(140, 25)", at=[110]).rates
        healthy, ill = NormalDist(90, 12), NormalDist(140, 25)
        expected = [healthy.cdf(110), 1 - healthy.cdf(110), ill.cdf(110), 1 - ill.cdf(110)]
        assert [found[name][0] for name in ("TNR", "FPR", "FNR", "TPR")] == pytest.approx(expected)

    def test_cross_entropy_of_each_class(self) -> None:
        data = {"p_a": [1, 0.5], "p_b": [0, 0.5], "q_a": [0.8, 0.4], "q_b": [0.2, 0.6]}
        found = assay.entropy(data, probabilities="q_*", true="p_*").classes["cross_entropy"]
        first = -(math.log(0.8) + 0.5 * math.log(0.4)) / 2
        assert found.to_list() == pytest.approx([first, -0.5 * math.log(0.6) / 2])


class TestRetrievedSets:
    def test_measures_with_the_size_of_the_collection(self) -> None:
        qrels = {"q": {f"r{n}": 1 for n in range(100)}}
        run = {"q": {f"r{n}": 1 for n in range(70)} | {f"x{n}": 1 for n in range(20)}}
        names = "ACC specificity Jaccard MCC fall-out"
        scores = assay.retrieval(qrels, run, names, corpus=120, interval=None)
        mcc = -30 * 20 / math.sqrt(90 * 100 * 20 * 30)
        expected = [70 / 120, 0, 70 / 120, mcc, 1]
        assert [each.value for each in scores.results] == pytest.approx(expected)

    def test_first_guesses_without_probabilities(self) -> None:
        data = {"truth": ["cat", "dog"], "ranked": ["cat;dog;fox", "fox;cat;dog"]}
        scores = assay.top_k(data, "top@1 top@2 top@3", interval=None)
        assert [each.value for each in scores.results] == [0.5, 0.5, 1]

    def test_averaged_curves_with_the_single_ones(self) -> None:
        qrels = {"a": {"1": 1, "3": 1}, "b": {"2": 1}}
        run = {"a": {"1": 3, "2": 2, "3": 1}, "b": {"1": 3, "2": 2, "3": 1}}
        ranked = assay.plot("pr", qrels, run, ranks=[1, 3], each=True).points
        mean, first, second = ranked.values()
        assert mean["precision"].tolist() == pytest.approx([1 / 2, (2 / 3 + 1 / 3) / 2])
        assert mean["recall"].tolist() == pytest.approx([1 / 4, 1])
        assert [first["recall"].tolist(), second["recall"].tolist()] == [[0.5, 1], [0, 1]]
        mean, first, second = assay.plot("pr", qrels, run, each=True).points.values()
        # Interpolated: 1 up to recall 1/2 and 2/3 to the end; 1/2 everywhere.
        assert first["precision"].tolist() == pytest.approx([1] * 6 + [2 / 3] * 5)
        assert second["precision"].tolist() == [0.5] * 11
        assert mean["precision"].tolist() == pytest.approx([0.75] * 6 + [7 / 12] * 5)


class TestFigures:
    def test_sawtooth_with_area_distance_and_break_even_point(self) -> None:
        points = assay.plot("pr", QRELS, RUN, query="q", mark=True).points
        assert points["q"]["precision"].tolist() == printed(PRECISION)
        assert points["q"]["recall"].tolist() == pytest.approx(RECALL)
        upper = [1, 1, 0.75, 0.75, 0.67, 0.67, *[0.57, 0.5, 0.44, 0.4], 0.38, 0.38, 0.38, 0.36]
        assert points["q"]["interpolated"].tolist() == printed(upper)
        area = points["area of AP"]
        assert list(area["to"]) == pytest.approx([0.2, 0.4, 0.6, 0.8, 1])
        assert list(area["precision"]) == printed([1, 1, 0.75, 0.67, 0.38])
        assert points["distance"]["recall"].tolist() == [0.8, 1]
        assert points["distance"]["precision"].tolist() == printed([0.67, 1])
        assert points["break-even point"]["precision"].tolist() == [0.6]

    def test_given_points_and_their_interpolation(self) -> None:
        points = assay.plot("pr-points", POINTS).points
        assert sorted(points["points, points"]["precision"].tolist()) == sorted(POINTS["precision"])
        assert points["points"]["precision"].tolist() == INTERPOLATED

    def test_roc_curve_of_the_twenty_items(self) -> None:
        figure = assay.plot("roc", SCORED, **COLUMNS, every_threshold=True, threshold=0.54)
        curve = figure.points["ROC"]
        assert curve["TPR"].tolist() == pytest.approx([0, *(int(each[2]) / 10 for each in ITEMS)])
        assert curve["FPR"].tolist() == pytest.approx([0, *(int(each[3]) / 10 for each in ITEMS)])
        assert curve["threshold"].tolist()[1:] == SCORED["score"]
        chosen = figure.points["chosen"]
        assert [chosen[name].tolist() for name in ("threshold", "TPR", "FPR")] == [
            [0.54],
            [0.5],
            [0.1],
        ]

    @pytest.mark.parametrize("panels", [1, 2])
    def test_four_areas_at_a_threshold(self, panels: int) -> None:
        points = assay.plot("densities", SCORED, **COLUMNS, threshold=0.54, panels=panels).points
        rates = [points["rates"][name][0] for name in ("TNR", "FPR", "FNR", "TPR")]
        assert rates == pytest.approx([0.9, 0.1, 0.5, 0.5])
        for name in ("negative", "positive"):  # Each curve is a density.
            curve = points[name]
            assert np.trapezoid(curve["density"], curve["score"]) == pytest.approx(1, abs=0.02)

    def test_matrices_of_counts_and_of_items_in_both_orientations(self) -> None:
        matrix = assay.confusion(FAMILY, rows="predicted", labels=NAMES)
        items: dict[str, list[str]] = {"truth": [], "predicted": []}
        for i, row in enumerate(FAMILY):
            for j, count in enumerate(row):
                items["truth"] += [NAMES[j]] * count
                items["predicted"] += [NAMES[i]] * count
        labels = {"truth": "truth", "predicted": "predicted", "labels": NAMES}
        for show, by_column in (("predicted", list(zip(*FAMILY, strict=True))), ("actual", FAMILY)):
            expected = dict(zip(NAMES, map(list, by_column), strict=True))
            for figure in (
                assay.plot("confusion", matrix, show=show),
                assay.plot("confusion", items, show=show, **labels),
            ):
                counts = figure.points["counts"]
                assert {name: column.tolist() for name, column in counts.items()} == expected

    def test_classes_that_are_confused_stand_together(self) -> None:
        rows = [[20, 0, 9, 1], [0, 30, 0, 0], [8, 0, 21, 1], [0, 1, 0, 29]]
        matrix = assay.confusion(rows, rows="actual", labels=["a", "b", "c", "d"])
        order = list(assay.plot("confusion", matrix, arrange=True).points["counts"])
        assert abs(order.index("a") - order.index("c")) == 1

    def test_methods_in_the_roc_plane(self) -> None:
        points = assay.plot("methods", METHODS).points
        assert {name: (each["FPR"][0], each["TPR"][0]) for name, each in points.items()} == {
            "A": (0.3, 0.95),
            "B": (0.8, 0.4),
            "C": (0.7, 0.9),
            "D": (0.05, 0.6),
        }

    def test_histograms_with_two_numbers_of_bins(self) -> None:
        values = [0.0, 1, 1, 2, 3, 3, 3, 4]
        points = assay.plot("histogram", {"value": values}, bins=[2, 4]).points
        assert list(points["2 bins"]["density"]) == pytest.approx([3 / 16, 5 / 16])
        assert list(points["4 bins"]["density"]) == pytest.approx([1 / 8, 2 / 8, 1 / 8, 4 / 8])

    def test_retrieved_and_relevant_sets(self) -> None:
        sets = assay.plot("sets", MODELS).points
        second = sets["M2: M2"]
        assert {name: value[0] for name, value in second.items()} == {
            "both": 70,
            "only retrieved": 20,
            "only relevant": 30,
            "neither": 0,
        }
        venn = assay.plot("venn", QRELS, RUN, cutoff=3).points["query q"]
        assert venn == {"both": [2], "only retrieved": [1], "only relevant": [3]}

    def test_dense_and_sparse_judgments(self) -> None:
        dense = {f"q{q}": {f"d{n}": int(n < q) for n in range(30)} for q in range(3)}
        counts = assay.plot("judged", dense).points["queries"]
        assert counts["documents"] == [30] * 3
        assert counts["relevant"] == [0, 1, 2]
        run = {f"q{q}": {"d0": 3, "d29": 2, "new": 1} for q in range(3)}
        found = assay.plot("judged", dense, run).points["queries"]
        assert found["retrieved, relevant"] == [0, 1, 1]
        assert found["retrieved, not relevant"] == [2, 1, 1]
        assert found["retrieved, unjudged"] == [1] * 3
        assert found["relevant, not retrieved"] == [0, 0, 1]
        assert found["not relevant, not retrieved"] == [28, 28, 27]
