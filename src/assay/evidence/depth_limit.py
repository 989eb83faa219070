"""Lists that end at a depth."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from assay.evidence.rankings import Rankings


def limited(rankings: Rankings, depth: int) -> Rankings:
    """The rankings as if no list were longer than that; what is known of a query stays known."""
    keep = rankings.hits.rank <= depth
    return replace(
        rankings,
        retrieved=np.minimum(rankings.retrieved, depth),
        hits=rankings.hits.where(keep),
        tie_first=rankings.tie_first[keep],
        tie_last=rankings.tie_last[keep],
        row=rankings.row[keep],
    )
