"""The names that trec_eval knows, in the order in which it prints them.

Each stands for measures of the catalogue, which has most of them as aliases.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from assay.core.arrays import Floats
from assay.tasks.trec_eval import meanings

Form: TypeAlias = Literal["nothing", "depths", "fractions", "numbers", "pairs"]
"""What may follow the dot after a name: ``P.5,10``, ``iprec_at_recall.25,.5``, ``ndcg.1=3,2=9``."""
Source: TypeAlias = Literal["any", "qrels", "prefs", "qrels_jg"]
"""The kind of judgments (``-R``) that it needs; ``prefs`` may also come from graded qrels."""

ALWAYS = ("official", "set", "all_trec", "all_prefs", "prefs", "qrels_jg")
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
class Word:
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
    source: Source = "qrels"
    since: int = 9
    prints: Literal["measure", "run name", "topics", "grades"] = "measure"
    note: str = ""
    """What it is, where it is no measure."""


WORDS: tuple[Word, ...] = (
    Word(
        "runid", ALWAYS, source="any", prints="run name", note="The name that the run gives itself."
    ),
    Word("num_q", ALWAYS, source="any", prints="topics", note="How many topics were evaluated."),
    Word("num_ret", COUNTS),
    Word("num_rel", COUNTS),
    Word("num_rel_ret", COUNTS),
    Word("map", OFFICIAL),
    Word("gm_map", OFFICIAL),
    Word("Rprec", OFFICIAL),
    Word("bpref", OFFICIAL),
    Word("recip_rank", OFFICIAL),
    Word("iprec_at_recall", OFFICIAL, "fractions", TENTHS),
    Word("P", OFFICIAL, "depths", DEPTHS),
    Word(
        *("relstring", MORE, "numbers", (10,)),
        prints="grades",
        note="The grades of the first documents: > above 9, - not judged, . pooled only.",
    ),
    Word("recall", MORE, "depths", DEPTHS),
    Word("infAP", MORE),
    Word("gm_bpref", MORE),
    Word("Rprec_mult", MORE, "fractions", FIFTHS),
    Word("utility", SET, "numbers", (1, -1, 0, 0), meanings.utility),
    Word("11pt_avg", MORE, "numbers", TENTHS, meanings.eleven_points),
    Word("binG", MORE),
    Word("G", MORE, "pairs", (), meanings.with_gains("G")),
    Word("dcg", (), "pairs", (), meanings.with_gains("dcg"), since=10),
    Word("ideal_dcg", (), "pairs", (), meanings.with_gains("ideal_dcg"), since=10),
    Word("ndcg", MORE, "pairs", (), meanings.with_gains("ndcg")),
    Word("ndcg_rel", MORE, "pairs", (), meanings.with_gains("ndcg_rel")),
    Word("Rndcg", MORE, "pairs", (), meanings.with_gains("Rndcg"), meanings.if_relevant),
    Word("ndcg_cut", MORE, "depths", DEPTHS),
    Word("map_cut", MORE, "depths", DEPTHS),
    Word("relative_P", MORE, "depths", DEPTHS),
    Word("success", MORE, "depths", (1, 5, 10)),
    Word("set_P", SET),
    Word("set_relative_P", SET),
    Word("set_recall", SET),
    Word("set_map", SET),
    Word("set_F", SET, "numbers", (1,), meanings.set_f),
    Word("num_nonrel_judged_ret", MORE),
    Word("prefs_num_prefs_poss", PREFERENCES, source="prefs"),
    Word("prefs_num_prefs_ful", PREFERENCES, source="prefs"),
    Word("prefs_num_prefs_ful_ret", PREFERENCES, source="prefs"),
    Word("prefs_simp", PREFERENCES, source="prefs"),
    Word("prefs_pair", PREFERENCES, source="prefs"),
    Word("prefs_avgjg", PREFERENCES, source="prefs"),
    Word("prefs_avgjg_Rnonrel", MORE_PREFERENCES, source="prefs"),
    Word("prefs_simp_ret", MORE_PREFERENCES, source="prefs"),
    Word("prefs_pair_ret", MORE_PREFERENCES, source="prefs"),
    Word("prefs_avgjg_ret", MORE_PREFERENCES, source="prefs"),
    Word("prefs_avgjg_Rnonrel_ret", MORE_PREFERENCES, source="prefs"),
    Word("prefs_simp_imp", MORE_PREFERENCES, source="prefs"),
    Word("prefs_pair_imp", MORE_PREFERENCES, source="prefs"),
    Word("prefs_avgjg_imp", MORE_PREFERENCES, source="prefs"),
    Word("map_avgjg", GROUPS, source="qrels_jg"),
    Word("P_avgjg", GROUPS, "depths", DEPTHS, source="qrels_jg"),
    Word("Rprec_mult_avgjg", GROUPS, "fractions", FIFTHS, source="qrels_jg"),
    Word("yaap"),
    Word("rbp", MORE, "pairs", (), meanings.rbp, since=10),
    Word("rbp_resid", MORE, "pairs", (), meanings.rbp_residual, meanings.if_unjudged, since=10),
    Word("unj", MORE, "depths", (5, 10, 20), since=10),
)
