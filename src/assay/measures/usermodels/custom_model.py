"""CWL: a user whose chances of going on are given as a table."""

from __future__ import annotations

from assay.core.arrays import Floats
from assay.core.definition import define
from assay.core.parameters import Flag, Number, Positive, Table
from assay.evidence.views.rankings import Rankings
from assay.measures.usermodels.model import WEIGHTED_USER_MODEL, continuation_table, expected_rate


@define(
    "CWL",
    variants=["CWL(max_rel=1,table={1:0.9,2:0.5})"],
    label="gain under a given user",
    facts=WEIGHTED_USER_MODEL,
)
def cwl(
    rankings: Rankings,
    max_rel: Positive,
    table: Table,
    min_rel: Number = 0,
    residual: Flag = False,
) -> Floats:
    """The gain per document of a user whose chance of going on after each rank is given.

    The user stops after the last rank of the table.

    >>> measure("CWL(max_rel=1,table={1:1,2:0.5})")(rankings("+-+")).round(3)
    array([0.6])
    """
    depth = int(max(rank for rank, _ in table)) + 1
    return expected_rate(rankings, continuation_table(table), max_rel, min_rel, residual, depth)
