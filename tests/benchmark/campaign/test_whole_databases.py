"""A new database is complete or absent: with a limit on its size, and after ``kill -9``."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from tests.benchmark.campaign.small import small_campaign
from tests.conftest import ROOT

from assay.benchmark.campaign.campaign import Campaign
from assay.benchmark.store import transfer
from assay.core.output_files import TEMPORARY_NAME

BACKUPS = """
import itertools, sys
from assay.benchmark.campaign.campaign import Campaign
campaign = Campaign.open("campaign.db")
print("begun", flush=True)
for number in itertools.count():
    campaign.backup(f"{sys.argv[1]}-{number}.db")
"""


def _rows(place: Path) -> list[int]:
    with Campaign.open(place).session.database.read() as connection:
        tables = transfer.table_names(with_sign_in=True)
        return [len(list(transfer.table_rows(connection, table))) for table in tables]


@pytest.mark.parametrize("limit", [20_000, 60_000])
@pytest.mark.parametrize(
    "words",
    [
        ["new", "new.db", "--name", "new", "--topics", "topics.tsv"],
        ["backup", "campaign.db", "new.db"],
        ["restore", "campaign.db", "new.db"],
        ["import", "new.db", "exported"],
    ],
    ids=lambda words: words[0],
)
def test_a_database_that_may_not_grow_is_not_left(
    tmp_path: Path, words: list[str], limit: int
) -> None:
    small_campaign(str(tmp_path / "campaign.db"), tmp_path).close()
    Campaign.open(tmp_path / "campaign.db").export(tmp_path / "exported")
    (tmp_path / "topics.tsv").write_text("".join(f"{n}\t{'word ' * 50}\n" for n in range(2000)))
    before = {path.name for path in tmp_path.iterdir()}
    script = (
        f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({limit},) * 2);"
        f"from assay.cli import main; main({['campaign', *words]!r})"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", script],
        cwd=tmp_path,
        env={"PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("assay: new.db: "), done.stderr
    assert "limit on the size of files" in done.stderr
    own = {f"campaign.db{ending}" for ending in ("-wal", "-shm", "-line")}
    assert {path.name for path in tmp_path.iterdir()} - own == before - own


@pytest.mark.slow
def test_a_killed_backup_is_complete_or_absent(tmp_path: Path) -> None:
    small_campaign(str(tmp_path / "campaign.db"), tmp_path).close()
    expected, draw, found = _rows(tmp_path / "campaign.db"), random.Random(1), 0
    for number in range(12):
        with subprocess.Popen(
            [sys.executable, "-c", BACKUPS, str(number)],
            cwd=tmp_path,
            env={"PYTHONPATH": str(ROOT / "src")},
            stdout=subprocess.PIPE,
        ) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == b"begun\n"
            time.sleep(draw.uniform(0, 2))
            while number == 11 and not found and not any(tmp_path.glob("11-*.db")):
                time.sleep(0.05)  # on a slow machine, too, at least one backup is seen
            process.kill()
        for path in tmp_path.glob(f"{number}-*.db"):
            assert _rows(path) == expected
            found += 1
    assert found, "no backup was made"
    unfinished = [path for path in tmp_path.iterdir() if TEMPORARY_NAME.fullmatch(path.name)]
    assert len(unfinished) <= 1
    Campaign.open(tmp_path / "campaign.db").backup(tmp_path / "last.db")
    assert not [path for path in tmp_path.iterdir() if TEMPORARY_NAME.fullmatch(path.name)]
