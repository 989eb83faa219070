"""Exports and backups give equal databases; wrong files are named and leave nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import Table
from tests.benchmark.campaign.small import judge_everything, small_campaign

from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.store.account_schema import credential
from assay.benchmark.store.database import Database
from assay.benchmark.store.schema import metadata
from assay.core.errors import AssayError, DataError, UsageError


def _content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def _judged(place: str, folder: Path) -> Campaign:
    campaign = small_campaign(place, folder)
    campaign.assign(overlap=0.5)
    judge_everything(place, "ann")
    campaign.aggregate("v1")
    campaign.publish("v1")
    return campaign


def test_an_export_read_back_is_equal_without_sign_in_data(place: str, tmp_path: Path) -> None:
    campaign = _judged(place, tmp_path)
    with campaign.session.database.write() as connection:
        connection.execute(
            credential.insert().values(person_id=1, password_hash="secret", changed=1.0)
        )
    campaign.export(tmp_path / "one")
    copy = Campaign.read_export(tmp_path / "copy.db", tmp_path / "one")
    copy.export(tmp_path / "two")
    assert _content(tmp_path / "one") == _content(tmp_path / "two")
    assert not any(b"secret" in each for each in _content(tmp_path / "one").values())
    assert all(copy.reproduce("v1").values())
    copy.join("dora", "assessor")  # numbering goes on


def test_a_backup_restored_is_equal_with_sign_in_data(place: str, tmp_path: Path) -> None:
    campaign = _judged(place, tmp_path)
    with campaign.session.database.write() as connection:
        connection.execute(
            credential.insert().values(person_id=1, password_hash="secret", changed=1.0)
        )
    campaign.backup(tmp_path / "backup.db")
    copy = Campaign.restore(tmp_path / "backup.db", tmp_path / "copy.db")
    for table in metadata.sorted_tables:
        assert _rows(campaign, table) == _rows(copy, table), table.name


def _rows(campaign: Campaign, table: Table) -> list[str]:
    with campaign.session.database.read() as connection:
        return sorted(map(repr, connection.execute(table.select())))


@pytest.mark.parametrize(
    ("file", "damage", "said"),
    [
        ("person.jsonl", lambda text: text + "{", r"person.jsonl:4: this line is not JSON"),
        ("person.jsonl", lambda text: "[]\n", "person.jsonl:1: expected the fields id, name"),
        ("run_file.jsonl", lambda text: text.replace('content": "', 'content": "!'), "not base64"),
        ("event.jsonl", lambda text: "", "rows were exported, but the files have"),
        (
            "item.jsonl",
            lambda text: text.replace('"topic_id": 1', '"topic_id": 99', 1),
            "do not fit together",
        ),
        (
            "assignment.jsonl",
            lambda text: text.replace('"item_id": 1,', '"item_id": 999,', 1),
            "assignment.jsonl: 1 assignment of an item, topic or person that is not in the export",
        ),
        ("export.json", lambda text: "x", "export.json: not the description"),
    ],
)
def test_a_wrong_file_is_named_and_leaves_nothing_behind(
    tmp_path: Path, file: str, damage: object, said: str
) -> None:
    _judged(str(tmp_path / "campaign.db"), tmp_path).export(tmp_path / "one")
    path = tmp_path / "one" / file
    path.write_text(damage(path.read_text("utf-8")), "utf-8")
    with pytest.raises(AssayError, match=said):
        Campaign.read_export(tmp_path / "copy.db", tmp_path / "one")
    assert not list(tmp_path.glob("copy.db*"))


def test_what_is_not_a_campaign_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no such file"):
        Campaign.open(tmp_path / "nothing.db")
    (tmp_path / "text.db").write_text("not a database, but a text that is long enough")
    with pytest.raises(DataError, match=r"text\.db: not a campaign database"):
        Campaign.open(tmp_path / "text.db")
    with pytest.raises(UsageError, match="exists already"):
        Campaign.new(tmp_path / "text.db", "again")
    with pytest.raises(UsageError, match="ASSAY_DATABASE"):
        Database.open("postgresql://ann:secret@127.0.0.1/x")
    with pytest.raises(UsageError, match="not supported"):
        Database.open("mysql://127.0.0.1/x")


def test_a_campaign_that_cannot_be_made_leaves_no_database(tmp_path: Path) -> None:
    twice = [("d1", None, None, "text"), ("d1", None, None, "other")]
    with pytest.raises(DataError, match="document 'd1' occurs twice"):
        Campaign.new(tmp_path / "new.db", "pilot", documents=twice)
    assert list(tmp_path.glob("new.db*")) == []


def test_a_damaged_database_is_refused(tmp_path: Path) -> None:
    place = tmp_path / "small.db"
    small_campaign(str(place), tmp_path).close()
    place.write_bytes(place.read_bytes().replace(b"\n", b"\x85"))
    with pytest.raises(DataError, match="or a damaged one"):
        Campaign.open(place)
