"""Slices: a slice has the numbers of its units alone in every task; gaps and worst slices."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
import scipy.stats
from tests.cli.terminal import call

import assay
from assay.core.errors import AssayError
from assay.engine.scores import Scores
from assay.reports.pages.task_page import saved_scores_page
from assay.statistics.slice_gaps import difference_ends, slice_gaps, worst_slices
from assay.tasks.classification.fairness import newcombe_interval

RANDOM = np.random.default_rng(7)
GROUP = np.asarray(["a", "b"] * 30)
QUERIES = [f"q{each}" for each in range(60)]
QRELS = {query: {"d1": 1, "d2": 1} for query in QUERIES}
RUN = {query: {f"d{doc}": float(RANDOM.random()) for doc in range(1, 6)} for query in QUERIES}
CLASSES, CLUSTERS = RANDOM.integers(0, 3, (2, 60))
LABELS = RANDOM.integers(0, 2, (60, 3))
GUESSES = np.where(RANDOM.random((60, 3)) < 0.7, LABELS, 1 - LABELS)
SPANS = [[[0, 3, "x"], [5, 8, "y"]] for _ in range(60)]
FOUND = [[[0, 3, "x"]] + [[5, 9, "y"]] * int(each) for each in RANDOM.integers(0, 2, 60)]
RATINGS = RANDOM.integers(0, 3, (60, 3))
POINTS = RANDOM.normal(size=(60, 2))


def _retrieval(rows: Any = slice(None), **by: Any) -> Scores:
    queries = np.asarray(QUERIES)[rows].tolist()
    if by:
        by = {"by": dict(zip(QUERIES, by["by"], strict=True))}
    return assay.retrieval({query: QRELS[query] for query in queries}, RUN, "AP nDCG@5", **by)


TASKS = {
    "retrieval": _retrieval,
    "clustering": lambda rows=slice(None), **by: assay.clustering(
        CLASSES[rows], CLUSTERS[rows], "NMI purity", **by
    ),
    "points": lambda rows=slice(None), **by: assay.clustering(
        POINTS[rows], CLUSTERS[rows], "silhouette", **by
    ),
    "labelsets": lambda rows=slice(None), **by: assay.labelsets(
        LABELS[rows], GUESSES[rows], "F(average=micro) Hamming", **by
    ),
    "spans": lambda rows=slice(None), **by: assay.spans(
        list(np.asarray(SPANS, dtype=object)[rows].tolist()),
        [FOUND[row] for row in np.arange(60)[rows]],
        "F",
        **by,
    ),
    "agreement": lambda rows=slice(None), **by: assay.agreement(
        RATINGS[rows], None, "fleiss", **by
    ),
}


@pytest.mark.parametrize("task", TASKS)
def test_a_slice_has_the_numbers_of_its_units_alone(task: str) -> None:
    whole = TASKS[task]()
    sliced = TASKS[task](by=GROUP)
    (name,) = {each.partition("=")[0] for each in sliced.slices}
    assert sliced.slices == (f"{name}=a", f"{name}=b")
    for value in ("a", "b"):
        alone = TASKS[task](value == GROUP)
        for measure in whole.measures:
            assert sliced[measure] == whole[measure]
            (one,), (other,) = sliced.of(measure, f"{name}={value}"), alone.of(measure)
            assert one.value == pytest.approx(other.value, abs=1e-12)
            # Names of items, by which resamples are ordered, are row numbers in ratings.
            near = 0.05 if task == "agreement" else 1e-12
            assert one.low == pytest.approx(other.low, abs=near, nan_ok=True)
    assert "Slices" in saved_scores_page(sliced)


def test_columns_and_files_name_slices(tmp_path: Path) -> None:
    table = pl.DataFrame({"query": QUERIES, "kind": GROUP, "half": ["x"] * 30 + ["y"] * 30})
    found = assay.retrieval(QRELS, RUN, "AP", by=table)
    assert found.slices == ("kind=a", "kind=b", "half=x", "half=y")
    assert found.conventions["slices"]["kind=a"] == 30
    table.write_csv(tmp_path / "queries.csv")
    (tmp_path / "qrels.txt").write_text(
        "".join(f"{query} 0 {doc} 1\n" for query in QUERIES for doc in QRELS[query])
    )
    (tmp_path / "x.run").write_text(
        "".join(
            f"{query} Q0 {doc} 0 {score!r} x\n"
            for query in QUERIES
            for doc, score in RUN[query].items()
        )
    )
    files = [str(tmp_path / name) for name in ("qrels.txt", "x.run")]
    options = ["--units", str(tmp_path / "queries.csv"), "--by", "kind,half", "-m", "AP"]
    done = call("retrieval", *files, *options)
    assert done.code == 0, done.err
    for part in ("kind=a, half=x", "largest gaps", "queries"):
        assert part in done.out
    assert call("retrieval", *files, "--by", "kind").code == 2
    with pytest.raises(AssayError, match="no judged query"):
        assay.retrieval(QRELS, RUN, "AP", by={"other": "a"})


def test_fields_of_rows_and_ratings_name_slices(tmp_path: Path) -> None:
    rows = [
        {"truth": ["a"], "predicted": ["a"] if n % 3 else ["b"], "lang": "en" if n % 2 else "de"}
        for n in range(30)
    ]
    found = assay.labelsets(rows, None, "F(average=micro)", by="lang")
    assert [found.of("F(average=micro)", f"lang={each}")[0].value for each in ("de", "en")] == [
        pytest.approx(2 / 3)
    ] * 2
    wide = pl.DataFrame({"x": RATINGS[:, 0], "y": RATINGS[:, 1], "g": GROUP})
    found = assay.agreement(wide, None, "kappa", assessors=["x", "y"], by="g")
    assert found.slices == ("g=a", "g=b")
    long = pl.DataFrame(
        {"item": ["1", "1"], "assessor": ["x", "y"], "label": ["a", "b"], "g": ["p", "q"]}
    )
    with pytest.raises(AssayError, match="has several values in g"):
        assay.agreement(long, None, "kappa", by="g")


def test_the_gap_of_two_shares_is_newcombes() -> None:
    truth = np.asarray([1] * 60 + [0] * 40)
    right = np.asarray([True] * 48 + [False] * 12 + [True] * 20 + [False] * 20)
    guess = np.where(right, truth, 1 - truth)
    scores = assay.classification(
        truth,
        guess,
        "ACC",
        by={"g": truth},
        interval=assay.Bootstrap(method="wilson"),
    )
    low, high = scores.of("ACC", "g=0")[0], scores.of("ACC", "g=1")[0]
    assert difference_ends(high, low) == pytest.approx(
        newcombe_interval((48, 60), (20, 40), 0.95), abs=1e-12
    )
    (row,) = slice_gaps(scores).to_dicts()
    assert (row["lowest"], row["highest"]) == ("g=0", "g=1")
    assert row["gap"] == pytest.approx(0.3)
    assert (row["low"], row["high"]) == pytest.approx(difference_ends(high, low))


def test_cochrans_q_and_the_worst_slice() -> None:
    values = np.concatenate([RANDOM.normal(mean, 1, 50) for mean in (0, 0, 0, 2)])
    by = np.repeat(["a", "b", "c", "d"], 50)
    scores = assay.regression(
        np.zeros(200), np.abs(values), "MAE", by={"g": by}, interval=assay.Bootstrap()
    )
    own = [scores.of("MAE", f"g={each}")[0] for each in "abcd"]
    z = scipy.stats.norm.ppf(0.975)
    weights = np.asarray([((each.high - each.low) / 2 / z) ** -2 for each in own])
    means = np.asarray([each.value for each in own])
    q = weights @ (means - np.average(means, weights=weights)) ** 2
    (gap,) = slice_gaps(scores).to_dicts()
    assert gap["p"] == pytest.approx(scipy.stats.chi2.sf(q, 3))
    worst = worst_slices(scores)
    assert worst["slice"][0] == "g=d"
    assert worst["difference"][0] > 0
    assert worst["corrected"][0] == pytest.approx(min(1, 4 * worst["p"][0]))
    assert slice_gaps(scores, min_size=51).is_empty()
    assert worst_slices(scores, min_size=51).is_empty()


def test_a_slice_is_compared_with_the_mean_of_all_other_items() -> None:
    """Sizes weigh the others: by precision the slice near 1 would count most (.969)."""
    sizes, right = {"a": 60, "b": 100, "c": 120}, {"a": 40, "b": 99, "c": 96}
    by = np.repeat(list(sizes), list(sizes.values()))
    correct = np.concatenate([np.arange(sizes[name]) < right[name] for name in sizes])
    scores = assay.classification(np.ones(280, int), correct.astype(int), "ACC", by={"g": by})
    (worst,) = worst_slices(scores).filter(slice="g=a").to_dicts()
    assert worst["others"] == pytest.approx(correct[by != "a"].mean(), abs=1e-12)
    errors = np.asarray(
        [(each.high - each.low) / 2 / scipy.stats.norm.ppf(0.975) for each in scores.results[1:]]
    )
    error = np.sqrt(errors[0] ** 2 + (errors[1] * 100 / 220) ** 2 + (errors[2] * 120 / 220) ** 2)
    assert worst["p"] == pytest.approx(2 * scipy.stats.norm.sf(-worst["difference"] / error))


def test_gaps_under_the_null_hypothesis() -> None:
    small = 0
    for seed in range(200):
        random = np.random.default_rng(seed)
        values = random.normal(1, 1, 120)
        scores = assay.regression(
            np.zeros(120),
            np.abs(values),
            "MAE",
            by={"g": np.repeat(["a", "b", "c"], 40)},
            interval=assay.Bootstrap(resamples=200),
        )
        p = slice_gaps(scores)["p"][0]
        small += not math.isnan(p) and p < 0.05
    assert small <= 20


def test_a_table_of_queries_may_call_them_qid() -> None:
    table = pl.DataFrame({"qid": QUERIES, "kind": GROUP})
    assert assay.retrieval(QRELS, RUN, "AP", by=table).slices == ("kind=a", "kind=b")


def test_a_figure_takes_a_positive_class_that_is_a_number() -> None:
    figure = assay.plot("roc", [0, 1, 1, 0], score=[0.1, 0.9, 0.4, 0.5], positive=1)
    assert "<svg" in figure.svg


def test_values_of_a_column_may_have_commas() -> None:
    city = ["Paris, France", "London, UK"] * 30
    guesses = [0] * 60
    guesses[::2] = [1] * 30
    scores = assay.classification([1] * 60, guesses, measures="ACC", by={"city": city})
    (gap,) = slice_gaps(scores).rows(named=True)
    assert gap["by"] == "city"
    assert gap["gap"] == 1.0
    assert gap["high"] <= 1.0  # accuracies differ by at most 1


def test_systems_are_compared_in_each_slice() -> None:
    truth = RANDOM.integers(0, 2, 120)
    scores = {"a": truth * 0.3 + RANDOM.random(120) * 0.7, "b": RANDOM.random(120)}
    by = {"age": RANDOM.choice(["old", "young"], 120), "sex": RANDOM.choice(["f", "m"], 120)}
    measured = assay.classification(truth, y_score=scores, measures=["AUC", "ACC", "F"], by=by)
    compared = assay.compare(measured)
    parts = compared.pairs.filter(pl.col("slice") != "all")
    assert sorted(parts["slice"].unique()) == ["age=old", "age=young", "sex=f", "sex=m"]
    for row in parts.iter_rows(named=True):
        values = {each.system: each.value for each in measured.of(row["measure"], row["slice"])}
        assert row["difference"] == pytest.approx(values["b"] - values["a"])
        assert row["units"] == measured.conventions["slices"][row["slice"]]
    whole = assay.compare(assay.classification(truth, y_score=scores, measures="AUC"))
    assert compared.pairs.filter(measure="AUC", slice="all").equals(whole.pairs)
    assert "age=old" in str(compared)


def test_queries_are_compared_in_each_slice(tmp_path: Path) -> None:
    worse = {query: {"d9": 2.0, "d1": 1.0} for query in QUERIES}
    kinds = dict(zip(QUERIES, GROUP, strict=True))
    measured = assay.retrieval(QRELS, {"one": RUN, "two": worse}, "RR", by=kinds)
    compared = assay.compare(measured)
    labeled = assay.compare(
        assay.retrieval(QRELS, {"one": RUN, "two": worse}, "RR"),
        by={query: f"slice={kind}" for query, kind in kinds.items()},
    )
    assert compared.pairs.equals(labeled.pairs)
    measured.save(tmp_path / "scores.parquet")
    assert assay.compare(assay.load(tmp_path / "scores.parquet")).pairs.equals(compared.pairs)


def test_a_gate_checks_each_slice_of_the_scores() -> None:
    truth = [1] * 40
    good, bad = [1] * 40, [1] * 30 + [0] * 10
    by = {"half": ["first"] * 20 + ["second"] * 20}
    scores = assay.classification(truth, {"good": good, "bad": bad}, "ACC", by=by)
    checks = assay.gate(scores, baseline="good", margin=0.05).checks
    assert {each.slice: each.holds for each in checks} == {
        "all": False,
        "half=first": True,
        "half=second": False,
    }
    assert len(assay.gate(scores, floor=0.5, baseline="good", margin=0.05).checks) == 6


def test_clusterings_are_compared_in_each_slice() -> None:
    classes, half = np.repeat([0, 1], 40), ["a", "b"] * 40
    clusters = {"true": classes, "mixed": np.tile([0, 1, 1, 0], 20)}
    measured = assay.clustering(classes, clusters, "purity", by={"half": half})
    parts = assay.compare(measured).pairs.filter(pl.col("slice") != "all")
    for row in parts.iter_rows(named=True):
        values = {each.system: each.value for each in measured.of("purity", row["slice"])}
        assert row["difference"] == pytest.approx(values["mixed"] - values["true"])
    assert parts["slice"].to_list() == ["half=a", "half=b"]
    assert "ranks" in str(measured)


def test_slices_of_two_orders() -> None:
    """The first half agrees, the second is reversed."""
    first, second = [1.0, 2, 3, 4, 5, 6], [1.0, 2, 3, 6, 5, 4]
    part = ["same"] * 3 + ["other"] * 3
    expected = {"all": 9 / 15, "part=same": 1.0, "part=other": -1.0}
    table = {"item": list("abcdef"), "first": first, "second": second, "part": part}
    for scores in (
        assay.correlation(first, second, "tau", by={"part": part}),
        assay.correlation(first, {"one": second}, "tau", by={"part": part}),
        assay.correlation(table, "tau", by="part"),
    ):
        assert {each.slice: each.value for each in scores.results} == pytest.approx(expected)
        assert scores.conventions["slices"] == {"part=other": 3, "part=same": 3}
        assert "part=same" in str(scores)
    with pytest.raises(assay.AssayError, match="`by` needs both numbers in one table"):
        assay.correlation({"a": 1, "b": 2}, {"a": 1, "b": 3}, by="part")


def test_slices_of_preferences(tmp_path: Path) -> None:
    """The run has the pair of q1 in the preferred order, and that of q2 not."""
    rows = [
        {"query": query, "first": "a", "second": "b", "preferred": "a"} for query in ("q1", "q2")
    ]
    run = {"q1": ["a", "b"], "q2": ["b", "a"]}
    kinds = {"q1": "short", "q2": "long"}
    scores = assay.preferences(rows, {"run": run}, form="pairs", by=kinds)
    found = {each.slice: each.value for each in scores.results}
    assert found == {"all": 0.5, "slice=short": 1.0, "slice=long": 0.0}
    topics = pl.DataFrame({"qid": ["q1", "q2"], "kind": ["short", "long"]})
    named = assay.preferences(rows, run, form="pairs", by="kind", units=topics)
    assert named.slices == ("kind=long", "kind=short")
    topics.write_csv(tmp_path / "topics.csv")
    (tmp_path / "pairs.txt").write_text("q1 a b a\nq2 a b a\n")
    (tmp_path / "a.run").write_text("q1 Q0 a 1 2 t\nq1 Q0 b 2 1 t\nq2 Q0 b 1 2 t\nq2 Q0 a 2 1 t\n")
    files = ("preferences", str(tmp_path / "pairs.txt"), str(tmp_path / "a.run"), "--form", "pairs")
    done = call(*files, "--by", "kind", "--units", str(tmp_path / "topics.csv"), "--format", "csv")
    assert "kind=short,prefs_simp,1.0" in done.out
    assert "with --units" in call(*files, "--by", "kind").err


@pytest.mark.parametrize("size", [6, 8, 10])
def test_gaps_of_few_units_agree_with_welch(size: int) -> None:
    draw = np.random.default_rng(size)
    truth = draw.normal(size=2 * size)
    predicted = truth + draw.normal(size=2 * size) + np.repeat([1.0, 2.0], size)
    scores = assay.regression(truth, predicted, "bias", by={"half": ["a"] * size + ["b"] * size})
    first, second = (predicted - truth)[:size], (predicted - truth)[size:]
    welch = scipy.stats.ttest_ind(first, second, equal_var=False)
    row = slice_gaps(scores).row(0, named=True)
    assert row["gap"] == pytest.approx(abs(second.mean() - first.mean()))
    assert row["p"] == pytest.approx(welch.pvalue, rel=0.5)
    low, high = welch.confidence_interval()
    # Student's t has the degrees of freedom of one slice, so that the interval is wider.
    assert high - low < row["high"] - row["low"] < 1.2 * (high - low)
