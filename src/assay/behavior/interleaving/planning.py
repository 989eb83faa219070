"""How many impressions an interleaving experiment needs."""

from __future__ import annotations

import math

import polars as pl

from assay.core.errors import UsageError


def plan_interleaving(
    preference: float,
    *,
    ties: float = 0.5,
    per_user: float = 1.0,
    correlation: float = 0.0,
    power: float = 0.8,
    confidence: float = 0.95,
) -> pl.DataFrame:
    """Return the impressions and users needed to detect a preference.

    ``preference`` is the share of impressions that one system wins minus the share that the other
    wins; ``ties`` is the share that nobody wins. ``per_user`` is the number of impressions of a
    user, and ``correlation`` that of the outcomes of one user.

    >>> plan_interleaving(0.05, ties=0.6)["impressions"].item()
    1248
    """
    _check(preference, ties, per_user, correlation)
    if not 0 < 1 - confidence < power < 1:
        raise UsageError(
            f"`confidence` is between 0 and 1 and `power` above 1 - confidence; found"
            f" {confidence:g} and {power:g}"
        )
    from scipy.special import ndtri

    reach = float(ndtri((1 + confidence) / 2)) + float(ndtri(power))
    variance = (1 - ties) - preference**2
    inflation = 1 + (per_user - 1) * correlation
    independent = reach**2 * variance / preference**2
    impressions = math.ceil(independent * inflation)
    return pl.DataFrame(
        {
            "preference": [float(preference)],
            "ties": [float(ties)],
            "impressions": [impressions],
            "users": [math.ceil(impressions / per_user)],
            "design_effect": [float(inflation)],
            "power": [power],
            "confidence": [confidence],
        }
    )


def _check(preference: float, ties: float, per_user: float, correlation: float) -> None:
    if not 0 <= ties < 1:
        raise UsageError(f"`ties` is {ties:g}: a share from 0 to below 1 is expected")
    if not 0 < abs(preference) <= 1 - ties:
        raise UsageError(
            f"`preference` is {preference:g}: above 0 and at most the share without ties,"
            f" {1 - ties:g}, is expected"
        )
    if not 1 <= per_user < 1e15:
        raise UsageError(f"`per_user` is {per_user:g}: at least 1 impression is expected")
    if not 0 <= correlation <= 1:
        raise UsageError(f"`correlation` is {correlation:g}: a number from 0 to 1 is expected")
