"""Small cases worked by hand, for what no other tool has or where tools differ."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import assay
from assay.core.catalogue import catalogue
from assay.core.errors import AssayError
from assay.core.names import declared_variants, measure
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.precision_recall_curves import relevant_count_for
from assay.testing import rankings, sets

HERE = ("assay.measures.rankings.", "assay.measures.graded.")
MEASURES = [
    each
    for each in catalogue().of_task("retrieval")
    if each.view is Rankings and each.module.startswith(HERE)
]
LIST = "++-+-+------+-|+"
words = st.builds(
    lambda found, rest: f"{found}|{rest}",
    st.text("?-+23~", max_size=12),
    st.text("-+23", max_size=5),
)


def one(name: str, word: str) -> float:
    return float(measure(name, "retrieval")(rankings(word))[0])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("P@5", 2 / 5),
        ("P", 2 / 4),
        ("R@2", 1 / 3),
        ("relP@2", 1 / 2),
        ("relP", 2 / 3),
        ("Success@1", 0),
        ("Success@2", 1),
        ("RR", 1 / 2),
        ("RR@1", 0),
        ("F@2", 2 * (1 / 2) * (1 / 3) / (1 / 2 + 1 / 3)),
        ("SetAP", 2 * 2 / (4 * 3)),
        ("utility(tp=2,fp=-1,fn=-3)", 2 * 2 - 2 - 3),
        ("Rprec", 1 / 3),
        ("Rprec_mult@0.5", 1 / 2),
        ("Rprec_mult@2", 2 / 6),
        ("IPrec@0.3", 1 / 2),
        ("IPrec@0.7", 0),
        ("BEP", 1 / 3),
        ("BEP(form=curve)", 1 / 2),
        ("E", 1 - math.hypot(1 - 2 / 4, 1 - 2 / 3) / math.sqrt(2)),
        ("AUPRC", ((0 + 1 / 2) / 2 + (1 / 3 + 2 / 4) / 2) / 3),
        ("AUPRC(form=steps)", (1 / 2 + 2 / 4) / 3),
        ("binG", (1 / math.log2(3) + 1 / math.log2(4)) / 3),
        ("yaap", math.log((1 + 1) / (1 + 3 - 1))),
        ("bpref", (1 - 1 / 2 + 1 - 1 / 2) / 3),
        ("Judged@3", 2 / 3),
        ("Judged@10", 3 / 4),
        ("Unjudged@3", 1 / 3),
        ("Unjudged@10", 1 / 10),
        ("PairAccuracy", (1 + 0) / (2 * 2)),
        ("hits@2", 1),
        ("NumNonrelJudgedRet", 1),
    ],
)
def test_two_of_three_found(name: str, value: float) -> None:
    assert one(name, "-+?+|+-") == pytest.approx(value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        # Judgments 3 2 1 0 1 1, list 1 3 ? 2: one name, several numbers (who has which).
        ("nDCG@3", 0.6075),  # trec_eval, ranx
        ("nDCG(gain=exp)@3", 0.5767),  # gdeval, ranx's ndcg_burges
        ("nDCG", 0.6729),
        ("AP", 0.55),  # trec_eval
        ("AP(denominator=found)", 0.9167),  # cwl_eval
        ("AP@3", 0.40),  # trec_eval, ranx, BEIR
        ("AP(denominator=reachable)@3", 0.6667),  # machine learning
        ("RBP(p=0.8)", 0.4624),  # cwl_eval
        ("RBP(p=0.8,gmax=3)", 0.2949),  # trec_eval 10, where it reads no stray memory
        ("RBP(p=0.8,gmax=topic)", 0.2949),
        ("Judged@10", 0.75),  # ir_measures
        ("Unjudged@10", 0.10),  # trec_eval 10
        ("ERR(gmax=4)@3", 0.2676),  # gdeval
    ],
)
def test_same_name_different_number(name: str, value: float) -> None:
    assert one(name, "13?2|011") == pytest.approx(value, abs=5.1e-5)


def test_recall_levels_are_counted_in_three_ways() -> None:
    def count(level: float, relevant: float) -> list[int]:
        ways = ("exact", "truncated", "rounded")
        return [int(relevant_count_for(level, np.asarray([relevant]), way)[0]) for way in ways]

    assert count(0.1, 30) == [3, 3, 3]
    assert count(0.1, 21) == [3, 3, 2]
    assert count(0.25, 21) == [6, 6, 5]
    assert count(0.35, 3) == [2, 1, 1]
    assert count(0, 9) == [0, 0, 0]
    # 0.55 · 100 is a little more than 55 in binary.
    assert 0.55 * 100 > 55
    assert count(0.55, 100) == [55, 55, 55]


def test_a_short_list_is_not_a_reason_to_be_left_out() -> None:
    assert one("Rprec", "+|+++") == 1 / 4
    assert one("BEP", "+|+++") == 1 / 4
    assert one("AP(denominator=found)", "--|+") == 0
    assert one("nDCG(ideal=retrieved)", "--|+") == 0


def test_area_is_that_of_scikit_learn_when_every_document_is_listed() -> None:
    sklearn = pytest.importorskip("sklearn.metrics")
    for word in ("+-+-", "--++-+", "++--", "-+"):
        truth = [mark == "+" for mark in word]
        scores = list(range(len(word), 0, -1))
        precision, recall, _ = sklearn.precision_recall_curve(truth, scores)
        assert one("AUPRC", word) == pytest.approx(sklearn.auc(recall, precision))
        assert one("AP", word) == pytest.approx(sklearn.average_precision_score(truth, scores))


@given(words)
def test_the_whole_interpolated_curve_comes_no_nearer_than_the_points(word: str) -> None:
    drawn = rankings(word)
    found, known = drawn.relevant(), drawn.relevant_count()[0]
    if not len(found.rank):
        return
    best = found.highest_after(found.place / found.rank)
    near = 1 - np.hypot(1 - best, 1 - found.place / known) / math.sqrt(2)
    assert one("E", word) == pytest.approx(near.max())


@given(words)
def test_relatives_agree(word: str) -> None:
    same = [
        ("F(beta=0)", "P"),
        ("set_F@1", "F"),
        ("BEP", "Rprec"),
        ("AUPRC(form=steps)", "AP"),
        ("AUPRC(form=interpolated)", "AP(interpolated=true)"),
        ("Rprec(form=largest,recall=0.4)", "IPrec@0.4"),
        ("ERR(gmax={1:1,2:1,3:1})", "RR"),
        ("Q(beta=0)", "AP"),
        ("nCG(gain=binary)@4", "relP@4"),
        ("GMAP", "AP"),
    ]
    for first, second in same:
        ours, theirs = one(first, word), one(second, word)
        if not (math.isnan(ours) or math.isnan(theirs)):
            assert ours == pytest.approx(theirs), (first, second)


@given(st.lists(words, min_size=1, max_size=4))
def test_every_trace_can_be_drawn(drawn: list[str]) -> None:
    view = rankings(*drawn, corpus=100)
    for definition in MEASURES:
        for each in declared_variants(definition):
            table = each.trace(view.take([0]))
            assert len({len(column) for column in table.values()}) == 1


@pytest.mark.parametrize(
    ("name", "word", "column"),
    [
        ("AP", LIST, "sum"),
        ("DCG", "0213?2|3", "sum"),
        ("nDCG@5", "0213?2|3", "nDCG"),
        ("ERR(gmax=3)", "0213?2|3", "sum"),
        ("RBP", LIST, "sum"),
        ("RBP_residual", "+-+", "remains"),
        ("bpref", "+-?+-+|+-", "sum"),
        ("infAP", "+-?+~+|+-", "sum"),
        ("binG", LIST, "sum"),
        ("yaap", LIST, "log odds"),
        ("NCU", "0213?2|3", "sum"),
        ("AUPRC", LIST, "area"),
        ("P", LIST, "precision"),
        ("R@6", LIST, "recall"),
        ("CG", "0213?2|3", "sum"),
    ],
)
def test_a_trace_ends_at_the_number(name: str, word: str, column: str) -> None:
    asked = measure(name, "retrieval")
    table = asked.trace(rankings(word))
    assert table[column][-1] == pytest.approx(one(name, word))


@pytest.mark.parametrize(
    ("name", "column", "expected"),
    [
        ("CG", "sum", [0, 2, 2, 2, 3, 3]),
        ("CG@4", "sum", [0, 2, 2, 2]),
        ("nCG", "at most", [2, 3, 4, 4, 4, 4]),
        ("nCG(gmax=2)@8", "at most", [2, 4, 6, 8, 10, 12, 16]),
        ("DCG(discount=older)", "sum", [0, 2, 2, 2, 2 + 1 / np.log2(5), 2 + 1 / np.log2(5)]),
        ("nDCG", "gain", [0, 2, 0, 0, 1, 0]),
        ("RBP(p=0.5)", "sum", [0, 0.25, 0.25, 0.25, 0.28125, 0.28125]),
        ("RR", "reciprocal", [0, 0.5]),
        ("Success@3", "relevant so far", [0, 1, 1]),
    ],
)
def test_a_trace_has_every_rank_also_of_documents_without_gain(
    name: str, column: str, expected: list[float]
) -> None:
    # Ranks 1, 4 and 6 are unjudged, rank 3 is judged not relevant, one relevant one is missed.
    table = measure(name, "retrieval").trace(rankings("?20?1?|1"))
    assert table[column].tolist() == pytest.approx(expected)
    ranks = table["rank"].tolist()
    assert ranks[:-1] == list(range(1, len(ranks)))


def test_an_explanation_of_a_long_list_has_the_ranks_with_a_gain_unless_all_are_asked_for() -> None:
    qrels, run = {"1": {"d7": 2}}, {"1": {f"d{n}": float(-n) for n in range(60)}}
    short = assay.explain_retrieval(qrels, run, "DCG", "1")
    assert short.table["rank"].to_list() == [8, 60]
    assert "58 ranks" in short.notes[-1]
    assert assay.explain_retrieval(qrels, run, "DCG", "1", every_rank=True).table.height == 60


def test_an_explanation_names_the_documents_also_of_a_condensed_list() -> None:
    qrels = {"1": {"a": 1, "b": 0, "c": 1}}
    run = {"1": {"x": 5.0, "a": 4.0, "y": 3.0, "c": 2.0}}
    whole = assay.explain_retrieval(qrels, run, "AP", "1")
    assert whole.table["rank"].to_list() == [1, 2, 3, 4]
    assert whole.table["document"].to_list() == ["x", "a", "y", "c"]
    assert whole.table["sum"].to_list() == [0, 0.25, 0.25, 0.5]
    condensed = assay.explain_retrieval(qrels, run, "AP(judged_only=true)", "1")
    assert condensed.table["rank"].to_list() == [1, 2]
    assert condensed.table["document"].to_list() == ["a", "c"]
    assert condensed.value == 1


def test_an_explanation_of_a_set_is_a_table_of_counts() -> None:
    found = assay.explain_retrieval({"1": {"a": 1, "b": 1}}, {"1": {"a": 1.0}}, "utility", "1")
    assert found.table["count"].to_list()[:3] == [1, 0, 1]


def test_the_value_of_a_query_does_not_depend_on_the_others() -> None:
    rng = np.random.default_rng(5)
    marks = list("????--++23~")
    drawn = ["".join(rng.choice(marks, rng.integers(0, 60))) + "|+2" for _ in range(101)]
    view = rankings(*drawn, corpus=1000)
    for definition in MEASURES:
        for each in declared_variants(definition):
            together = each(view)
            for n in range(0, 101, 10):
                alone = each(view.take([n]))
                assert np.array_equal(alone, together[n : n + 1], equal_nan=True), each


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("hit_rate@5", "Success@5"),
        ("r-precision", "Rprec"),
        ("f1@10", "F@10"),
        ("precision@3", "P@3"),
        ("mrr@10", "RR@10"),
        ("map@100-l2", "AP(rel=2)@100"),
        ("recall-l2", "R(rel=2)"),
        ("dcg_burges@10", "DCG(gain=exp)@10"),
        ("ndcg_burges@10", "nDCG(gain=exp)@10"),
        ("rbp.95", "RBP(p=0.95)"),
        ("rbp.5", "RBP(p=0.5)"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("iprec_at_recall_0.10", "IPrec@0.1"),
        ("Rprec_mult_0.20", "Rprec_mult@0.2"),
        ("set_F_2", "set_F@2"),
        ("relative_P_5", "relP@5"),
        ("map_cut.100", "AP@100"),
        ("success_1", "Success@1"),
        ("unj_10", "Unjudged@10"),
        ("gm_map", "GMAP"),
        ("num_nonrel_judged_ret", "NumNonrelJudgedRet"),
        ("SetRelP", "relP"),
        ("Bpref(rel=2)", "bpref(rel=2)"),
        ("11pt_avg(levels={0.75,0.25})", "11pt_avg(levels={0.25,0.75})"),
        ("MSnDCG@10", "nDCG@10"),
        ("NCUrb_BR", "NCU(stop=rb,utility=BR)"),
        ("P-plus", "P+"),
        ("rbp", "RBP(p=0.9,gmax=topic)"),
    ],
)
def test_names_of_other_tools(theirs: str, ours: str) -> None:
    assert str(measure(theirs, "retrieval")) == ours


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ERR@10", "ERR needs gmax"),
        ("nERR", "nERR needs gmax"),
        ("RBP(p=2)", "a number between 0 and 1"),
        ("RBP(gmax={1:3})", "a table of shares"),
        ("IPrec@1.5", "a recall between 0 and 1"),
        ("IPrec", "IPrec needs recall"),
        ("AP(denominator=all)", "one of relevant, reachable, found, retrieved"),
        ("nDCG(discount=new)", "one of standard, older"),
        ("11pt_avg(levels={0.5,2})", "recalls such as"),
        ("Rprec_mult@0", "a number above 0"),
        ("F(alpha=2)", "a number between 0 and 1"),
    ],
)
def test_impossible_parameters_are_refused_when_the_name_is_read(name: str, says: str) -> None:
    with pytest.raises(AssayError, match=says):
        measure(name, "retrieval")


def test_a_set_that_cannot_be() -> None:
    with pytest.raises(AssayError, match="the second number does not fit"):
        sets((3, 4, 10))


def test_the_trace_of_a_geometric_mean_ends_at_the_least_value_it_takes() -> None:
    """The one relevant document has part 0, and the geometric mean takes 0.00001 for it."""
    trace = measure("GMbpref", "retrieval").trace(rankings("-2|"))
    assert trace["sum"][-1] == 0
    assert trace["at least 0.00001"][-1] == 1e-5
