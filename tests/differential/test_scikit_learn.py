"""500 random cases of predictions against scikit-learn, under the profile ``sklearn``."""

from __future__ import annotations

import math
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

import numpy as np
import pytest
from tests.differential.exclusions import rules_of
from tests.differential.random_predictions import Predictions, draw_predictions

import assay

metrics = pytest.importorskip("sklearn.metrics")
pytestmark = [pytest.mark.slow, pytest.mark.oracle]
CASES = 500
Expected = dict[str, float]
"""Our name of a measure, and the value of scikit-learn."""
DECIDED = {
    "PPV": metrics.precision_score,
    "TPR": metrics.recall_score,
    "F": metrics.f1_score,
    "Jaccard": metrics.jaccard_score,
}
WHOLE = {
    "ACC": metrics.accuracy_score,
    "BA": metrics.balanced_accuracy_score,
    "ERR": metrics.zero_one_loss,
    "MCC": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "kappa(weights=linear)": partial(metrics.cohen_kappa_score, weights="linear"),
    "kappa(weights=quadratic)": partial(metrics.cohen_kappa_score, weights="quadratic"),
}
ERRORS = {
    "MAE": metrics.mean_absolute_error,
    "MSE": metrics.mean_squared_error,
    "RMSE": metrics.root_mean_squared_error,
    "R2": metrics.r2_score,
    "EV": metrics.explained_variance_score,
    "D2_AE": metrics.d2_absolute_error_score,
    "MedAE": metrics.median_absolute_error,
    "MAPE": metrics.mean_absolute_percentage_error,
    "pinball(alpha=0.3)": partial(metrics.mean_pinball_loss, alpha=0.3),
}
POSITIVE_ERRORS = {
    "MSLE": metrics.mean_squared_log_error,
    "RMSLE": metrics.root_mean_squared_log_error,
    "PoissonDeviance": metrics.mean_poisson_deviance,
    "GammaDeviance": metrics.mean_gamma_deviance,
    "TweedieDeviance(power=1.5)": partial(metrics.mean_tweedie_deviance, power=1.5),
}
PARTITIONS = {
    "ARI": metrics.adjusted_rand_score,
    "RI": metrics.rand_score,
    "AMI": metrics.adjusted_mutual_info_score,
    "NMI": metrics.normalized_mutual_info_score,
    "MI": metrics.mutual_info_score,
    "V": metrics.v_measure_score,
    "homogeneity": metrics.homogeneity_score,
    "completeness": metrics.completeness_score,
    "FM": metrics.fowlkes_mallows_score,
}
POINTS = {
    "silhouette": metrics.silhouette_score,
    "CH": metrics.calinski_harabasz_score,
    "DB": metrics.davies_bouldin_score,
}
SHARES = {"sklearn-top-k-ties", "sklearn-absent-class", "sklearn-d2-one-class"}
"""The rules for measures of probabilities."""
UNDEFINED = {
    "ARI": "sklearn-trivial",
    "AMI": "sklearn-trivial",
    "NMI": "sklearn-trivial",
    "V": "sklearn-trivial",
    "homogeneity": "sklearn-one-class",
    "completeness": "sklearn-one-class",
    "FM": "sklearn-no-pairs",
}
"""The rule for a measure of partitions that is undefined here."""


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _cases() -> Iterable[Predictions]:
    return map(draw_predictions, range(CASES))


def _weight(case: Predictions) -> dict[str, Any]:
    return {"weight": "w"} if case.seed % 2 else {}


def _compare(ours: assay.Scores, expected: Expected, case: Predictions) -> None:
    for result, (name, value) in zip(ours.results, expected.items(), strict=True):
        close = math.isclose(result.value, value, rel_tol=1e-9, abs_tol=1e-9)
        both_undefined = math.isnan(result.value) and math.isnan(value)
        assert close or both_undefined, f"{name}: {result.value}, not {value}\n{case}"


