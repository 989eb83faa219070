"""Notes on labels that differ by a space, on queries of no slice, and numbers of any size."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.cli.terminal import call

SIMILAR = "the labels 'Benign' and 'Benign ' differ only by case or blanks"
COLUMNS = "--truth truth --predicted predicted"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "1000")
    rows = ['1,Benign,"Benign ",a', "2,Benign,Benign,b", "3,Malign,Malign,a", "4,Malign,Benign,b"]
    Path("p.csv").write_text("\n".join(["id,truth,predicted,who", *rows, ""]))
    Path("qrels.txt").write_text("".join(f"{q} 0 a 1\n" for q in (1, 2, 10)))
    Path("one.run").write_text("".join(f"{q} Q0 a 1 2.0 one\n" for q in (1, 2, 10)))
    Path("units.csv").write_text("query,type\n1,x\n2,y\n9,x\n11,y\n")


@pytest.mark.parametrize(
    "command",
    [
        f"classification p.csv {COLUMNS} --resamples 0",
        f"confusion p.csv {COLUMNS} --resamples 0",
        f"confusion p.csv {COLUMNS} --matrix",
        f"report classification p.csv {COLUMNS} -o page.html",
        f"plot confusion p.csv {COLUMNS} -o figure.svg",
        f"explain classification p.csv {COLUMNS} -m MCC",
        "plot contingency p.csv --cluster predicted --classes truth -o figure.svg",
        "explain clustering p.csv --cluster predicted --classes truth -m ARI",
        "clustering p.csv --cluster predicted --classes truth",
        "clustering p.csv --cluster truth --classes predicted",
        "agreement p.csv --item id --assessors truth,predicted --resamples 0",
        "aggregate p.csv --item id --assessor who --label predicted",
    ],
)
def test_a_space_is_named_as_the_cause_of_another_class(command: str) -> None:
    done = call(*command.split())
    assert done.code == 0
    assert SIMILAR in done.err


def test_spaces_around_fields_without_quotes_are_no_part_of_them() -> None:
    Path("p.csv").write_text("truth, predicted\nBenign , Benign\nMalign,Malign\n")
    done = call(*f"classification p.csv {COLUMNS} --resamples 0".split())
    assert done.code == 0
    assert "differ" not in done.err


def test_queries_without_judgments_or_without_a_slice_are_named() -> None:
    command = "retrieval qrels.txt one.run -m AP --units units.csv --by type"
    done = call(*command.split())
    assert done.code == 0
    assert "units.csv: queries without judgments, which are left out: 9, 11" in done.err
    assert "judged queries that are in no slice: 10" in done.err


def test_numbers_of_any_size_have_an_interval_and_few_digits() -> None:
    rows = [f"{n}e200,{n + 1 + n % 3}e200" for n in range(1, 31)]
    Path("v.csv").write_text("\n".join(["y,yhat", *rows, ""]))
    command = "regression v.csv --truth y --predicted yhat -m MAE --digits 2"
    done = call(*command.split())
    assert done.out.splitlines()[1].split()[:4] == ["MAE", "2.00e+200", "1.69e+200", "2.31e+200"]
