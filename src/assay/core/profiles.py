"""Profiles: the conventions of other tools, by name.

A profile says in which fields of ``Conventions`` it differs from the defaults.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TREC_EVAL = {
    "missing_queries": "skip",
    "empty_queries": "zero",
    "negative_grades": "unjudged",
    "no_relevant": "zero",
}
PROFILES: Mapping[str, Mapping[str, Any]] = {
    "assay": {},
    "trec_eval-9": {**_TREC_EVAL, "score_type": "float32", "recall_levels": "truncated"},
    "trec_eval-10": {**_TREC_EVAL, "recall_levels": "rounded"},
    # With preferences, and only there, trec_eval orders ties by rising document id.
    "trec_eval-prefs": {**_TREC_EVAL, "ties": "document ascending"},
    "ir_measures": {
        "score_type": "float32",
        "duplicates": "last",
        "empty_queries": "zero",
        "no_relevant": "zero",
        "recall_levels": "truncated",
        # Both are parameters of Compat, which has its own order of ties there.
        "defaults": (("compare_to", "lists"), ("reverse_ties", "true")),
        # ERR comes from gdeval there.
        "needed": (("gmax", "4"),),
    },
    "beir": {
        **_TREC_EVAL,
        "negative_grades": "judged",
        "score_type": "float32",
        "recall_levels": "truncated",
        "own_document": "drop",
    },
    "msmarco": {"order": "rank", "no_relevant": "zero"},
    "ndeval": {
        "order": "rank",
        "missing_queries": "skip",
        "no_relevant": "zero",
        "first_rank": "raw",
    },
    # The highest grade of gdeval is always 4, whatever the judgments have.
    "gdeval": {
        "missing_queries": "skip",
        "defaults": (("gain", "exp"),),
        "needed": (("gmax", "4"),),
    },
}
