"""The known differences between Assay and other tools, each with a case that shows both numbers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pytest
from tests.differential import other_tools as tool
from tests.differential.our_values import (
    classified,
    clustered,
    correlated,
    predicted,
    ranked,
    scattered,
)

Number = Callable[[], float]


@dataclass(frozen=True)
class Difference:
    """A case in which a tool gives another number than the default of Assay."""

    key: str
    measure: str
    case: str
    ours: Number
    theirs: Number
    why: str
    use: str = "—"
    """The profile, policy, parameter or name that gives the tool's number."""
    matching: Number | None = None
    """Our number with that."""
    excluded: bool = False
    """Whether the differential tests leave such cases out: nothing gives the tool's number."""


ONE_OF_TWO = ({"1": {"a": 1}, "2": {"a": 1}}, {"1": {"a": 1.0}})
HALF_ANSWERED = ({q: {"a": 1, "b": 0} for q in "12"}, {"1": {"a": 2.0, "b": 1.0}})
NONE_RELEVANT = ({"1": {"a": 1}, "2": {"a": 0}}, {"1": {"a": 1.0}, "2": {"a": 1.0}})
CLOSE = ({"1": {"a": 1}}, {"1": {"a": 1.00000001, "b": 1.0}})
UNJUDGED = ({"1": {"a": 1}}, {"1": {"x": 1.0}})
TIED = ({"1": {"a": 1}}, {"1": {"a": 1.0, "b": 1.0}})
TIED_PAIR = ({"1": {"a": 1, "b": 0}}, {"1": {"a": 1.0, "b": 1.0}})
SET = ({"1": dict.fromkeys("abcdefgh", 1)}, {"1": {"a": 4.0, "b": 3.0, "x": 2.0, "y": 1.0}})
REVERSED = ({"1": {"b": 1, "a": 1, "c": 2}}, {"1": {"a": 1.0, "b": 1.0, "x": 2.0}})
SUBTOPICS = ([("1", "a", "d", 1), ("1", "b", "d", 1), ("1", "c", "e", 1)], {"1": {"d": 1.0}})
NO_SUBTOPIC = ([("1", "a", "d", 1), ("2", "a", "d", 0)], {"1": {"d": 1.0}, "2": {"d": 1.0}})
TIED_SUBTOPICS = ([("1", "a", "d", 1)], {"1": {"d": 1.0, "e": 1.0}})
NEVER_B = {"truth": ["a", "b"], "predicted": ["a", "a"]}
NEVER_C = {"truth": ["a", "b", "a"], "predicted": ["a", "b", "c"]}
CONSTANT = {"truth": ["a", "a", "b"], "predicted": ["a", "a", "a"]}
CERTAIN = {"truth": ["a", "b"], "p_a": [1.0, 1.0], "p_b": [0.0, 0.0]}
SURE = {"truth": ["a", "a"], "p_a": [0.6, 0.7], "p_b": [0.4, 0.3]}
LEVEL = {"truth": [2.0, 2.0], "predicted": [2.0, 3.0]}
ZERO = {"truth": [0.0, 1.0], "predicted": [0.5, 1.0]}
EVEN = {"truth": ["c"], "p_a": [1.0], "p_b": [0.0], "p_c": [0.0]}
TWO_OF_THREE = {"truth": ["a", "b"], "p_a": [0.6, 0.5], "p_b": [0.3, 0.4], "p_c": [0.1, 0.1]}
ONE_CLASS = ([0, 0, 0], [0, 1, 1])
SINGLETONS = ([0, 1, 2], [0, 1, 2])
FAR = ([[1e5 + 0.1, 1e5], [1e5 + 0.4, 1e5], [1e5 + 0.7, 1e5 + 0.3]], [0, 0, 1])
PAIRS = ([1, 2, 2, 3], [1, 2, 3, 4])

Rows = tuple[Difference, ...]


