"""Query by query, the numbers of trec_eval 9 (through pytrec_eval-terrier)."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import numpy as np
import pytest

import assay

pytrec_eval = pytest.importorskip("pytrec_eval")
pytestmark = pytest.mark.oracle

NOT_NUMBERS = {"runid", "relstring"}
Table = dict[str, dict[str, float]]


def _peer(qrels: Table, run: Table, level: int = 1) -> dict[str, dict[str, float]]:
    names = set(pytrec_eval.supported_measures) - NOT_NUMBERS
    return pytrec_eval.RelevanceEvaluator(qrels, names, relevance_level=level).evaluate(run)


def _differences(qrels: Table, run: Table, level: int = 1) -> dict[str, float]:
    """The largest difference of each measure where it is above 1e-9."""
    theirs = _peer(qrels, run, level)
    names = list(next(iter(theirs.values())))
    ours = assay.retrieval(qrels, run, names, profile="trec_eval-9", rel=level, interval=None)
    found: dict[str, float] = {}
    for name in names:
        result = ours.of(str(assay.measure(name, "retrieval").default("rel", level)))[0]
        assert set(result.units) == set(theirs)
        values = result.values
        if name.startswith("gm_"):  # a logarithm, query by query
            values = np.log(np.maximum(values, 1e-5))
        wanted = np.asarray([theirs[query][name] for query in result.units])
        worst = float(np.max(np.abs(values - wanted)))
        if not worst <= 1e-9:
            found[name] = worst
    return found


def _read(path: Path, value: int, kind: type) -> Table:
    table: Table = {}
    with gzip.open(path, "rt") as lines:
        for line in lines:
            fields = line.split()
            table.setdefault(fields[0], {})[fields[2]] = kind(fields[value])
    return table


@pytest.mark.shared
@pytest.mark.parametrize("name", ["InexpC2", "SABIR03BASE", "THUIRr0301", "aplrob03a", "humR03dc"])
def test_every_measure_that_it_has_on_robust03(shared_data: Path, name: str) -> None:
    folder = shared_data / "robust03"
    qrels = _read(folder / "qrels.txt.gz", 3, int)
    run = _read(folder / "runs" / f"{name}.gz", 4, float)
    assert _differences(qrels, run) == {}


@pytest.mark.parametrize("level", [1, 2])
def test_every_measure_on_small_lists_with_ties_gaps_and_negative_grades(level: int) -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        qrels, run = {}, {}
        for query in "abcd":
            graded = rng.choice([-1, 0, 1, 2, 3], rng.integers(1, 12)).tolist()
            # pytrec_eval reads past its memory where no document reaches the level.
            qrels[query] = {f"d{n}": grade for n, grade in enumerate(graded)} | {"d15": 3}
            listed = rng.permutation(16)[: rng.integers(1, 14)].tolist()
            run[query] = {f"d{n}": float(rng.integers(0, 8)) for n in listed}
        assert _differences(qrels, run, level) == {}


@pytest.mark.parametrize("profile", ["trec_eval-9", "ir_measures", "beir"])
def test_sets_without_a_judged_document_are_0_if_unjudged_ones_are_removed(profile: str) -> None:
    qrels, run = {"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}, "2": {"x": 2.0, "y": 1.0}}
    names = ["set_P", "set_F", "set_map", "set_relative_P"]
    theirs = pytrec_eval.RelevanceEvaluator(qrels, set(names), judged_docs_only_flag=True).evaluate(
        run
    )
    ours = assay.retrieval(qrels, run, names, profile=profile, judged_only=True, interval=None)
    for result, name in zip(ours.results, names, strict=True):
        assert result.values.tolist() == [theirs["1"][name], theirs["2"][name]] == [1.0, 0.0]
    by_name = assay.retrieval(qrels, run, "P(judged_only=true)", profile=profile, interval=None)
    assert by_name.results[0].values.tolist() == [1.0, 0.0]
    undefined = assay.retrieval(qrels, run, names, judged_only=True, interval=None)
    assert all(math.isnan(result.values[1]) for result in undefined.results)


def test_rndcg_is_0_where_no_document_reaches_the_level() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 2, "b": 1}}
    run = {query: {"b": 3.0, "a": 2.0, "x": 1.0} for query in qrels}
    evaluator = pytrec_eval.RelevanceEvaluator(qrels, {"Rndcg"}, relevance_level=2)
    theirs = evaluator.evaluate(run)
    ours = assay.retrieval(qrels, run, "Rndcg", profile="trec_eval-9", rel=2, interval=None)
    found = ours.results[0].values
    assert found == pytest.approx([theirs["1"]["Rndcg"], theirs["2"]["Rndcg"]])
    assert found[0] == 0 < found[1]


def test_topics_without_relevant_documents_are_averaged_in_as_0() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 0, "b": 0}}
    run = {"1": {"a": 2.0, "x": 1.0}, "2": {"a": 2.0, "b": 1.0}}
    names = ["map", "P_5", "recip_rank", "recall_5", "ndcg", "Rprec", "bpref", "infAP", "set_F"]
    theirs = pytrec_eval.RelevanceEvaluator(qrels, {"map", "P", "recip_rank"}).evaluate(run)
    assert theirs["2"]["map"] == theirs["2"]["recip_rank"] == 0
    for profile in ("trec_eval-9", "trec_eval-10"):
        strict = assay.retrieval(qrels, run, names, profile=profile, interval=None)
        ours = assay.retrieval(qrels, run, names, interval=None)
        for name in names:
            measure = str(assay.measure(name, "retrieval"))
            zero, undefined = strict.of(measure)[0], ours.of(measure)[0]
            assert zero.values[1] == 0
            if name != "P_5":  # 0 of 5 places is a number, whatever is known
                assert math.isnan(undefined.values[1])
                assert zero.value == pytest.approx(undefined.value / 2)


def test_counts_are_right_for_queries_without_an_answer() -> None:
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 1, "c": 0}}
    run = {"1": {"a": 2.0, "x": 1.0}}
    counts = ["NumQ", "NumRet", "NumRel", "NumRelRet", "NumNonrelJudgedRet"]
    ours = assay.retrieval(qrels, run, counts, interval=None)
    assert [ours[name]["run"] for name in counts] == [2, 2, 3, 1, 0]
    skipped = assay.retrieval(qrels, run, counts, profile="trec_eval-9", interval=None)
    assert [skipped[name]["run"] for name in counts] == [1, 2, 1, 1, 0]


def test_geometric_means_with_their_floor() -> None:
    qrels = {"1": {"a": 1, "b": 0}, "2": {"a": 1, "b": 0}}
    run = {"1": {"a": 2.0, "b": 1.0}, "2": {"b": 2.0, "a": 1.0}}
    ours = assay.retrieval(qrels, run, "gm_map gm_bpref", interval=None)
    assert ours["GMAP"]["run"] == pytest.approx(math.sqrt(0.5))
    assert ours["GMbpref"]["run"] == pytest.approx(math.sqrt(1e-5))
