"""The names that trec_eval knows, in the order in which it prints them, and what they mean here.

Formulas are not written again: each name stands for measures of the catalogue.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import BadParameter
from assay.evidence.rankings import Rankings

Form: TypeAlias = Literal["nothing", "depths", "fractions", "numbers", "pairs"]
"""What may follow the dot after a name: ``P.5,10``, ``iprec_at_recall.25,.5``, ``ndcg.1=3,2=9``."""
Source: TypeAlias = Literal["any", "qrels", "prefs", "qrels_jg"]
Pairs: TypeAlias = dict[str, float]

OFFICIAL = ("official", "all_trec")
SET = ("set", "all_trec")
EVERY = ("official", "set", "all_trec", "all_prefs", "prefs", "qrels_jg")
FEW = ("official", "set", "all_trec")
ALL = ("all_trec",)
PREFERENCES = ("all_prefs", "prefs")
DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(n / 10 for n in range(11))
FIFTHS = tuple(n / 5 for n in range(1, 11))


@dataclass(frozen=True)
class Word:
    """One name of trec_eval.

    ``means`` is the name of our measure, with ``{}`` where a depth or a fraction goes, or a
    function that writes it from the numbers or pairs given. Words without a meaning are not
    measures: the printing has its own way with them.
    """

    name: str
    means: str | Callable[..., str] | None = None
    takes: Form = "nothing"
    default: tuple[float, ...] = ()
    nicknames: tuple[str, ...] = ()
    source: Source = "qrels"
    since: int = 9
    prints: Literal["measure", "run name", "topics", "grades"] = "measure"
    note: str = ""
    """What it is, where no measure of ours says it."""
    adjust: Callable[[Any, Floats, int], Floats] = lambda view, values, level: values
    """What trec_eval does besides to the values of topics, under a relevance level (``-l``)."""


def _if_relevant(rankings: Rankings, values: Floats, level: int) -> Floats:
    """trec_eval heeds the relevance level here only where no document reaches it."""
    return np.where(rankings.relevant_count(level) > 0, values, 0.0)


def _if_unjudged(rankings: Rankings, values: Floats, level: int) -> Floats:
    """trec_eval knows no residual where all that was retrieved is judged, although lists end."""
    return np.where(rankings.judged().count < rankings.retrieved, values, 0.0)


def _utility(tp: float, fp: float, fn: float, tn: float) -> str:
    return f"utility(tp={tp!r},fp={fp!r},fn={fn!r},tn={tn!r})"


def _set_f(weight: float, *passed_over: float) -> str:
    return f"set_F@{weight!r}"


def _eleven_points(*levels: float) -> str:
    return f"11pt_avg(levels={{{','.join(map(repr, levels))}}})"


def _rbp(pairs: Pairs, grades: Sequence[float]) -> str:
    table = _table(pairs, grades)
    if table and not all(0 <= worth <= 1 for worth in table.values()):
        raise BadParameter(
            "-m rbp: gains are shares between 0 and 1, and each grade of the judgments needs one;"
            f" here they would be {', '.join(f'{g:g}={w:g}' for g, w in table.items())}"
        )
    worth = _shown(table) if table else "topic"
    return f"RBP(p={pairs.get('p', 0.9)!r},gmax={worth})"


def _rbp_resid(pairs: Pairs, grades: Sequence[float]) -> str:
    return f"RBP_residual(p={pairs.get('p', 0.9)!r})"


def _gains(name: str) -> Callable[[Pairs, Sequence[float]], str]:
    """A table of gains in which a grade that is not given stays worth itself."""

    def means(pairs: Pairs, grades: Sequence[float]) -> str:
        table = _table(pairs, grades)
        return f"{name}(gain={_shown(table)})" if table else name

    return means


def _table(pairs: Pairs, grades: Sequence[float]) -> dict[float, float]:
    given = {float(key): worth for key, worth in pairs.items() if _is_whole(key)}
    itself = {grade: grade for grade in grades if grade >= 0}
    return dict(sorted((itself | given).items())) if given else {}


def _shown(table: dict[float, float]) -> str:
    return f"{{{','.join(f'{grade!r}:{worth!r}' for grade, worth in table.items())}}}"


def _is_whole(text: str) -> bool:
    return text.lstrip("+-").isdigit()


WORDS: tuple[Word, ...] = (
    Word(
        "runid",
        nicknames=EVERY,
        source="any",
        prints="run name",
        note="The name that the run gives itself.",
    ),
    Word(
        "num_q",
        nicknames=EVERY,
        source="any",
        prints="topics",
        note="How many topics were evaluated.",
    ),
    Word("num_ret", "num_ret", nicknames=FEW),
    Word("num_rel", "num_rel", nicknames=FEW),
    Word("num_rel_ret", "num_rel_ret", nicknames=FEW),
    Word("map", "map", nicknames=OFFICIAL),
    Word("gm_map", "gm_map", nicknames=OFFICIAL),
    Word("Rprec", "Rprec", nicknames=OFFICIAL),
    Word("bpref", "bpref", nicknames=OFFICIAL),
    Word("recip_rank", "recip_rank", nicknames=OFFICIAL),
    Word("iprec_at_recall", "iprec_at_recall@{}", "fractions", TENTHS, OFFICIAL),
    Word("P", "P@{}", "depths", DEPTHS, OFFICIAL),
    Word(
        "relstring",
        takes="numbers",
        default=(10,),
        nicknames=ALL,
        prints="grades",
        note="The grades of the first documents: > above 9, - not judged, . pooled only.",
    ),
    Word("recall", "recall@{}", "depths", DEPTHS, ALL),
    Word("infAP", "infAP", nicknames=ALL),
    Word("gm_bpref", "gm_bpref", nicknames=ALL),
    Word("Rprec_mult", "Rprec_mult@{}", "fractions", FIFTHS, ALL),
    Word("utility", _utility, "numbers", (1, -1, 0, 0), SET),
    Word("11pt_avg", _eleven_points, "numbers", TENTHS, ALL),
    Word("binG", "binG", nicknames=ALL),
    Word("G", _gains("G"), "pairs", nicknames=ALL),
    Word("dcg", _gains("dcg"), "pairs", since=10),
    Word("ideal_dcg", _gains("ideal_dcg"), "pairs", since=10),
    Word("ndcg", _gains("ndcg"), "pairs", nicknames=ALL),
    Word("ndcg_rel", _gains("ndcg_rel"), "pairs", nicknames=ALL),
    Word("Rndcg", _gains("Rndcg"), "pairs", nicknames=ALL, adjust=_if_relevant),
    Word("ndcg_cut", "ndcg_cut@{}", "depths", DEPTHS, ALL),
    Word("map_cut", "map_cut@{}", "depths", DEPTHS, ALL),
    Word("relative_P", "relative_P@{}", "depths", DEPTHS, ALL),
    Word("success", "success@{}", "depths", (1, 5, 10), ALL),
    Word("set_P", "set_P", nicknames=SET),
    Word("set_relative_P", "set_relative_P", nicknames=SET),
    Word("set_recall", "set_recall", nicknames=SET),
    Word("set_map", "set_map", nicknames=SET),
    Word("set_F", _set_f, "numbers", (1,), SET),
    Word("num_nonrel_judged_ret", "num_nonrel_judged_ret", nicknames=ALL),
    Word("prefs_num_prefs_poss", "prefs_num_prefs_poss", nicknames=PREFERENCES, source="prefs"),
    Word("prefs_num_prefs_ful", "prefs_num_prefs_ful", nicknames=PREFERENCES, source="prefs"),
    Word(
        "prefs_num_prefs_ful_ret", "prefs_num_prefs_ful_ret", nicknames=PREFERENCES, source="prefs"
    ),
    Word("prefs_simp", "prefs_simp", nicknames=PREFERENCES, source="prefs"),
    Word("prefs_pair", "prefs_pair", nicknames=PREFERENCES, source="prefs"),
    Word("prefs_avgjg", "prefs_avgjg", nicknames=PREFERENCES, source="prefs"),
    *(
        Word(name, name, nicknames=("all_prefs",), source="prefs")
        for name in (
            "prefs_avgjg_Rnonrel",
            "prefs_simp_ret",
            "prefs_pair_ret",
            "prefs_avgjg_ret",
            "prefs_avgjg_Rnonrel_ret",
            "prefs_simp_imp",
            "prefs_pair_imp",
            "prefs_avgjg_imp",
        )
    ),
    Word("map_avgjg", "map_avgjg", nicknames=("qrels_jg",), source="qrels_jg"),
    Word("P_avgjg", "P_avgjg@{}", "depths", DEPTHS, ("qrels_jg",), "qrels_jg"),
    Word("Rprec_mult_avgjg", "Rprec_mult_avgjg@{}", "fractions", FIFTHS, ("qrels_jg",), "qrels_jg"),
    Word("yaap", "yaap"),
    Word("rbp", _rbp, "pairs", nicknames=ALL, since=10),
    Word("rbp_resid", _rbp_resid, "pairs", nicknames=ALL, since=10, adjust=_if_unjudged),
    Word("unj", "unj@{}", "depths", (5, 10, 20), ALL, since=10),
)
