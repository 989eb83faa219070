"""Whether the true class is among the likeliest ones."""

from __future__ import annotations

import numpy as np

from assay.core.definition import Ratio, define
from assay.core.parameters import Depth
from assay.evidence.views.probabilities import Probabilities
from assay.measures.probabilities.log_loss import weighted_mean_terms


@define(
    "top",
    unit="item",
    aggregate="micro",
    aliases=["top_k", "top_k_accuracy", "top_k_accuracy_score", "top1(k=1)"],
    undefined="the item has no weight",
    variants=["top@2"],
    label="top-k accuracy",
)
def top(forecasts: Probabilities, k: Depth = 1) -> Ratio:
    """Whether the true class is among the k likeliest; top@1 is the accuracy of the likeliest.

    Classes tied with the true one share the places that are left: three classes tied for one
    place count one third each.

    >>> measure("top")(forecasts("ab", [[0.8, 0.2], [0.5, 0.5]]).by("item"))
    array([1. , 0.5])
    """
    own = forecasts.of_truth[:, None]
    likelier = (forecasts.probability > own).sum(axis=1)
    tied = (forecasts.probability == own).sum(axis=1)
    return weighted_mean_terms(np.clip((k - likelier) / tied, 0, 1), forecasts)