def _trec_eval() -> Rows:
    profile = "`--profile trec_eval-9`"
    values: list[tuple[str, str, str, tuple[Any, Any], str, dict[str, Any]]] = [
        ("missing-query", "map", "one of two queries is not answered", ONE_OF_TWO,
         "an unanswered query counts as 0; trec_eval averages over answered queries", {}),
        ("no-relevant", "map", "one of two queries has no relevant document", NONE_RELEVANT,
         "such a query is undefined and left out of the mean; trec_eval counts 0", {}),
        ("float32", "recip_rank", "scores 1.00000001 and 1", CLOSE,
         "scores have double precision; trec_eval 9 ties them in single precision", {}),
        ("empty-set", "set_P", "`--judged-only`, nothing judged was retrieved", UNJUDGED,
         "the precision of an empty set is undefined; trec_eval prints 0", {"judged_only": True}),
    ]  # fmt: skip
    rows = [
        Difference(
            key, name, case,
            ours=partial(ranked, data[0], data[1], name, **options),
            theirs=partial(tool.trec_eval, data[0], data[1], name, **options),
            why=why, use=profile,
            matching=partial(ranked, data[0], data[1], name, profile="trec_eval-9", **options),
        )
        for key, name, case, data, why, options in values
    ]  # fmt: skip
    name = "iprec_at_recall_0.00"
    last = Difference(
        "iprec-empty", name, "`--judged-only`, nothing judged was retrieved",
        ours=lambda: ranked(*UNJUDGED, name, judged_only=True),
        theirs=lambda: tool.trec_eval(*UNJUDGED, name, judged_only=True),
        why="the precision at every recall is 0; trec_eval divides 0 by 0", excluded=True,
    )  # fmt: skip
    return (*rows, last)


def _ir_measures() -> Rows:
    ascending = {"profile": "ir_measures", "policies": {"ties": "document ascending"}}
    policy = "`--policy ties='document ascending'`"
    in_file = {"profile": "ir_measures", "policies": {"ties": "file order"}}
    skip = {"profile": "ir_measures", "policies": {"missing_queries": "skip"}}
    return (
        Difference(
            "setf-beta", "SetF(beta=2.0)", "2 of 4 retrieved are relevant, 8 are known",
            ours=lambda: ranked(*SET, "SetF(beta=2.0)"),
            theirs=lambda: tool.ir_measures(*SET, "SetF(beta=2.0)"),
            why="beta is van Rijsbergen's; trec_eval, and with it ir_measures, takes it as beta²",
            use="`set_F@2`", matching=lambda: ranked(*SET, "set_F@2"),
        ),
        Difference(
            "rr-ties", "RR@10", "a relevant document tied with another",
            ours=lambda: ranked(*TIED, "RR@10", profile="ir_measures"),
            theirs=lambda: tool.ir_measures(*TIED, "RR@10"),
            why="ties have one order for all measures; ir_measures orders them by rising id for"
            " RR with a cutoff, and by falling id for RR",
            use=policy, matching=lambda: ranked(*TIED, "RR@10", **ascending),
        ),
        Difference(
            "judged-ties", "Judged@1", "a judged document tied with another",
            ours=lambda: ranked(*TIED, "Judged@1", profile="ir_measures"),
            theirs=lambda: tool.ir_measures(*TIED, "Judged@1"),
            why="as for RR with a cutoff", use=policy,
            matching=lambda: ranked(*TIED, "Judged@1", **ascending),
        ),
        Difference(
            "counts-of-missing", "NumRel", "one of two queries is not answered",
            ours=lambda: ranked(*ONE_OF_TWO, "NumRel", profile="ir_measures"),
            theirs=lambda: tool.ir_measures(*ONE_OF_TWO, "NumRel"),
            why="what is known of a query does not depend on the run; ir_measures counts 0 (also"
            " NumQ)",
            use="`--policy missing_queries=skip`",
            matching=lambda: ranked(*ONE_OF_TWO, "NumRel", **skip),
        ),
        Difference(
            "accuracy-ties", "Accuracy", "a relevant document tied with one that is not",
            ours=lambda: ranked(*TIED_PAIR, "Accuracy", profile="ir_measures"),
            theirs=lambda: tool.ir_measures(*TIED_PAIR, "Accuracy"),
            why="ties have one order for all measures; ir_measures takes the order of the file",
            use="`--policy ties='file order'`",
            matching=lambda: ranked(*TIED_PAIR, "Accuracy", **in_file),
        ),
        Difference(
            "accuracy-queries", "Accuracy", "one of two queries is not answered",
            ours=lambda: ranked(*HALF_ANSWERED, "Accuracy"),
            theirs=lambda: tool.ir_measures(*HALF_ANSWERED, "Accuracy"),
            why="an unanswered query counts as 0; ir_measures leaves out all queries without a"
            " relevant document in the list, and fails if all documents are relevant",
            excluded=True,
        ),
        Difference(
            "compat-ideal", "Compat", "tied documents of one grade, not in the order of ids",
            ours=lambda: ranked(*REVERSED, "Compat", profile="ir_measures"),
            theirs=lambda: tool.ir_measures(*REVERSED, "Compat"),
            why="the ideal list has the order of the ranking; ir_measures has that of the"
            " judgments where scores are tied",
        ),
    )  # fmt: skip


