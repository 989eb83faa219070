"""``print`` and a prompt show the table of a result, and no dump of its fields."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import assay
from assay.core.errors import UsageError
from assay.core.printable import Printable
from assay.reports.text import result_text, result_types
from assay.reports.text.result_text import OUTPUT_FORMATS, Layout, ResultText, write
from assay.reports.text.table_text import number, signed_number

QRELS = {str(query): {"a": 1, "b": 0, "c": 2} for query in range(8)}
RUNS = {
    "good": {query: {"c": 3.0, "a": 2.0, "b": 1.0} for query in QRELS},
    "poor": {query: {"b": 3.0, "x": 2.0, "a": 2.0 + int(query) % 2} for query in QRELS},
}
SCORES = assay.retrieval(QRELS, RUNS, "nDCG@3 AP")
GUESSES = {"truth": ["no", "no", "yes", "yes", "no"], "p": [0.1, 0.4, 0.35, 0.8, 0.2]}

RESULTS: list[tuple[str, Any, str]] = [
    ("Scores", SCORES, "system"),
    ("Comparison", assay.compare(SCORES), "nDCG@3 (higher is better)"),
    ("Power", assay.power(SCORES, detect=0.1), "measure"),
    ("Gate", assay.gate(SCORES, baseline="good", margin=0.1), "The gate does not hold"),
    ("HolesReport", assay.holes(QRELS, RUNS, "P@3"), "system"),
    ("TiesReport", assay.ties(QRELS, RUNS, "P@2"), "system"),
    ("Explanation", assay.explain_retrieval(QRELS, RUNS["poor"], "AP", "1"), "AP = "),
    (
        "Thresholds",
        assay.threshold(GUESSES, truth="truth", score="p", positive="yes", goals=["F"]),
        "goal",
    ),
]


@pytest.mark.parametrize(
    ("kind", "result", "beginning"), RESULTS, ids=[each[0] for each in RESULTS]
)
def test_a_result_prints_as_a_table(kind: str, result: Any, beginning: str) -> None:
    shown = repr(result)
    assert type(result).__name__ == kind
    assert shown.startswith(beginning)
    assert f"{kind}(" not in shown
    assert len(shown.splitlines()) < 40
    assert str(result) == shown


def test_every_result_that_prints_says_how() -> None:
    kinds = Printable.__subclasses__()
    assert {each[0] for each in RESULTS} <= {each.__name__ for each in kinds}
    assert {each.__name__ for each in kinds} <= {*result_types.RESULTS}
    # A dataclass would write its own: the fields with whole frames.
    assert [each.__name__ for each in kinds if each.__repr__ is not Printable.__repr__] == []
    with pytest.raises(UsageError, match="Printable cannot be written as table"):
        repr(Printable())


@pytest.mark.parametrize(
    ("kind", "result", "beginning"), RESULTS, ids=[each[0] for each in RESULTS]
)
@pytest.mark.parametrize("form", OUTPUT_FORMATS)
def test_every_result_has_every_format(form: str, kind: str, result: Any, beginning: str) -> None:
    written = write(result, form)
    assert written.strip()
    if form == "json":
        json.loads(written)
    if form == "html":
        assert written.startswith("<table>")
        assert result._repr_html_().startswith('<div style="overflow-x: auto')
        assert "<table>" in result._repr_html_()
    if form == "latex":
        assert r"\begin{tabular}" in written
    if form == "table":
        assert write(result, form, Layout(warnings=True)) == repr(result)
        warnings = getattr(result, "warnings", ())
        assert warnings or written == repr(result)
        assert all(each[:60] in repr(result) for each in warnings)


def test_a_format_is_added_in_one_place(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method of the base class is a format of all results."""
    monkeypatch.setattr("assay.reports.text.result_text.OUTPUT_FORMATS", [*OUTPUT_FORMATS])

    def rst(text: ResultText) -> str:
        return "\n".join(f".. table:: {len(each.rows)}" for each in text.tables())

    monkeypatch.setattr(ResultText, "rst", result_text.output_format(rst), raising=False)
    assert "rst" in result_text.format_names("Gate")
    assert write(RESULTS[0][1], "rst") == ".. table:: 3"
    assert write(RESULTS[2][1], "rst") == ".. table:: 3"


def test_nothing_below_reports_names_it() -> None:
    """Parts that produce results know the registry only."""
    source = Path(assay.__file__).parent
    above = {"reports", "cli", "web"}
    for path in source.glob("*/**/*.py"):
        if path.relative_to(source).parts[0] not in above:
            assert "assay.reports" not in path.read_text(encoding="utf-8"), path


def test_what_rounds_to_zero_has_no_sign() -> None:
    assert number(-1e-9, 4) == "0.0000"
    assert number(-0.00006, 4) == "-0.0001"
    assert signed_number(0.0, 2) == "+0.00"


def test_two_classes_have_a_table_by_class_too() -> None:
    shown = str(assay.classification(["a", "b", "b"], ["a", "b", "a"], "ACC"))
    head, first, second = shown.partition("by class\n")[2].splitlines()[:3]
    assert head.split()[-1] == "support"
    assert [first.split()[0], first.split()[-1]] == ["a", "1"]
    assert [second.split()[0], second.split()[-1]] == ["b", "2"]


def test_a_comparison_of_folds_states_how_they_were_taken() -> None:
    folds = {name: {"test_ACC": [0.5 + at, 0.6, 0.7]} for at, name in enumerate("ab")}
    comparison = assay.compare(folds)
    for shown in (str(comparison), comparison._repr_html_()):
        assert "taken for one cross-validation of 3 folds" in shown.replace("\n  ", " ")
    assert "ranks" not in str(comparison)
