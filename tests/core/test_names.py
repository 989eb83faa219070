"""Names of measures: the only parser and printer."""

from __future__ import annotations

import pytest

from assay.core.errors import BadParameter, UnknownMeasure
from assay.core.names import measure, measures


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("nDCG@10", "nDCG@10"),
        ("nDCG(gain=exp)@10", "nDCG(gain=exp)@10"),
        ("nDCG@10:gain=exp", "nDCG(gain=exp)@10"),
        ("nDCG(gain='exp')@10", "nDCG(gain=exp)@10"),
        ("ndcg_cut_10", "nDCG@10"),
        ("ndcg_cut.10", "nDCG@10"),
        ("ndcg@10", "nDCG@10"),
        ("ndcg_burges@10", "nDCG(gain=exp)@10"),
        ("map", "AP"),
        ("recip_rank", "RR"),
        ("P_5", "P@5"),
        ("AP(rel=2)", "AP(rel=2)"),
        ("F0.5", "F(beta=0.5)"),
        ("F2@5", "F(beta=2)@5"),
        ("Rprec(form=first,recall=0.2)", "Rprec(form=first,recall=0.2)"),
        ("Rprec(form=largest,recall=0.5)", "Rprec(form=largest)"),
        ("AP(rel=1)", "AP"),
        ("nDCG(gain={2:3,1:0.5})", "nDCG(gain={1:0.5,2:3})"),
        ("nDCG@5:gain={1:0.5,2:3}", "nDCG(gain={1:0.5,2:3})@5"),
        ("P(average=micro)@5", "P(average=micro)@5"),
        ("P(average=macro)@5", "P@5"),
        ("AP(judged_only=true)", "AP(judged_only=true)"),
        ("retrieval.P@5", "P@5"),
    ],
)
def test_a_name_is_read_and_printed(written: str, canonical: str) -> None:
    read = measure(written, "retrieval")
    assert read.name == canonical
    assert measure(canonical, "retrieval") == read


def test_a_name_means_one_thing_within_a_task() -> None:
    assert measure("P", "classification").name == "PPV"
    assert measure("classification.P").name == "PPV"
    assert measure("roc_auc").name == "AUC"
    with pytest.raises(UnknownMeasure, match=r"retrieval\.P"):
        measure("precision")


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("nDGC@10", r"there is no measure of retrieval called 'nDGC'. Did you mean nDCG"),
        ("purity", r"It is a measure of clustering"),
        ("", r"a measure's name is expected"),
    ],
)
def test_an_unknown_name_gets_the_nearest(written: str, message: str) -> None:
    with pytest.raises(UnknownMeasure, match=message):
        measure(written, "retrieval")


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("nDCG@ten", r"cutoff=ten is not a depth"),
        ("nDCG@0", r"cutoff=0 is not a depth"),
        ("nDCG@1.5", r"cutoff=1.5 is not a depth"),
        ("nDCG(gain=log)", r"gain=log is not grade, exp, binary or a table"),
        ("nDCG(gain={1:1e400})", r"is not grade, exp, binary or a table"),
        ("nDCG(gain={1:nan})", r"is not grade, exp, binary or a table"),
        ("nDCG(gain={1:1,1:2})", r"is not grade, exp, binary or a table"),
        ("nDCG(gian=exp)", r"has no parameter 'gian'.*Did you mean gain"),
        ("AP(rel)", r"'rel' should read key=value"),
        ("AP(rel=2", r"is not understood"),
        ("AP(average=median)", r"average=median is not one of macro, micro, weighted"),
        (
            "Rprec(recall=0.2)",
            r"recall has no effect without form .*Rprec\(form=first,recall=0.3\)",
        ),
        ("num_rel(average=macro)", r"is a sum, of which there is no macro average"),
    ],
)
def test_impossible_parameters_are_refused_when_the_name_is_read(
    written: str, message: str
) -> None:
    with pytest.raises(BadParameter, match=message):
        measure(written, "retrieval")


@pytest.mark.parametrize("asked", ["", [], "  ", 3, ["AP", 3]])
def test_what_names_no_measure_is_refused(asked: object) -> None:
    with pytest.raises(UnknownMeasure, match="measure"):
        measures(asked, "retrieval")


def test_a_depth_may_not_be_missing() -> None:
    with pytest.raises(BadParameter, match=r"nDCG@: after @ a number is missing, such as nDCG@10"):
        measure("nDCG@", "retrieval")


def test_several_names_in_one_text() -> None:
    asked = measures("nDCG@10, AP RR(rel=2)@5  nDCG(gain={1:1,2:3})@3 AP", "retrieval")
    assert [each.name for each in asked] == [
        "nDCG@10",
        "AP",
        "RR(rel=2)@5",
        "nDCG(gain={1:1,2:3})@3",
    ]
    assert [each.name for each in measures(["AP", measure("RR")], "retrieval")] == ["AP", "RR"]


def test_a_default_fills_only_what_is_not_set() -> None:
    assert measure("retrieval.AP").default("rel", 2).name == "AP(rel=2)"
    assert measure("retrieval.AP(rel=3)").default("rel", 2).name == "AP(rel=3)"
    assert measure("nDCG").default("rel", 2).name == "nDCG"


def test_a_macro_average_where_micro_is_the_default() -> None:
    read = measure("MAE(average=macro)", "regression")
    assert read.name == "MAE(average=macro)"
    assert not read.pooled


@pytest.mark.parametrize("words", ["miss rate", "misclassification rate", "ACC hit rate"])
def test_a_name_of_several_words_is_told_with_hyphens(words: str) -> None:
    first, second = words.split()[-2:]
    with pytest.raises(UnknownMeasure, match=f"several words has hyphens: {first}-{second}"):
        measures(words, "classification")
    with pytest.raises(UnknownMeasure, match=f"several words has hyphens: {first}-{second}"):
        measures(words.split(), "classification")
    with pytest.raises(UnknownMeasure) as failure:
        measures("nothing likely", "classification")
    assert "hyphens" not in str(failure.value)


@pytest.mark.parametrize(
    ("task", "written", "name"),
    [
        ("retrieval", "F_1", "F"),
        ("retrieval", "F_2", "F(beta=2)"),
        ("retrieval", "F_0.5", "F(beta=0.5)"),
        ("classification", "F_2", "F(beta=2)"),
        ("labelsets", "F_1", "F"),
        ("clustering", "F_5", "pairF(beta=5)"),
        ("clustering", "Rand-index", "RI"),
        ("clustering", "Normalized-Mutual-Information", "NMI"),
        ("clustering", "Silhouette-Index", "silhouette"),
        ("classification", "Jaccard-Index", "Jaccard"),
        ("retrieval", "discounted-cumulative-gain", "DCG"),
        ("retrieval", "break-even-point", "BEP"),
        ("retrieval", "Interpolated-Precision@0.5", "IPrec@0.5"),
        ("retrieval", "P_5", "P@5"),
    ],
)
def test_names_as_lectures_write_them(task: str, written: str, name: str) -> None:
    assert str(measure(written, task)) == name