def _ndeval() -> Rows:
    raw = {"profile": "ndeval", "order": "score"}
    ascending = {**raw, "policies": {"ties": "document ascending"}}
    return (
        Difference(
            "ndeval-rank-1", "ERR-IA@1", "the first document covers two of three subtopics",
            ours=lambda: ranked(*SUBTOPICS, "ERR-IA@1"),
            theirs=lambda: tool.ndeval(*SUBTOPICS, "ERR-IA@1"),
            why="normalized at every rank; ndeval does not at rank 1 (also alpha-DCG)",
            use="`--profile ndeval`", matching=lambda: ranked(*SUBTOPICS, "ERR-IA@1", **raw),
        ),
        Difference(
            "ndeval-no-relevant", "strec@5", "one of two topics has no relevant document",
            ours=lambda: ranked(*NO_SUBTOPIC, "strec@5"),
            theirs=lambda: tool.ndeval(*NO_SUBTOPIC, "strec@5"),
            why="such a topic is undefined and left out of the mean; ndeval counts 0",
            use="`--profile ndeval`", matching=lambda: ranked(*NO_SUBTOPIC, "strec@5", **raw),
        ),
        Difference(
            "ndeval-ties", "ERR-IA@5", "a relevant document tied with another",
            ours=lambda: ranked(*TIED_SUBTOPICS, "ERR-IA@5"),
            theirs=lambda: tool.ndeval(*TIED_SUBTOPICS, "ERR-IA@5"),
            why="ties are ordered by falling id; pyndeval orders them by rising id",
            use="`--policy ties='document ascending'`",
            matching=lambda: ranked(*TIED_SUBTOPICS, "ERR-IA@5", **ascending),
        ),
        Difference(
            "ndeval-nnrbp", "nNRBP", "the topic has no relevant document",
            ours=lambda: ranked(
                [("2", "a", "d", 0)], {"2": {"d": 1.0}}, "nNRBP", profile="ndeval", order="score"
            ),
            theirs=lambda: tool.ndeval([("2", "a", "d", 0)], {"2": {"d": 1.0}}, "nNRBP"),
            why="0 under the profile `ndeval`, like the other measures; pyndeval divides 0 by 0",
            excluded=True,
        ),
    )  # fmt: skip


def _scikit_learn_profile() -> Rows:
    """What the profile ``sklearn`` reproduces."""
    values: list[tuple[str, str, str, Callable[..., float], Any, str]] = [
        ("precision_macro", "PPV(average=macro)", "class b is never predicted", classified,
         NEVER_B, "the precision of b is undefined and left out; scikit-learn counts 0"),
        ("recall_macro", "TPR(average=macro)", "class c never occurs", classified,
         NEVER_C, "the recall of c is undefined and left out; scikit-learn counts 0"),
        ("f1_macro", "F(average=macro)", "class b is never predicted", classified,
         NEVER_B, "F of b is undefined as its precision is; scikit-learn counts TP, FP and FN"),
        ("matthews_corrcoef", "MCC", "only one class is predicted", classified,
         CONSTANT, "the correlation with a constant is undefined; scikit-learn has 0"),
        ("log_loss", "LogLoss", "the true class has probability 0", classified,
         CERTAIN, "probabilities are cut at 1e-15; scikit-learn cuts them at 2.2e-16"),
        ("r2_score", "R2", "the truth is constant", predicted,
         LEVEL, "R² is undefined; scikit-learn has 0, or 1 where all is right"),
        ("explained_variance_score", "EV", "the truth is constant", predicted,
         LEVEL, "as R²"),
        ("d2_absolute_error_score", "D2_AE", "the truth is constant", predicted,
         LEVEL, "as R²"),
        ("d2_log_loss_score", "D2_LogLoss", "the true class has probability 0", classified,
         CERTAIN, "as log_loss"),
        ("mean_absolute_percentage_error", "MAPE", "a true value is 0", predicted,
         ZERO, "its relative error is undefined and left out; scikit-learn divides by 2.2e-16"),
    ]  # fmt: skip
    return tuple(
        Difference(
            f"sklearn-{name}", name, case,
            ours=partial(evaluate, data, ours),
            theirs=partial(tool.sklearn_metric, data, name),
            why=why, use="`--profile sklearn`",
            matching=partial(evaluate, data, ours, profile="sklearn"),
        )
        for name, ours, case, evaluate, data, why in values
    )  # fmt: skip


