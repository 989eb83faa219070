"""The names that trec_eval knows, in the order in which it prints them.

Each stands for measures of the catalogue, which has most of them as aliases.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from assay.core.arrays import Floats
from assay.core.errors import BadParameter
from assay.evidence.views.rankings import Rankings

Form: TypeAlias = Literal["nothing", "depths", "fractions", "numbers", "pairs"]
"""What may follow the dot after a name: ``P.5,10``, ``iprec_at_recall.25,.5``, ``ndcg.1=3,2=9``."""
JudgmentSource: TypeAlias = Literal["any", "qrels", "prefs", "qrels_jg"]
"""The kind of judgments (``-R``) that it needs; ``prefs`` may also come from graded qrels."""

SettingPairs: TypeAlias = dict[str, float]
"""What is written as key=number: gains by grade, and the p of rbp."""

ALWAYS_PRINTED = ("official", "set", "all_trec", "all_prefs", "prefs", "qrels_jg")
COUNTS = ("official", "set", "all_trec")
OFFICIAL = ("official", "all_trec")
SET = ("set", "all_trec")
MORE = ("all_trec",)
PREFERENCES = ("prefs", "all_prefs")
MORE_PREFERENCES = ("all_prefs",)
GROUPS = ("qrels_jg",)
PREFERENCE_NAMES = (
    *("prefs_num_prefs_poss", "prefs_num_prefs_ful", "prefs_num_prefs_ful_ret"),
    *("prefs_simp", "prefs_pair", "prefs_avgjg"),
    *("prefs_avgjg_Rnonrel", "prefs_simp_ret", "prefs_pair_ret", "prefs_avgjg_ret"),
    *("prefs_avgjg_Rnonrel_ret", "prefs_simp_imp", "prefs_pair_imp", "prefs_avgjg_imp"),
)

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
    """The depths, fractions or numbers if nothing follows the dot."""
    means: Callable[..., str] | None = None
    """Returns our name from numbers, or from pairs and grades; None if the names are equal."""
    adjust: Callable[[Any, Floats, int], Floats] = lambda view, values, level: values
    """How trec_eval changes the values of topics, under a relevance level (``-l``)."""
    source: JudgmentSource = "qrels"
    since: int = 9
    prints: Literal["measure", "run name", "topics", "grades"] = "measure"
    note: str = ""
    """What it prints, if it is not a measure."""


def utility(*worth: float) -> str:
    """Return our name for the worth of the four kinds of documents, in trec_eval's order."""
    if len(worth) != 4:
        raise BadParameter("-m utility takes 4 numbers, such as utility.1,-1,0,0")
    return "utility(tp={!r},fp={!r},fn={!r},tn={!r})".format(*worth)


def set_f(*weights: float) -> str:
    """Return our name for the square of beta; further numbers are ignored."""
    return f"set_F@{weights[0]!r}"


def eleven_points(*levels: float) -> str:
    """Return our name for any number of recall levels."""
    return f"11pt_avg(levels={{{','.join(map(repr, levels))}}})"


def rbp(pairs: SettingPairs, grades: Sequence[float]) -> str:
    """Return our name for the persistence p, and perhaps gains."""
    table = _gains(pairs, grades)
    if any(not 0 <= worth <= 1 for worth in table.values()):
        raise BadParameter(
            "-m rbp: gains are shares between 0 and 1, and each grade of the judgments needs one;"
            f" here they would be {', '.join(f'{g:g}={w:g}' for g, w in table.items())}"
        )
    return f"RBP(p={pairs.get('p', 0.9)!r},gmax={_format_number(table) if table else 'topic'})"


def rbp_residual(pairs: SettingPairs, grades: Sequence[float]) -> str:
    """Return our name for the persistence p."""
    return f"RBP_residual(p={pairs.get('p', 0.9)!r})"


def measure_with_gains(name: str) -> Callable[[SettingPairs, Sequence[float]], str]:
    """Return a function for our name with gains; a grade without a gain is its own gain."""

    def means(pairs: SettingPairs, grades: Sequence[float]) -> str:
        table = _gains(pairs, grades)
        return f"{name}(gain={_format_number(table)})" if table else name

    return means


def _gains(pairs: SettingPairs, grades: Sequence[float]) -> dict[float, float]:
    given = {float(key): worth for key, worth in pairs.items() if key.lstrip("+-").isdigit()}
    itself = {grade: grade for grade in grades if grade >= 0}
    return dict(sorted((itself | given).items())) if given else {}


def _format_number(table: dict[float, float]) -> str:
    return f"{{{','.join(f'{grade!r}:{worth!r}' for grade, worth in table.items())}}}"


def rbp_residual_if_unjudged(rankings: Rankings, values: Floats, level: int) -> Floats:
    """Return 0 where all retrieved documents are judged, as trec_eval does."""
    return np.where(rankings.judged().count < rankings.retrieved, values, 0.0)


TREC_NAMES: tuple[TrecName, ...] = (
    TrecName(
        *("runid", ALWAYS_PRINTED), source="any", prints="run name", note="The tag of the run."
    ),
    TrecName(
        *("num_q", ALWAYS_PRINTED), source="any", prints="topics", note="The number of topics."
    ),
    *(TrecName(name, COUNTS) for name in ("num_ret", "num_rel", "num_rel_ret")),
    *(TrecName(name, OFFICIAL) for name in ("map", "gm_map", "Rprec", "bpref", "recip_rank")),
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
    TrecName("utility", SET, "numbers", (1, -1, 0, 0), utility),
    TrecName("11pt_avg", MORE, "numbers", TENTHS, eleven_points),
    TrecName("binG", MORE),
    TrecName("G", MORE, "pairs", (), measure_with_gains("G")),
    TrecName("dcg", (), "pairs", (), measure_with_gains("dcg"), since=10),
    TrecName("ideal_dcg", (), "pairs", (), measure_with_gains("ideal_dcg"), since=10),
    TrecName("ndcg", MORE, "pairs", (), measure_with_gains("ndcg")),
    TrecName("ndcg_rel", MORE, "pairs", (), measure_with_gains("ndcg_rel")),
    TrecName("Rndcg", MORE, "pairs", (), measure_with_gains("Rndcg")),
    TrecName("ndcg_cut", MORE, "depths", DEPTHS),
    TrecName("map_cut", MORE, "depths", DEPTHS),
    TrecName("relative_P", MORE, "depths", DEPTHS),
    TrecName("success", MORE, "depths", (1, 5, 10)),
    *(TrecName(name, SET) for name in ("set_P", "set_relative_P", "set_recall", "set_map")),
    TrecName("set_F", SET, "numbers", (1,), set_f),
    TrecName("num_nonrel_judged_ret", MORE),
    *(TrecName(name, PREFERENCES, source="prefs") for name in PREFERENCE_NAMES[:6]),
    *(TrecName(name, MORE_PREFERENCES, source="prefs") for name in PREFERENCE_NAMES[6:]),
    TrecName("map_avgjg", GROUPS, source="qrels_jg"),
    TrecName("P_avgjg", GROUPS, "depths", DEPTHS, source="qrels_jg"),
    TrecName("Rprec_mult_avgjg", GROUPS, "fractions", FIFTHS, source="qrels_jg"),
    TrecName("yaap"),
    TrecName("rbp", MORE, "pairs", (), rbp, since=10),
    TrecName(*("rbp_resid", MORE, "pairs", (), rbp_residual), rbp_residual_if_unjudged, since=10),
    TrecName("unj", MORE, "depths", (5, 10, 20), since=10),
)
