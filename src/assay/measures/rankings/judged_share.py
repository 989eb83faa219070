"""How much of what was retrieved has been judged."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats, ratio
from assay.core.curves import Columns
from assay.core.definition import Ratio, Undefined, define
from assay.core.facts import Facts, Settings
from assay.core.parameters import Depth
from assay.evidence.views.rankings import Rankings
from assay.measures.rankings.relevant_steps import steps_to_end

NOTHING = Undefined(answer="nothing was retrieved")


def _none_negative(settings: Settings, grades: Floats) -> bool:
    """Return whether all grades are judgments under every policy for negative ones."""
    return bool((grades >= 0).all())


@define(
    "Judged",
    better="neither",
    bounds=(0, 1),
    aliases=["judged"],
    undefined=NOTHING,
    variants=["Judged@1", "Judged@10"],
    label="share of judged documents",
    facts=Facts(
        ignores_pool=True,
        sum_over_documents=_none_negative,
        fixed_weights=_none_negative,
        rises_with_order=True,
    ),
)
def judged(rankings: Rankings, cutoff: Depth | None = None) -> Ratio:
    """The share of the retrieved documents that was judged, within the cutoff if there is one.

    The denominator is the length of the list where that is below the cutoff (ir_measures). The
    policy ``negative_grades`` says whether a grade below 0 is a judgment.

    >>> measure("Judged@10")(rankings("+-?+"))
    array([0.75])
    """
    length = rankings.depth()
    seen = length if cutoff is None else np.minimum(length, cutoff)
    return Ratio(rankings.assessed(cutoff).count, seen)


@judged.trace
def judged_trace(rankings: Rankings, s: Settings) -> Columns:
    """Each judged document, and the share judged so far."""
    length = int(rankings.retrieved[0])
    end = length if s.cutoff is None else min(length, s.cutoff)
    rank, so_far = steps_to_end(rankings.assessed(s.cutoff), end)
    return {"rank": rank, "judged so far": so_far, "share": ratio(so_far, rank)}


@define(
    "Unjudged",
    better="neither",
    bounds=(0, 1),
    aliases=["unj", "unjudged", "hole"],
    undefined=NOTHING,
    variants=["Unjudged@1", "Unjudged@10"],
    label="share of unjudged documents",
    facts=Facts(ignores_pool=True, rises_with_order=True),
)
def unjudged(rankings: Rankings, cutoff: Depth | None = None) -> Ratio:
    """The documents without a judgment, as a share of the places looked at.

    The denominator is the cutoff, also for a shorter list (trec_eval 10): so this is not
    1 − Judged where a list is short.

    >>> measure("Unjudged@10")(rankings("+-?+"))
    array([0.1])
    """
    length = rankings.depth()
    seen = length if cutoff is None else np.minimum(length, cutoff)
    return Ratio(seen - rankings.assessed(cutoff).count, rankings.depth(cutoff))


@unjudged.trace
def unjudged_trace(rankings: Rankings, s: Settings) -> Columns:
    """Each judged document, and the documents without a judgment so far."""
    found, length = rankings.assessed(s.cutoff), int(rankings.retrieved[0])
    rank, so_far = steps_to_end(found, int(rankings.depth(s.cutoff)[0]))
    missing = np.minimum(rank, length) - so_far
    return {"rank": rank, "unjudged so far": missing, "share": ratio(missing, rank)}
