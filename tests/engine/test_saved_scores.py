"""Saved scores are checked when they are read, and files of earlier versions stay readable."""

from __future__ import annotations

import json
import os
import random
import struct
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import polars as pl
import pytest
from tests.cli.terminal import call

import assay
from assay.core.errors import FormatError
from assay.formats.files.parquet import hide_panic_reports
from assay.tasks.scores.read_scores import read_scores

SAVED = Path(__file__).parent / "saved"
"""Files that were written before the check, each with its scores as JSON beside it."""
OLD = sorted(path.stem for path in SAVED.glob("*.parquet"))
NAN = struct.pack("<d", float("nan"))


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """Scores of two systems with slices of text, undefined values and intervals, saved now."""
    path = tmp_path / "scores.parquet"
    assay.load(SAVED / "retrieval.parquet").save(path)
    return path


def content_of(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(pl.read_parquet_metadata(path)["assay"])
    return found


def rewrite(
    path: Path,
    change: Callable[[pl.DataFrame], pl.DataFrame] = lambda rows: rows,
    **fields: Any,
) -> None:
    """Write the table again as another program would, with other rows or other metadata."""
    content = content_of(path) | fields
    kept = {name: value for name, value in content.items() if value is not ...}
    change(pl.read_parquet(path)).write_parquet(path, metadata={"assay": json.dumps(kept)})


@pytest.mark.parametrize("name", OLD)
def test_files_of_earlier_versions_are_read(name: str, tmp_path: Path) -> None:
    expected = (SAVED / f"{name}.json").read_text(encoding="utf-8")
    scores = assay.load(SAVED / f"{name}.parquet")
    assert scores.to_json() + "\n" == expected
    scores.save(tmp_path / "again.parquet")
    assert assay.load(tmp_path / "again.parquet").to_json() + "\n" == expected


@pytest.mark.parametrize("name", ["per_query.csv", "preferences.tsv"])
def test_tables_of_earlier_versions_are_read(name: str) -> None:
    found, whole = read_scores(SAVED / name), "preferences" if "pref" in name else "retrieval"
    expected = assay.load(SAVED / f"{whole}.parquet")
    for one, other in zip(found.results, expected.results, strict=True):
        assert (one.system, one.measure, one.units) == (other.system, other.measure, other.units)
        assert one.values.tolist() == pytest.approx(other.values.tolist(), nan_ok=True)


def test_the_digest_is_that_of_its_description(saved: Path) -> None:
    content, rows = content_of(saved), pl.read_parquet(saved)
    digest = content.pop("digest")
    assert (content["version"], content["rows"]) == (1, rows.height)
    found = sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode())
    for name in ("system", "slice", "unit", "measure", "value", "reason"):
        values = rows[name].to_list()
        if name == "value":
            found.update(b"".join(NAN if x != x else struct.pack("<d", x) for x in values))
            continue
        texts = [None if each is None else each.encode() for each in values]
        found.update(b"".join(struct.pack("<q", -1 if t is None else len(t)) for t in texts))
        found.update(b"".join(text or b"" for text in texts))
    assert digest == f"sha256:{found.hexdigest()}"


@pytest.mark.parametrize("layout", [{"compression": "snappy"}, {"row_group_size": 5}])
def test_the_layout_of_the_file_does_not_matter(saved: Path, layout: dict[str, Any]) -> None:
    before = assay.load(saved).to_json()
    kept = {"assay": pl.read_parquet_metadata(saved)["assay"]}
    pl.read_parquet(saved).write_parquet(saved, metadata=kept, **layout)
    assert assay.load(saved).to_json() == before


def test_a_changed_bit_or_a_cut_is_refused_or_harmless(saved: Path, capfd: Any) -> None:
    whole, drawn = saved.read_bytes(), random.Random(7)
    before = assay.load(saved).to_json()
    messages = []
    for _ in range(150):
        bad, place = bytearray(whole), drawn.randrange(len(whole))
        bad[place] ^= 1 << drawn.randrange(8)
        for damaged in (bytes(bad), whole[:place], whole[:place] + b"\n" + whole[place:]):
            saved.write_bytes(damaged)
            try:
                assert assay.load(saved).to_json() == before
            except FormatError as failure:
                messages.append(str(failure))
    assert len(messages) > 430
    assert all(each.startswith(str(saved)) and "--save" in each for each in messages)
    assert capfd.readouterr().err == "", "nothing but the message is written"