def _check_classes(
    case: Predictions, expected: Expected, data: dict[str, Any], **options: Any
) -> None:
    ours = assay.classification(
        data | {"w": case.weight.tolist()},
        list(expected),
        profile="sklearn",
        interval=None,
        **_weight(case),
        **options,
    )
    _compare(ours, expected, case)


def _averages(case: Predictions, labels: list[str] | None, zero_division: int) -> Expected:
    """Return every average of precision, recall, F and Jaccard."""
    options: dict[str, Any] = {"labels": labels, "sample_weight": case.weight}
    expected: Expected = {}
    for average in ("macro", "micro", "weighted"):
        options["average"] = average
        three = metrics.precision_recall_fscore_support(
            case.truth, case.answer, zero_division=zero_division, **options
        )
        settings = f"average={average},undefined={zero_division}"
        expected |= {
            f"{name}({settings})": value
            for name, value in zip(("PPV", "TPR", "F"), three, strict=False)
        }
        jaccard = metrics.jaccard_score(case.truth, case.answer, zero_division=0, **options)
        expected[f"Jaccard(average={average})"] = jaccard
    options |= {"average": "macro", "zero_division": 0}
    expected["F(beta=2,average=macro)"] = metrics.fbeta_score(
        case.truth, case.answer, beta=2, **options
    )
    return expected


