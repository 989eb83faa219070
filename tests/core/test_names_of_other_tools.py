"""Names that other tools use, and the names that error messages suggest."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

import assay
from assay import measure
from assay.cli.application import application
from assay.core.catalogue import catalogue
from assay.core.errors import AssayError, BadParameter, UnknownMeasure

OURS = {
    # ir_measures
    "NumRet(rel=1)": "NumRelRet",
    "NumRet(rel=2)": "NumRelRet(rel=2)",
    "SetP(relative=True)": "relP",
    "SetP(relative=True,rel=2)": "relP(rel=2)",
    "SetP(relative=False)": "P",
    "SDCG(dcg='log2',max_rel=1)@10": "SDCG(max_rel=1)@10",
    # BEIR
    "recall_cap@10": "relP@10",
    "R_cap@10": "relP@10",
    "hole@10": "Unjudged@10",
    "Hole@10": "Unjudged@10",
    # tables without braces
    "nDCG(gains=0:0,1:0.5)@10": "nDCG(gain={0:0,1:0.5})@10",
    "nDCG@10:gains=0:0,1:0.5": "nDCG(gain={0:0,1:0.5})@10",
    "nDCG:gains=0:0,1:0.5:judged_only=true": "nDCG(gain={0:0,1:0.5},judged_only=true)",
}
NO_COUNTERPART = {
    *("consensus_score", "coverage_error", "hinge_loss", "label_ranking_loss"),
    *("d2_pinball_score", "d2_tweedie_score", "label_ranking_average_precision_score"),
}
"""Functions of scikit-learn for which there is no measure; none of them is a scorer."""


@pytest.mark.parametrize("name", OURS)
def test_names_of_retrieval_tools(name: str) -> None:
    assert str(measure(name, "retrieval")) == OURS[name]


def test_a_table_without_braces_does_not_end_a_list_of_names() -> None:
    scores = assay.retrieval(
        {"1": {"a": 1}}, {"1": {"a": 1.0}}, "nDCG@5:gains=0:0,1:0.5,P@5", interval=None
    )
    assert [each.measure for each in scores.results] == ["nDCG(gain={0:0,1:0.5})@5", "P@5"]


def _sklearn_names() -> list[str]:
    metrics = pytest.importorskip("sklearn.metrics")
    ends = ("_score", "_error", "_loss", "_deviance", "_corrcoef")
    functions = {name for name in metrics.__all__ if name.endswith(ends)}
    return sorted(functions | set(metrics.get_scorer_names()))


def test_every_scorer_and_function_of_scikit_learn_is_known() -> None:
    tasks = ("classification", "regression", "clustering", "labelsets", "retrieval")
    unknown = {name for name in _sklearn_names() if not any(_known(name, each) for each in tasks)}
    assert unknown == NO_COUNTERPART & set(_sklearn_names())
    for name in set(_sklearn_names()) - NO_COUNTERPART:
        assert _page(name), name


def _known(name: str, task: str | None) -> bool:
    try:
        measure(name, task)
    except AssayError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("precision_score", "PPV"),
        ("recall_weighted", "TPR(average=weighted)"),
        ("f1_macro", "F(average=macro)"),
        ("jaccard_micro", "Jaccard(average=micro)"),
        ("neg_log_loss", "LogLoss"),
        ("neg_brier_score", "Brier"),
    ],
)
def test_scorers_of_classifiers(name: str, ours: str) -> None:
    assert str(measure(name, "classification")) == ours
    assert str(measure(name)) == ours


@pytest.mark.parametrize(
    ("name", "task", "ours"),
    [
        ("AUC(average=macro)", "classification", "AUC_OvR"),
        ("roc_auc(average=weighted)", "classification", "AUC_OvR(mean=weighted)"),
        ("roc_auc_score(multi_class=ovr,average=micro)", "classification", "AUC_OvR(mean=micro)"),
        ("roc_auc_score(multi_class=ovo)", "classification", "HandTill"),
        ("average_precision(average=micro)", "classification", "AP_OvR(mean=micro)"),
        ("AP(average=macro)", "retrieval", "AP"),
        ("roc_auc(average=micro)", "labelsets", "label_AUC(mean=micro)"),
        ("average_precision", "labelsets", "label_AP"),
        ("F1(average=samples)", "labelsets", "F(form=count)"),
        ("F1(average=macro)", "labelsets", "label_F"),
        ("precision(average=weighted)", "labelsets", "label_P(average=weighted)"),
        ("jaccard(average=samples)", "labelsets", "Jaccard"),
    ],
)
def test_averages_over_classes_and_labels(name: str, task: str, ours: str) -> None:
    assert str(measure(name, task)) == ours


@pytest.mark.parametrize(
    ("name", "ours"),
    [
        ("top_k_accuracy", "top@2"),  # the scorer's default, and that of the function
        ("top_k_accuracy_score", "top@2"),
        ("top_k_accuracy(k=5)", "top@5"),
        ("top_k_accuracy@5", "top@5"),
        ("top_k_accuracy_5", "top@5"),
        ("top_k_accuracy_2", "top@2"),
        ("top1", "top"),
        ("top_k", "top"),
    ],
)
def test_the_depth_of_an_alias_gives_way_to_the_one_that_is_written(name: str, ours: str) -> None:
    assert str(measure(name, "classification")) == ours


def test_a_depth_that_is_part_of_the_name_stays() -> None:
    with pytest.raises(BadParameter, match="k is set twice"):
        measure("top1@5", "classification")


@pytest.mark.parametrize("name", ["neg_accuracy", "neg_f1", "roc_auc_ovo_micro"])
def test_only_losses_have_a_negative_and_only_classes_an_average(name: str) -> None:
    with pytest.raises(UnknownMeasure):
        measure(name, "classification")


def test_sets_and_lists_of_trec_eval() -> None:
    qrels, run = {"1": {"a": 1, "b": 0}}, {"1": {"b": 2.0, "a": 1.0}}
    asked = ["map,ndcg_cut.10,20 P_5", "iprec_at_recall.0.1,0.2"]
    scores = assay.retrieval(qrels, run, asked, interval=None)
    assert [each.measure for each in scores.results] == [
        *("AP", "nDCG@10", "nDCG@20", "P@5", "IPrec@0.1", "IPrec@0.2"),
    ]
    counts = {
        name: len(assay.retrieval(qrels, run, name, interval=None).results)
        for name in ("official", "set", "all_trec")
    }
    assert counts["official"] == 29
    assert counts["set"] < counts["official"] < counts["all_trec"]


@pytest.mark.parametrize("name", ["official", "ndcg_cut.10,20"])
def test_the_command_lists_what_a_set_stands_for(name: str) -> None:
    assert "stands for" in _page(name)


def _page(name: str) -> str:
    found = CliRunner().invoke(application, ["measures", name])
    return found.output if found.exit_code == 0 else ""


def test_every_name_that_is_listed_has_a_page() -> None:
    failing = []
    for definition in catalogue().values():
        aliases = [re.split(r"[(\[]", alias)[0].replace("*", "9") for alias in definition.aliases]
        names = [definition.key, definition.name, *aliases]
        failing += [name for name in names if not _page(name)]
    assert failing == []


def _misspelled(name: str) -> list[str]:
    return [f"{name}10", f"{name}_x", name[:-1]]


def _suggestions(message: str) -> list[str]:
    asked = re.search(r"Did you mean (.*)\?$", message) or re.search(
        r"write for example (\S+)$", message
    )
    return re.split(r" or ", asked[1]) if asked else []


def test_every_suggestion_is_accepted() -> None:
    tried = set()
    for definition in catalogue().values():
        heads = [re.split(r"[(\[]", alias)[0] for alias in definition.aliases if "*" not in alias]
        for name in (definition.name, *heads):
            for wrong in (name, *_misspelled(name)):
                try:
                    measure(wrong, definition.task)
                except AssayError as error:
                    tried |= {(each, definition.task) for each in _suggestions(str(error))}
    assert len(tried) > 500
    refused = [pair for pair in sorted(tried) if not _known(*pair)]
    assert refused == []


def _ir_measures_names() -> list[str]:
    """Return every measure of ir_measures with all combinations of its parameters, as printed."""
    tool = pytest.importorskip("ir_measures")
    values: dict[type, list[Any]] = {int: [1, 2], float: [0.5, 0.25], bool: [True, False]}
    values[dict] = [{0: 0, 1: 1, 2: 5}]
    names = set()
    for known in tool.measures.registry.values():
        choices = []
        for name, given in known.SUPPORTED_PARAMS.items():
            listed = given.choices if isinstance(given.choices, list) else values[given.dtype]
            # ir_measures accepts these without a cutoff, but cannot compute them.
            needs_cutoff = name == "cutoff" and known.NAME in ("ERR_IA", "alpha_DCG", "P_IA")
            optional = [] if given.required or needs_cutoff else [None]
            choices.append([*((name, value) for value in listed), *optional])
        for chosen in product(*choices):
            made = known(**dict(each for each in chosen if each))
            if tool.DefaultPipeline.supports(made):
                names.add(str(made))
    return sorted(names)


def test_every_name_that_ir_measures_prints_is_known() -> None:
    names = _ir_measures_names()
    assert len(names) > 200
    needed = (("gmax", "4"),)  # as the profile ir_measures gives ERR
    for name in names:
        assert measure(name, "retrieval", needed).definition.task == "retrieval", name


NINE = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TREC_EVAL = [
    *[
        "num_q",
        "num_ret",
        "num_rel",
        "num_rel_ret",
        "map",
        "gm_map",
        "Rprec",
        "bpref",
        "recip_rank",
        "infAP",
        "gm_bpref",
    ],
    *[
        "utility",
        "11pt_avg",
        "binG",
        "G",
        "ndcg",
        "ndcg_rel",
        "Rndcg",
        "set_P",
        "set_relative_P",
        "set_recall",
    ],
    *[
        "set_map",
        "set_F",
        "num_nonrel_judged_ret",
        "rbp",
        "rbp_resid",
        "unj_5",
        "unj_10",
        "unj_20",
        "yaap",
        "dcg",
    ],
    *(f"iprec_at_recall_{tenth / 10:.2f}" for tenth in range(11)),
    *(f"Rprec_mult_{fifth / 5:.2f}" for fifth in range(1, 11)),
    *(f"{name}_{k}" for name in ("P", "recall", "ndcg_cut", "map_cut", "relative_P") for k in NINE),
    *(f"success_{k}" for k in (1, 5, 10)),
]
"""What trec_eval 10 prints with ``-m all_trec``, and two measures more."""


@pytest.mark.parametrize("name", TREC_EVAL)
def test_every_name_that_trec_eval_prints_is_known(name: str) -> None:
    assert measure(name, "retrieval").definition.task == "retrieval"
    assert _page(name)


@pytest.mark.parametrize(
    ("written", "example"),
    [
        ("ERR", "ERR(gmax=4)"),
        ("ERR@10", "ERR(gmax=4)@10"),
        ("nERR@5", "nERR(gmax=4)@5"),
    ],
)
def test_the_example_keeps_the_settings_that_were_given(written: str, example: str) -> None:
    with pytest.raises(AssayError, match="needs gmax") as refused:
        measure(written, "retrieval")
    assert _suggestions(str(refused.value)) == [example]