CHANGES: dict[str, tuple[Callable[[pl.DataFrame], pl.DataFrame], dict[str, Any], str]] = {
    "a row less": (lambda t: t[1:], {}, "it has 23 rows, and 24 were saved"),
    "rows twice": (lambda t: pl.concat([t, t]), {}, "it has 48 rows, and 24 were saved"),
    "no column": (lambda t: t.drop("reason"), {}, "its columns are .*, expected system"),
    "type": (lambda t: t.cast({"value": pl.Int8}, strict=False), {}, "column value is Int8"),
    "empty": (lambda t: t.with_columns(unit=pl.lit(None, pl.String)), {}, "column unit is empty"),
    "value": (lambda t: t.with_columns(pl.col("value") + 1), {}, "does not match its digest"),
    "warning": (lambda t: t, {"warnings": []}, "does not match its digest"),
    "no digest": (lambda t: t, {"digest": ...}, "lacks a valid digest"),
    "no version": (lambda t: t, {"version": ...}, "lacks a valid version"),
    "newer": (lambda t: t, {"version": 2}, "has version 2, and this program reads up to 1; update"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_what_was_changed_is_said(saved: Path, name: str) -> None:
    change, fields, message = CHANGES[name]
    rewrite(saved, change, **fields)
    with pytest.raises(FormatError, match=f"{saved}: .*{message}"):
        assay.load(saved)


OLD_CHANGES: dict[str, tuple[str, Any, str]] = {
    "task": ("task", 1, "'task' in its metadata is not text"),
    "results": ("results", {}, "'results' in its metadata is not a list"),
    "conventions": ("conventions", "x", "'conventions' in its metadata is not an object"),
    "warnings": ("warnings", [1], "'warnings' in its metadata is not a list of texts"),
    "result": ("results", [None], "result 1 in its metadata is not an object"),
    "no result": ("results", [], "no result for its rows of AP of one"),
    "lost": ("results", {"better": ...}, "'better' of result 1 in its metadata is not text"),
    "better": ("results", {"better": "x"}, "is not one of higher, lower, neither"),
    "number": ("results", {"value": True}, "'value' of result 1 in its metadata is not a number"),
    "field": ("results", {"bogus": 1}, "unknown field 'bogus'"),
    "units": ("results", {"units": ["q"]}, "'units' of result 1 .* is not an empty list"),
    "twice": ("results", {"measure": "RR"}, "lists a result twice"),
}


@pytest.mark.parametrize("name", OLD_CHANGES)
def test_metadata_of_earlier_versions_is_checked(tmp_path: Path, name: str) -> None:
    path = tmp_path / "old.parquet"
    path.write_bytes((SAVED / "retrieval.parquet").read_bytes())
    field, value, message = OLD_CHANGES[name]
    if isinstance(value, dict) and value:
        first, *others = content_of(path)["results"]
        changed = {key: each for key, each in (first | value).items() if each is not ...}
        value = [changed, *others]
    rewrite(path, **{field: value})
    with pytest.raises(FormatError, match=message):
        assay.load(path)


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '"x"', "[" * 100_000])
def test_metadata_that_is_no_object_is_refused(saved: Path, text: str) -> None:
    pl.read_parquet(saved).write_parquet(saved, metadata={"assay": text})
    with pytest.raises(FormatError, match="its metadata is not"):
        assay.load(saved)


def test_other_parquet_files_are_not_scores_files(tmp_path: Path) -> None:
    pl.DataFrame({"x": [1]}).write_parquet(tmp_path / "x.parquet")
    with pytest.raises(FormatError, match="not a scores file: it lacks the metadata"):
        assay.load(tmp_path / "x.parquet")


COMMANDS = (
    ["compare", "SAVED"],
    ["gate", "SAVED", "--floor", "AP=0.1"],
    ["gate", str(SAVED / "retrieval.parquet"), "--baseline", "SAVED", "--margin", "0.1"],
    ["power", "SAVED", "--detect", "0.02"],
    ["report", "SAVED", "-o", "page.html"],
    ["correlation", "SAVED", "--order-by", "AP", "--order-by", "RR"],
    ["correlation", "SAVED", str(SAVED / "retrieval.parquet"), "--order-by", "AP"],
)


@pytest.mark.parametrize("command", COMMANDS, ids=lambda words: " ".join(words[:2])[:20])
def test_every_command_that_reads_scores_checks_them(
    command: list[str], saved: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(saved.parent)
    rewrite(saved, lambda rows: rows[:-1])
    found = call(*[str(saved) if word == "SAVED" else word for word in command])
    assert found.code == 1
    assert "it has 23 rows, and 24 were saved" in " ".join(found.err.split())


def _fail_aloud() -> None:
    with hide_panic_reports():
        os.write(2, b"a panic")
        raise ValueError("stop")


def test_standard_error_is_silent_only_while_a_file_is_decoded(capfd: Any) -> None:
    with pytest.raises(ValueError, match="stop"):
        _fail_aloud()
    os.write(2, b"kept")
    assert capfd.readouterr().err == "kept"
