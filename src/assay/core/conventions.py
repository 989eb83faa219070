"""The conventions behind a number, and the profiles that bundle them."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Literal

from assay.core.errors import UsageError, did_you_mean


@dataclass(frozen=True)
class Conventions:
    """How rankings are made from tables, and what happens to queries without an answer."""

    profile: str = "assay"
    score_type: Literal["float64", "float32"] = "float64"
    ties: Literal["document descending", "document ascending", "file order", "rank column"] = (
        "document descending"
    )
    missing_queries: Literal["zero", "skip", "error"] = "zero"
    no_relevant: Literal["undefined", "zero"] = "undefined"
    recall_levels: Literal["exact", "truncated", "rounded"] = "exact"
    own_document: Literal["keep", "drop"] = "keep"
    first_rank: Literal["normalised", "raw"] = "normalised"
    """Whether ERR-IA and α-DCG are normalised at rank 1 as at all others; ndeval does not."""
    defaults: tuple[tuple[str, str], ...] = ()
    """Parameters that measures take on unless they are said, such as the gain of gdeval."""

    def described(self) -> dict[str, str]:
        """The conventions as plain text, to travel with the numbers."""
        return {key: str(value) for key, value in dataclasses.asdict(self).items()}


_TREC_EVAL = Conventions(missing_queries="skip", no_relevant="zero")
PROFILES: dict[str, Conventions] = {
    profile.profile: profile
    for profile in (
        Conventions(),
        dataclasses.replace(
            _TREC_EVAL, profile="trec_eval-9", score_type="float32", recall_levels="truncated"
        ),
        dataclasses.replace(_TREC_EVAL, profile="trec_eval-10", recall_levels="rounded"),
        # With preferences, and only there, trec_eval orders ties by rising document id.
        dataclasses.replace(_TREC_EVAL, profile="trec_eval-prefs", ties="document ascending"),
        Conventions(
            profile="ir_measures",
            score_type="float32",
            no_relevant="zero",
            recall_levels="truncated",
        ),
        dataclasses.replace(
            _TREC_EVAL,
            profile="beir",
            score_type="float32",
            recall_levels="truncated",
            own_document="drop",
        ),
        Conventions(profile="msmarco", ties="rank column", no_relevant="zero"),
        Conventions(profile="ndeval", ties="rank column", missing_queries="skip", first_rank="raw"),
        Conventions(profile="gdeval", missing_queries="skip", defaults=(("gain", "exp"),)),
    )
}


def profile(name: str | Conventions) -> Conventions:
    """The conventions of a profile."""
    if isinstance(name, Conventions):
        return name
    if name not in PROFILES:
        raise UsageError(
            f"there is no profile '{name}' (there are {', '.join(PROFILES)})."
            + did_you_mean(name, PROFILES)
        )
    return PROFILES[name]
