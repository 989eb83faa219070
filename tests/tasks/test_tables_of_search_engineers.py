"""Tables of comparisons, holes and ties hold what they are made for."""

from __future__ import annotations

import pytest

import assay

QRELS = {f"q{n}": {"d": 1, "x": 0} for n in range(24)}
RANKINGS = {"first_system": "dxz", "second": "xdz", "third": "zxd"}
RUNS = {
    name: {query: list(docs if n % 3 else docs[::-1]) for n, query in enumerate(QRELS)}
    for name, docs in RANKINGS.items()
}


@pytest.fixture(scope="module")
def scores() -> assay.Scores:
    return assay.retrieval(QRELS, RUNS, "RR P@1")


def test_wide_pairs_have_the_effect_sizes(scores: assay.Scores) -> None:
    found = assay.compare(scores, baseline="second")
    wide = found.to_pandas(wide=True)
    pairs = found.pairs.filter(measure="RR")
    for name in ("d", "cliff", "relative", "wins", "ties", "losses"):
        assert wide[f"RR {name}"].tolist() == pairs[name].to_list()
    head = found.to_markdown(wide=True).splitlines()[0]
    assert "| RR d |" in head
    assert "wins" not in head
    assert "W/T/L" not in found.to_markdown(wide=True)


def test_comments_in_latex_explain_what_the_table_has(scores: assay.Scores) -> None:
    for baseline in (None, "second"):
        found = assay.compare(scores, baseline=baseline)
        short = found.to_latex()
        assert "% corrected: holm" in short
        for word in ("[low, high]", "Cohen", "W/T/L", "ranks:", "interval of a difference"):
            assert word not in short, word
        intervals = found.to_latex(intervals=True)
        assert "[low, high]" in intervals
        assert "Cohen" not in intervals
        pairs = found.to_latex(wide=False)
        assert "Cohen" in pairs
        assert "[low, high]" in pairs


def test_both_halves_of_a_table_name_the_baseline(scores: assay.Scores) -> None:
    text = repr(assay.compare(scores, baseline=["first_system", "second"]))
    heads = [line.split() for line in text.splitlines() if line.strip().startswith("system ")]
    assert len(heads) == 4  # Two measures, whose tables are split for the width.
    assert {tuple(head[:3]) for head in heads} == {("system", "value", "against")}


def test_holes_and_ties_give_their_values_to_pandas(scores: assay.Scores) -> None:
    holes, ties = assay.holes(scores), assay.ties(scores)
    assert {"value", "condensed", "low", "high"} < set(holes.to_pandas().columns)
    assert {"value", "expected", "lowest", "highest"} < set(ties.to_pandas().columns)
    assert "judged@5" in holes.to_polars("judged").columns
    assert "tied" in ties.to_polars("ties").columns
    assert holes.to_dict()["first_system/RR/low"] == holes.measures.row(0, named=True)["low"]
