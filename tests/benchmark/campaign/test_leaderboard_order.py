"""Published leaderboards begin with the best system, also where lower is better."""

from __future__ import annotations

import pytest

from assay.benchmark.campaign.publication import read_leaderboard


@pytest.mark.parametrize(("measure", "expected"), [("AP", ["b", "a"]), ("FNR", ["a", "b"])])
def test_the_best_system_is_first(measure: str, expected: list[str]) -> None:
    text = f"system,measure,value\na,{measure},0.1\nb,{measure},0.4\n"
    table = read_leaderboard({"leaderboard.csv": text.encode()})
    assert table is not None
    assert table["system"].to_list() == expected