def _scikit_learn() -> Rows:
    """What no profile reproduces."""
    values: list[tuple[str, str, str, str, Number, Number, str]] = [
        ("sklearn-top-k-ties", "top_k_accuracy_score", "k=2, two of three probabilities are 0",
         "—", lambda: classified(EVEN, "top(k=2)"), lambda: tool.sklearn_metric(EVEN, "top_2"),
         "a true class tied at rank k counts in part; scikit-learn takes the later class"),
        ("sklearn-absent-class", "roc_auc_score, ovr", "class c does not occur",
         "—", lambda: classified(TWO_OF_THREE, "AUC_OvR"),
         lambda: tool.sklearn_metric(TWO_OF_THREE, "roc_auc_ovr"),
         "the mean is over classes that occur; scikit-learn has NaN"),
        ("sklearn-d2-one-class", "d2_brier_score", "one class occurs",
         "—", lambda: classified(SURE, "D2_Brier"),
         lambda: tool.sklearn_metric(SURE, "d2_brier_score"),
         "base rates are certain and leave nothing to explain: undefined; scikit-learn divides by"
         " 0, or by 2.2e-16 (d2_log_loss_score)"),
        ("sklearn-one-class", "homogeneity_score", "there is one class",
         "—", lambda: clustered(ONE_CLASS, "homogeneity"),
         lambda: tool.sklearn_clusters(ONE_CLASS, "homogeneity_score"),
         "there is nothing to separate: undefined; scikit-learn has 1 (also completeness with"
         " one cluster)"),
        ("sklearn-trivial", "adjusted_rand_score", "both partitions consist of single items",
         "—", lambda: clustered(SINGLETONS, "ARI"),
         lambda: tool.sklearn_clusters(SINGLETONS, "adjusted_rand_score"),
         "maximum and expectation are equal, 0/0: undefined; scikit-learn has 1 (also AMI, NMI,"
         " V with one class and one cluster)"),
        ("sklearn-no-pairs", "fowlkes_mallows_score", "all clusters are single items",
         "—", lambda: clustered(SINGLETONS, "FM"),
         lambda: tool.sklearn_clusters(SINGLETONS, "fowlkes_mallows_score"),
         "no pair is together: undefined; scikit-learn has 0"),
        ("sklearn-db-singletons", "davies_bouldin_score", "far from the origin, one single item",
         "—", lambda: scattered(FAR, "DB"), lambda: tool.sklearn_points(FAR),
         "a single item is at distance 0 from its center; scikit-learn's fast distances round,"
         " by 1e-8 near the origin"),
    ]  # fmt: skip
    return tuple(
        Difference(key, name, case, ours, theirs, why, use, excluded=True)
        for key, name, case, use, ours, theirs, why in values
    )


def _scipy() -> Rows:
    return (
        Difference(
            "tau-b", "kendalltau", "two items are tied in one order",
            ours=lambda: correlated(PAIRS, "tau"), theirs=lambda: tool.kendalltau(PAIRS),
            why="`tau` divides by all pairs (tau-a); scipy and pandas leave out ties (tau-b)",
            use="`kendalltau`", matching=lambda: correlated(PAIRS, "kendalltau"),
        ),
    )  # fmt: skip


DIFFERENCES: dict[str, Rows] = {
    "trec_eval": _trec_eval(),
    "ir_measures": _ir_measures(),
    "ndeval": _ndeval(),
    "scikit-learn": (*_scikit_learn_profile(), *_scikit_learn()),
    "scipy": _scipy(),
}
NEEDS = {
    "trec_eval": "pytrec_eval",
    "ir_measures": "ir_measures",
    "ndeval": "pyndeval",
    "scikit-learn": "sklearn",
    "scipy": "scipy",
}
"""The package that computes the numbers of each tool."""


def require_tool(name: str) -> None:
    """Skip the test where a tool is not installed."""
    pytest.importorskip(NEEDS[name])
