"""The measures of ranx under ranx's own names, and where ours are other numbers on purpose.

Its numbers are kept in ``tests/oracles/ranx.json``; ``scripts/values_from_ranx.py`` made them.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from tests.conftest import ROOT

import assay

KEPT = json.loads((ROOT / "tests/oracles/ranx.json").read_text())
DRAWN, SMALL = KEPT["drawn"], KEPT["small"]


def _ours(data: dict[str, Any], name: str) -> list[float]:
    result = assay.retrieval(data["qrels"], data["run"], [name], interval=None).results[0]
    return result.values.tolist()


# Its RBP takes grades for shares.
@pytest.mark.parametrize("name", [name for name in DRAWN["values"] if name != "rbp.8"])
def test_same_numbers_without_ties(name: str) -> None:
    assert _ours(DRAWN, name) == pytest.approx(DRAWN["values"][name], rel=1e-12)


def test_other_numbers_on_purpose() -> None:
    # Raw grades go above 1.
    assert SMALL["values"]["rbp.8"] == pytest.approx([0.2 * 3 + 0.2 * 0.8 * 3])
    assert _ours(SMALL, "rbp.8") == pytest.approx([0.2 + 0.2 * 0.8])
    # Without a document judged not relevant nothing stands above.
    assert SMALL["values"]["bpref"] == [None]
    assert _ours(SMALL, "bpref") == [1]
