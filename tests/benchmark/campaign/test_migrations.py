"""A database of the first revision, with data, becomes one of the newest, on both databases."""

from __future__ import annotations

from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from tests.benchmark.campaign.small import judge_everything, small_campaign

from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.store.database import Database, _connect
from assay.benchmark.store.migrations.upgrade import upgrade
from assay.benchmark.store.schema import metadata
from assay.core.errors import DataError


def _first_revision(place: str) -> Database:
    if "://" not in place:
        Path(place).touch()
    database = Database(*_connect(place))
    with database.write() as connection:
        upgrade(connection, place, create=True, to="0001")
    return database


def test_the_revisions_give_the_tables_of_the_schema(place: str) -> None:
    with Database.create(place) as database, database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []


def test_a_database_of_the_first_revision_keeps_its_data(place: str, tmp_path: Path) -> None:
    filled = small_campaign(str(tmp_path / "filled.db"), tmp_path)
    filled.assign()
    judge_everything(str(tmp_path / "filled.db"), "ann")
    old = _first_revision(place)
    with old.write() as new, filled.session.database.read() as source:
        # In the first revision, assignments had foreign keys: they are added after the others.
        for table in sorted(metadata.sorted_tables, key=lambda each: each.name == "assignment"):
            if table.name == "event":
                continue
            for row in source.execute(table.select()).mappings():
                values = {name: row[name] for name in row if name != "priority"}
                new.execute(table.insert().values(values).inline())
    old.close()
    campaign = Campaign.open(place)
    assert [run.priority for run in campaign.runs()] == [1, 1]
    assert campaign.status()["by_assessor"].filter(assessor="ann")["left"].to_list() == [0]
    campaign.phase("adjudication")


def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    place = str(tmp_path / "campaign.db")
    with Database.create(place) as database, database.write() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DataError, match="newer version of Assay"):
        Database.open(place)
