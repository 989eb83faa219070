"""Spans: worked by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

import assay
from assay.core.names import measure
from assay.engine.local import evaluate
from assay.evidence.views.spans import match_spans

# "Ada Lovelace met Charles Babbage in London": two persons and a place.
TRUTH = [[(0, 12, "person"), (17, 32, "person"), (36, 42, "place")]]
# One right; one whose end is off; one with the wrong type; one too many.
SAID = [[(0, 12, "person"), (17, 24, "person"), (36, 42, "person"), (13, 16, "place")]]


def ours(name: str) -> dict[str, float]:
    from assay.testing import spans

    result = evaluate(spans(TRUTH, SAID), [measure(name, "spans")], "it")[0]
    return dict(zip(result.units, result.values.tolist(), strict=True)) | {"": result.value}


@pytest.mark.parametrize(
    ("match", "precision", "recall"),
    [
        ("exact", 1 / 4, 1 / 3),
        ("boundary", 2 / 4, 2 / 3),
        ("type", 2 / 4, 2 / 3),
        ("partial", 2.5 / 4, 2.5 / 3),
    ],
)
def test_micro(match: str, precision: float, recall: float) -> None:
    assert ours(f"P(match={match},average=micro)")[""] == pytest.approx(precision)
    assert ours(f"R(match={match},average=micro)")[""] == pytest.approx(recall)
    both = 2 * precision * recall / (precision + recall)
    assert ours(f"F(match={match},average=micro)")[""] == pytest.approx(both)


def test_per_type_and_macro() -> None:
    assert ours("P") == pytest.approx({"person": 1 / 3, "place": 0, "": 1 / 6})
    assert ours("R") == pytest.approx({"person": 1 / 2, "place": 0, "": 1 / 4})
    assert ours("F") == pytest.approx({"person": 2 / 5, "place": 0, "": 1 / 5})


def test_each_span_is_used_once_and_the_best_overlap_first() -> None:
    pairs = match_spans([(0, 10, "a")], [(0, 4, "a"), (2, 10, "a")], "type")
    assert pairs == [((0, 10, "a"), (2, 10, "a"), 1.0)]


def test_files_and_bad_spans(tmp_path: Path) -> None:
    path = tmp_path / "spans.jsonl"
    path.write_text(
        '{"truth": [[0, 3, "x"]], "predicted": [{"start": 0, "end": 3, "label": "x"}]}\n'
    )
    assert assay.spans(path, "F", bootstrap=None)["F"]["tagger"] == 1
    path.write_text('{"truth": [[0, 3, "x"]], "predicted": [[3, 1, "x"]]}\n')
    with pytest.raises(assay.AssayError, match=r"spans.jsonl:1: the span .* ends before it begins"):
        assay.spans(path)
    path.write_text('{"truth": [[0, 3, "x"]], "predicted": [["x"]]}\n')
    with pytest.raises(assay.AssayError, match=r"spans.jsonl:1: a span is \[begin, end, type\]"):
        assay.spans(path)
    path.write_text('\n{"truth": []}\n')
    with pytest.raises(assay.AssayError, match=r"spans.jsonl:2: there is no 'predicted'"):
        assay.spans(path)
    path.write_text("not json\n")
    with pytest.raises(assay.AssayError, match=r"spans.jsonl:1: this line is not JSON"):
        assay.spans(path)
