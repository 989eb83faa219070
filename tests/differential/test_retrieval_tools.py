"""300 random cases of rankings against pytrec_eval, ir_measures and pyndeval."""

from __future__ import annotations

import importlib
import math
from typing import Any

import pytest
from tests.differential.differences import require_tool
from tests.differential.exclusions import rules_of
from tests.differential.other_tools import ir_measures_rows
from tests.differential.our_values import judgments
from tests.differential.random_rankings import describe, draw_rankings, draw_subtopics

import assay
from assay.core.name_search import split_names

pytestmark = [pytest.mark.slow, pytest.mark.oracle]
CASES = 300
PLAIN = split_names("""
    P@5 P(rel=2)@5 RR RR(rel=2) Rprec Rprec(rel=2) AP AP@5 AP(rel=2) nDCG nDCG@5
    R@5 R(rel=2)@5 Bpref Bpref(rel=2) NumRet(rel=1)
    NumRet(rel=2)
    SetP SetP(rel=2) SetP(relative=True) SetR SetF SetAP infAP infAP(rel=2)
    Success@3 Success(rel=2)@3 IPrec@0.1 IPrec(rel=2)@0.4 Compat Compat(p=0.8)
    Compat(p=0.8,normalize=False) P(judged_only=True)@5 SetP(judged_only=True)
    SetF(judged_only=True) AP(judged_only=True) nDCG(judged_only=True)@5
    RR(judged_only=True)
""")
ASCENDING = ["RR@3", "RR(rel=2)@3", "Judged@3", "Judged@10"]
"""Measures for which ir_measures orders ties by rising id."""
COUNTS = ["NumRel", "NumQ"]
"""Measures that ir_measures counts over answered queries."""
DIVERSITY = split_names("""
    ERR-IA@1 ERR-IA@5 nERR-IA@5 alpha-DCG@1 alpha-DCG@5 alpha-nDCG@5 alpha-nDCG@20 P-IA@5
    P-IA@20 strec@5 strec@10 NRBP nNRBP MAP-IA
""")
Values = dict[str, dict[str, float]]
"""Measure, query, value."""


def _ours(names: list[str], qrels: Any, run: Any, **options: Any) -> Values:
    """Return the values of each measure, under the name that was asked for."""
    found = assay.retrieval(judgments(qrels), run, names, interval=None, **options)
    by_name = {each.measure: each for each in found.results}
    rel = options.get("rel")
    values: Values = {}
    for name in names:
        asked = assay.measure(name, "retrieval")
        for parameter, value in [("rel", rel), *_DEFAULTS.get(str(options["profile"]), ())]:
            asked = asked if value is None else asked.default(parameter, value)
        result = by_name[asked.name]
        values[name] = dict(zip(result.units, result.values.tolist(), strict=True))
    return values


_DEFAULTS = {"ir_measures": (("compare_to", "lists"), ("reverse_ties", True))}


def _differs(one: float, other: float, within: float = 1e-9) -> bool:
    return not (abs(one - other) <= within or (math.isnan(one) and math.isnan(other)))


def test_trec_eval() -> None:
    require_tool("trec_eval")
    tool, rules = importlib.import_module("pytrec_eval"), rules_of("trec_eval")
    asked = set(tool.supported_measures) - {"runid", "relstring"}
    for seed in range(CASES):
        qrels, run = draw_rankings(seed)
        level, judged_only = 1 + seed % 2, seed % 4 >= 2
        evaluator = tool.RelevanceEvaluator(
            qrels, asked, relevance_level=level, judged_docs_only_flag=judged_only
        )
        theirs = evaluator.evaluate(run)
        names = list(next(iter(theirs.values())))
        options = {"profile": "trec_eval-9", "rel": level, "judged_only": judged_only}
        ours = _ours(names, qrels, run, **options)
        for name in names:
            assert set(ours[name]) == set(theirs), describe(seed, qrels, run, name)
            for query, value in ours[name].items():
                # A geometric mean has logarithms, query by query.
                own = math.log(max(value, 1e-5)) if name.startswith("gm_") else value
                expected = theirs[query][name]
                recall = name.startswith(("iprec", "11pt"))
                if rules.applies("iprec-empty", recall and math.isnan(expected)):
                    continue
                assert not _differs(own, expected), describe(
                    seed, qrels, run, name, query, own, expected, options
                )
    assert rules.unused() == []


def _ir_measures_values(names: list[str], qrels: Any, run: Any) -> Values:
    tool = importlib.import_module("ir_measures")
    asked = {tool.parse_measure(name): name for name in names}
    values: Values = {name: {} for name in names}
    for each in tool.iter_calc(list(asked), *ir_measures_rows(qrels, run)):
        values[asked[each.measure]][each.query_id] = each.value
    return values


def test_ir_measures() -> None:
    require_tool("ir_measures")
    groups: list[tuple[list[str], dict[str, str]]] = [
        (PLAIN, {}),
        (ASCENDING, {"ties": "document ascending"}),
        (COUNTS, {"missing_queries": "skip"}),
        # Asked for alone: beside measures with judged_only, ir_measures may count their lists.
        (["NumRet"], {}),
        # Alone, too: with some hash seeds, ir_measures uses these gains for nDCG without gains.
        (["nDCG(gains={0:0,1:1,2:5,3:7})@5"], {}),
    ]
    for seed in range(CASES):
        qrels, run = draw_rankings(seed)
        for names, policies in groups:
            theirs = _ir_measures_values(names, qrels, run)
            ours = _ours(names, qrels, run, profile="ir_measures", policies=policies)
            for name in names:
                for query, value in ours[name].items():
                    assert not _differs(value, theirs[name][query]), describe(
                        seed, qrels, run, name, query, value, theirs[name][query], policies
                    )


def test_accuracy_of_ir_measures() -> None:
    require_tool("ir_measures")
    names, rules = ["Accuracy", "Accuracy(rel=2)@5"], rules_of("ir_measures")
    for seed in range(CASES):
        qrels, run = draw_rankings(seed)
        ours = _ours(names, qrels, run, profile="ir_measures", policies={"ties": "file order"})
        for name in names:
            try:
                theirs = _ir_measures_values([name], qrels, run)[name]
            except ZeroDivisionError:  # all documents of a list are relevant
                theirs = {}
            for query, value in ours[name].items():
                if rules.applies("accuracy-queries", query not in theirs):
                    continue
                assert not _differs(value, theirs[query]), describe(
                    seed, qrels, run, name, query, value, theirs[query]
                )
    assert rules.unused() == []


def test_ndeval() -> None:
    require_tool("ndeval")
    tool, rules = importlib.import_module("pyndeval"), rules_of("ndeval")
    policies = {"ties": "document ascending"}
    for seed in range(CASES):
        rows, run = draw_subtopics(seed)
        listed = [(query, doc, score) for query in run for doc, score in run[query].items()]
        theirs = tool.ndeval(rows, listed, DIVERSITY)
        ours = _ours(DIVERSITY, rows, run, profile="ndeval", order="score", policies=policies)
        for name in DIVERSITY:
            assert set(ours[name]) == set(theirs), describe(seed, rows, run, name)
            for query, value in ours[name].items():
                expected = theirs[query][name]
                if rules.applies("ndeval-nnrbp", name == "nNRBP" and math.isnan(expected)):
                    continue
                assert not _differs(value, expected, 1e-6), describe(
                    seed, rows, run, name, query, value, expected
                )
    assert rules.unused() == []