def test_classes() -> None:
    for case in _cases():
        # One case in two names its labels, of which one does not occur.
        labels = [*case.classes, "z"] if case.seed % 4 > 1 else None
        expected = _averages(case, labels, zero_division=case.seed // 4 % 2)
        if labels is None:
            expected |= {
                name: function(case.truth, case.answer, sample_weight=case.weight)
                for name, function in WHOLE.items()
            }
        data = {"truth": case.truth, "predicted": case.answer}
        _check_classes(case, expected, data, predicted="predicted", labels=labels)


def test_scores_and_thresholds() -> None:
    for case in _cases():
        given = {"sample_weight": case.weight}
        expected = {
            "AUC": metrics.roc_auc_score(case.binary, case.score, **given),
            "AUC(max_fpr=0.4)": metrics.roc_auc_score(
                case.binary, case.score, max_fpr=0.4, **given
            ),
            "AP": metrics.average_precision_score(case.binary, case.score, **given),
        }
        data = {"truth": case.binary.tolist(), "score": case.score.tolist()}
        options: dict[str, Any] = {"score": "score", "positive": "1"}
        _check_classes(case, expected, data, **options)
        threshold = case.seed % 8 / 7
        decided = (case.score >= threshold).astype(int)
        expected = {
            name: function(case.binary, decided, zero_division=0, **given)
            for name, function in DECIDED.items()
        }
        _check_classes(case, expected, data, threshold=threshold, **options)


def test_probabilities() -> None:
    rules = rules_of("scikit-learn")
    for case in _cases():
        shares, options = case.shares, {"labels": case.classes, "sample_weight": case.weight}
        expected = {
            "LogLoss": metrics.log_loss(case.truth, shares, **options),
            "Brier": metrics.brier_score_loss(case.truth, shares, **options),
        }
        if not rules.applies("sklearn-d2-one-class", len(set(case.truth)) < 2):
            expected["D2_LogLoss"] = metrics.d2_log_loss_score(case.truth, shares, **options)
            expected["D2_Brier"] = metrics.d2_brier_score(case.truth, shares, **options)
        several, absent = len(case.classes) > 2, set(case.truth) != set(case.classes)
        if several and not rules.applies("sklearn-top-k-ties", case.tied_shares):
            expected["top(k=2)"] = metrics.top_k_accuracy_score(case.truth, shares, k=2, **options)
        if several and not rules.applies("sklearn-absent-class", absent):
            area = partial(metrics.roc_auc_score, case.truth, shares, labels=case.classes)
            expected["AUC_OvR"] = area(multi_class="ovr", sample_weight=case.weight)
            if not case.seed % 2:  # scikit-learn has no weights for pairs of classes
                expected["HandTill"] = area(multi_class="ovo")
                expected["HandTill(mean=weighted)"] = area(multi_class="ovo", average="weighted")
            expected["AUC_OvR(mean=weighted)"] = area(
                multi_class="ovr", average="weighted", sample_weight=case.weight
            )
        columns = {f"p_{name}": shares[:, n].tolist() for n, name in enumerate(case.classes)}
        _check_classes(case, expected, {"truth": case.truth, **columns}, probabilities="p_*")
    assert not SHARES & set(rules.unused())


def test_calibration() -> None:
    calibration = pytest.importorskip("sklearn.calibration")
    for case in _cases():
        share = np.random.default_rng(case.seed).random(case.size)
        true, mean = calibration.calibration_curve(case.binary, share, n_bins=5)
        sizes = np.bincount(np.minimum((share * 5).astype(int), 4), minlength=5)
        gaps = np.abs(true - mean)
        expected = {
            "ECE(bins=5)": float(gaps @ sizes[sizes > 0]) / case.size,
            "MCE(bins=5)": float(gaps.max()),
        }
        data = {"truth": case.binary.tolist(), "p_0": (1 - share).tolist(), "p_1": share.tolist()}
        ours = assay.classification(
            data, list(expected), probabilities="p_*", positive="1", interval=None
        )
        _compare(ours, expected, case)


def test_values() -> None:
    for case in _cases():
        positive = (np.abs(case.value) + 1, np.abs(case.estimate) + 0.5)
        for functions, (truth, answer) in (
            (ERRORS, (case.value, case.estimate)),
            (POSITIVE_ERRORS, positive),
        ):
            expected = {
                name: function(truth, answer, sample_weight=case.weight)
                for name, function in functions.items()
            }
            expected["MaxE"] = metrics.max_error(truth, answer)
            columns = {"truth": truth, "predicted": answer, "w": case.weight}
            data = {name: column.tolist() for name, column in columns.items()}
            ours = assay.regression(
                data, list(expected), profile="sklearn", interval=None, **_weight(case)
            )
            _compare(ours, expected, case)


def test_partitions() -> None:
    rules = rules_of("scikit-learn")
    for case in _cases():
        data = {"class": list(map(str, case.group)), "cluster": list(map(str, case.cluster))}
        ours = assay.clustering(data, list(PARTITIONS), classes="class", interval=None)
        for result, (name, function) in zip(ours.results, PARTITIONS.items(), strict=True):
            if name in UNDEFINED and rules.applies(UNDEFINED[name], math.isnan(result.value)):
                continue
            value = function(case.group, case.cluster)
            assert result.value == pytest.approx(value, rel=1e-9, abs=1e-9), f"{name}\n{case}"
    assert not set(UNDEFINED.values()) & set(rules.unused())


def test_points() -> None:
    rules = rules_of("scikit-learn")
    for case in _cases():
        if not 1 < len(set(case.cluster)) < case.size:  # refused by scikit-learn
            continue
        expected = {name: function(case.points, case.cluster) for name, function in POINTS.items()}
        single = 1 in Counter(case.cluster).values()
        if rules.applies("sklearn-db-singletons", single):
            del expected["DB"]
        columns = {"x": case.points[:, 0].tolist(), "y": case.points[:, 1].tolist()}
        data = {**columns, "cluster": list(map(str, case.cluster))}
        ours = assay.clustering(data, list(expected), features=["x", "y"], interval=None)
        _compare(ours, expected, case)
    assert "sklearn-db-singletons" not in rules.unused()


def test_every_rule_is_used_here() -> None:
    used = SHARES | {"sklearn-db-singletons"}
    assert used | set(UNDEFINED.values()) == set(rules_of("scikit-learn").unused())
