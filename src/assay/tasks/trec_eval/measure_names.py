"""The names that trec_eval knows, in the order in which it prints them.

Each stands for measures of the catalogue, which has most of them as aliases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from assay.core.arrays import Floats
from assay.tasks.trec_eval import parameter_translations

Form: TypeAlias = Literal["nothing", "depths", "fractions", "numbers", "pairs"]
"""What may follow the dot after a name: ``P.5,10``, ``iprec_at_recall.25,.5``, ``ndcg.1=3,2=9``."""
JudgmentSource: TypeAlias = Literal["any", "qrels", "prefs", "qrels_jg"]
"""The kind of judgments (``-R``) that it needs; ``prefs`` may also come from graded qrels."""

ALWAYS_PRINTED = ("official", "set", "all_trec", "all_prefs", "prefs", "qrels_jg")
COUNTS = ("official", "set", "all_trec")
OFFICIAL = ("official", "all_trec")
SET = ("set", "all_trec")
MORE = ("all_trec",)
PREFERENCES = ("prefs", "all_prefs")
MORE_PREFERENCES = ("all_prefs",)
GROUPS = ("qrels_jg",)

DEPTHS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
TENTHS = tuple(n / 10 for n in range(11))
FIFTHS = tuple(n / 5 for n in range(1, 11))


@dataclass(frozen=True)
class TrecName:
    """One name of trec_eval, and the nicknames that include it."""

    name: str
    nicknames: tuple[str, ...] = ()
    takes: Form = "nothing"
    default: tuple[float, ...] = ()
    """The depths, fractions or numbers that it has when nothing follows its dot."""
    means: Callable[..., str] | None = None
    """Writes our name from numbers, or from pairs and grades; without it the name is ours too."""
    adjust: Callable[[Any, Floats, int], Floats] = lambda view, values, level: values
    """What trec_eval does besides to the values of topics, under a relevance level (``-l``)."""
    source: JudgmentSource = "qrels"
    since: int = 9
    prints: Literal["measure", "run name", "topics", "grades"] = "measure"
    note: str = ""
    """What it is, where it is no measure."""


TREC_NAMES: tuple[TrecName, ...] = (
    TrecName(
        "runid",
        ALWAYS_PRINTED,
        source="any",
        prints="run name",
        note="The name that the run gives itself.",
    ),
    TrecName(
        "num_q",
        ALWAYS_PRINTED,
        source="any",
        prints="topics",
        note="How many topics were evaluated.",
    ),
    TrecName("num_ret", COUNTS),
    TrecName("num_rel", COUNTS),
    TrecName("num_rel_ret", COUNTS),
    TrecName("map", OFFICIAL),
    TrecName("gm_map", OFFICIAL),
    TrecName("Rprec", OFFICIAL),
    TrecName("bpref", OFFICIAL),
    TrecName("recip_rank", OFFICIAL),
    TrecName("iprec_at_recall", OFFICIAL, "fractions", TENTHS),
    TrecName("P", OFFICIAL, "depths", DEPTHS),
    TrecName(
        *("relstring", MORE, "numbers", (10,)),
        prints="grades",
        note="The grades of the first documents: > above 9, - not judged, . pooled only.",
    ),
    TrecName("recall", MORE, "depths", DEPTHS),
    TrecName("infAP", MORE),
    TrecName("gm_bpref", MORE),
    TrecName("Rprec_mult", MORE, "fractions", FIFTHS),
    TrecName("utility", SET, "numbers", (1, -1, 0, 0), parameter_translations.utility),
    TrecName("11pt_avg", MORE, "numbers", TENTHS, parameter_translations.eleven_points),
    TrecName("binG", MORE),
    TrecName("G", MORE, "pairs", (), parameter_translations.measure_with_gains("G")),
    TrecName("dcg", (), "pairs", (), parameter_translations.measure_with_gains("dcg"), since=10),
    TrecName(
        "ideal_dcg",
        (),
        "pairs",
        (),
        parameter_translations.measure_with_gains("ideal_dcg"),
        since=10,
    ),
    TrecName("ndcg", MORE, "pairs", (), parameter_translations.measure_with_gains("ndcg")),
    TrecName("ndcg_rel", MORE, "pairs", (), parameter_translations.measure_with_gains("ndcg_rel")),
    TrecName(
        "Rndcg",
        MORE,
        "pairs",
        (),
        parameter_translations.measure_with_gains("Rndcg"),
    ),
    TrecName("ndcg_cut", MORE, "depths", DEPTHS),
    TrecName("map_cut", MORE, "depths", DEPTHS),
    TrecName("relative_P", MORE, "depths", DEPTHS),
    TrecName("success", MORE, "depths", (1, 5, 10)),
    TrecName("set_P", SET),
    TrecName("set_relative_P", SET),
    TrecName("set_recall", SET),
    TrecName("set_map", SET),
    TrecName("set_F", SET, "numbers", (1,), parameter_translations.set_f),
    TrecName("num_nonrel_judged_ret", MORE),
    TrecName("prefs_num_prefs_poss", PREFERENCES, source="prefs"),
    TrecName("prefs_num_prefs_ful", PREFERENCES, source="prefs"),
    TrecName("prefs_num_prefs_ful_ret", PREFERENCES, source="prefs"),
    TrecName("prefs_simp", PREFERENCES, source="prefs"),
    TrecName("prefs_pair", PREFERENCES, source="prefs"),
    TrecName("prefs_avgjg", PREFERENCES, source="prefs"),
    TrecName("prefs_avgjg_Rnonrel", MORE_PREFERENCES, source="prefs"),
    TrecName("prefs_simp_ret", MORE_PREFERENCES, source="prefs"),
    TrecName("prefs_pair_ret", MORE_PREFERENCES, source="prefs"),
    TrecName("prefs_avgjg_ret", MORE_PREFERENCES, source="prefs"),
    TrecName("prefs_avgjg_Rnonrel_ret", MORE_PREFERENCES, source="prefs"),
    TrecName("prefs_simp_imp", MORE_PREFERENCES, source="prefs"),
    TrecName("prefs_pair_imp", MORE_PREFERENCES, source="prefs"),
    TrecName("prefs_avgjg_imp", MORE_PREFERENCES, source="prefs"),
    TrecName("map_avgjg", GROUPS, source="qrels_jg"),
    TrecName("P_avgjg", GROUPS, "depths", DEPTHS, source="qrels_jg"),
    TrecName("Rprec_mult_avgjg", GROUPS, "fractions", FIFTHS, source="qrels_jg"),
    TrecName("yaap"),
    TrecName("rbp", MORE, "pairs", (), parameter_translations.rbp, since=10),
    TrecName(
        "rbp_resid",
        MORE,
        "pairs",
        (),
        parameter_translations.rbp_residual,
        parameter_translations.rbp_residual_if_unjudged,
        since=10,
    ),
    TrecName("unj", MORE, "depths", (5, 10, 20), since=10),
)
