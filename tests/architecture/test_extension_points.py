"""A new measure, format, test or command is one source file; a new task is at most four.

Each test adds the files to a copy of the package, and uses them on the command line.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tests.conftest import ROOT

RANKING_MEASURE = {
    "measures/rankings/top_two.py": '''
"""Relevant documents at the first two ranks."""

from __future__ import annotations

from assay.core.arrays import Floats
from assay.core.definition import define
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Rankings


@define("TopTwo", aliases=["top_2"])
def top_two(rankings: Rankings, rel: Grade = 1) -> Floats:
    """The share of the first two ranks with a relevant document."""
    return rankings.relevant(rel, 2).count / 2
'''
}
CLASSIFICATION_MEASURE = {
    "measures/decisions/miss_count.py": '''
"""The number of incorrect decisions."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import define
from assay.evidence.views.confusion import Confusion


@define("Misses", aggregate="whole", better="lower", bounds=(0, math.inf))
def misses(confusion: Confusion) -> Floats:
    """The number of items whose predicted class is not the actual class."""
    return confusion.items - np.trace(confusion.matrix, axis1=1, axis2=2)
'''
}
FORMAT = {
    "formats/files/semicolons.py": '''
"""Semicolons between query, document and score or grade, below a line that names the columns."""

from __future__ import annotations

import io
from collections.abc import Iterator

import polars as pl

from assay.core.tables import Judgments, Run, Source
from assay.formats.format import Format
from assay.formats.input_files import Input
from assay.formats.table_columns import Kind


class Semicolons(Format):
    """A table with semicolons."""

    name = "semicolons"
    about = "semicolons between query, doc, and score or grade"
    endings = (".semi",)
    holds = ("score", "grade")

    def matches(self, file: Input, kind: Kind | None) -> bool:
        """Return whether the header has the names of the columns."""
        return file.start.startswith(b"query;doc;")

    def read_frame(self, file: Input) -> tuple[pl.DataFrame, Source]:
        """Return the columns and their source."""
        frame = pl.read_csv(io.BytesIO(file.content()), separator=";")
        return frame, Source(file.name, digest=file.digest)

    def write(self, table: Judgments | Run, rows: pl.DataFrame) -> Iterator[bytes]:
        """Yield the three columns."""
        number = "score" if isinstance(table, Run) else "grade"
        yield rows.select("query", "doc", number).write_csv(None, separator=";").encode()


FORMAT = Semicolons()
'''
}
SIGNIFICANCE_TEST = {
    "statistics/paired/all_signs.py": '''
"""The probability that all differences have one sign."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.statistics.intervals.interval_ends import Ends, nowhere
from assay.statistics.significance_tests import ComparisonSettings, OwnInterval
from assay.statistics.significance_tests import Significances, paired_test


def no_ends(differences: Floats, settings: ComparisonSettings, confidence: float) -> Ends:
    """Return no interval."""
    return nowhere(differences.shape[1])


@paired_test("all-signs", "the test of equal signs", interval=OwnInterval("none", no_ends))
def all_signs(differences: Floats, settings: ComparisonSettings) -> Significances:
    """Return 2 / 2^n where all n differences have one sign, else 1."""
    one_sign = (differences > 0).all(axis=0) | (differences < 0).all(axis=0)
    p = np.where(one_sign, 2.0 ** (1 - len(differences)), 1.0)
    return Significances(differences.mean(axis=0), p)
'''
}
COMMAND = {
    "cli/commands/lines.py": '''
"""``assay lines``."""

from __future__ import annotations

import click

from assay.cli.commands.retrieval import RUNS

GROUP = "inspect"


@click.command()
@RUNS
def command(evidence) -> None:
    """Show the names of the runs."""
    click.echo(" and ".join(evidence.systems))
'''
}
TASK = {
    "evidence/views/latencies.py": '''
"""Latencies: how long a system took for each query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from assay.evidence.views.view import QueryRecords


@dataclass(frozen=True)
class Latencies(QueryRecords[float]):
    """The seconds of each query."""

    task: ClassVar[str] = "latency"
''',
    "measures/latency.py": '''
"""Measures of latency."""

from __future__ import annotations

import math

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import define
from assay.evidence.views.latencies import Latencies

TASKS = ("latency",)


@define("Seconds", better="lower", bounds=(0, math.inf), standard=True)
def seconds(latencies: Latencies) -> Floats:
    """The seconds of each query."""
    return latencies.per_query(float)


@define("OnTime", standard=True)
def on_time(latencies: Latencies) -> Floats:
    """1 for a query that took at most a second, else 0."""
    return (seconds.function(latencies) <= 1).astype(np.float64)
''',
    "tasks/latency.py": '''
"""Latency: tables of queries and seconds to Scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.evidence.views.latencies import Latencies
from assay.evidence.views.view import bytewise
from assay.tasks.evidence import Evaluation
from assay.tasks.row_evidence import RowEvidence
from assay.tasks.table_evidence import SystemInput, read_systems


@dataclass(frozen=True)
class LatencyEvidence(RowEvidence[Latencies]):
    """The seconds that one or more systems took."""

    task = "latency"
    needs = {Latencies: "the seconds of each query"}

    @classmethod
    def read(cls, data: Any) -> LatencyEvidence:
        """Read one table or several."""
        systems = read_systems(data, {"seconds": "seconds"}, "the latencies", "system")
        return cls.read_each(systems, _read)

    def conventions(self, evaluation: Evaluation) -> dict[str, Any]:
        """Return nothing: there is nothing to choose."""
        return {}


def _read(system: SystemInput) -> Latencies:
    rows = system.table.frame.select("query", "seconds").iter_rows()
    values = {str(query): taken for query, taken in rows}
    queries = bytewise(values)
    return Latencies(queries, tuple(values[query] for query in queries))
''',
    "cli/commands/latency.py": '''
"""``assay latency``: tables of queries and seconds."""

from __future__ import annotations

import click

from assay.cli.task_inputs import TaskInputs

GROUP = "evaluate"


def read(files: tuple[str, ...]):
    """Read the files."""
    from assay.tasks.latency import LatencyEvidence

    return LatencyEvidence.read(list(files))


INPUTS = TaskInputs(
    "latency",
    [click.argument("files", metavar="FILE...", nargs=-1, required=True)],
    read,
    systems="files",
)
command = INPUTS.command("Evaluate how fast systems are.", "Example: assay latency seconds.csv")
''',
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the package with all of the files."""
    place = tmp_path_factory.mktemp("extended")
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "src/assay", place / "assay", ignore=ignored)
    parts = (RANKING_MEASURE, CLASSIFICATION_MEASURE, FORMAT, SIGNIFICANCE_TEST, COMMAND, TASK)
    for path, source in (item for part in parts for item in part.items()):
        assert not (place / "assay" / path).exists()
        (place / "assay" / path).write_text(source.lstrip())
    (place / "qrels.txt").write_text("1 0 a 1\n1 0 b 0\n2 0 a 1\n3 0 a 1\n4 0 a 1\n")
    _write_run(place / "good.run", "ab")
    _write_run(place / "poor.run", "ba")
    (place / "guesses.csv").write_text("truth,predicted\nyes,no\nyes,yes\nno,yes\nno,no\n")
    (place / "slow.csv").write_text("query,seconds\n1,2.5\n2,1.5\n3,0.5\n")
    (place / "fast.csv").write_text("query,seconds\n1,0.5\n2,0.25\n3,0.5\n")
    return place


def _write_run(path: Path, documents: str) -> None:
    lines = [
        f"{query} Q0 {document} {rank} {-rank} {path.stem}\n"
        for query in range(1, 5)
        for rank, document in enumerate((*documents, "c"), 1)
    ]
    path.write_text("".join(lines))


def _call(package: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "assay", *arguments],
        cwd=package,
        env={"PYTHONPATH": str(package), "COLUMNS": "120", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def _rows(table: str) -> list[list[str]]:
    return [line.split(",") for line in table.splitlines()]


def test_a_ranking_measure_is_one_file(package: Path) -> None:
    assert len(RANKING_MEASURE) == 1
    assert "share of the first two ranks" in _call(package, "measures", "TopTwo")
    out = _call(package, "retrieval", "qrels.txt", "good.run", "-m", "top_2", "--format", "csv")
    assert dict(zip(*_rows(out)[:2], strict=True))["value"] == "0.5"


def test_a_classification_measure_is_one_file(package: Path) -> None:
    assert len(CLASSIFICATION_MEASURE) == 1
    assert "Misses" in _call(package, "measures", "--task", "classification")
    options = ("--predicted", "predicted", "-m", "Misses", "--format", "csv")
    out = _call(package, "classification", "guesses.csv", *options)
    assert dict(zip(*_rows(out)[:2], strict=True))["value"] == "2.0"


def test_a_format_is_one_file(package: Path) -> None:
    assert len(FORMAT) == 1
    _call(package, "convert", "good.run", "good.semi")
    assert (package / "good.semi").read_text().startswith("query;doc;score\n1;a;-1.0\n")
    forms = ("--input-format", "semicolons", "--qrels-format", "trec")
    out = _call(
        package, "retrieval", "qrels.txt", "good.semi", *forms, "-m", "RR", "--format", "csv"
    )
    assert dict(zip(*_rows(out)[:2], strict=True))["value"] == "1.0"


def test_a_significance_test_is_one_file(package: Path) -> None:
    assert len(SIGNIFICANCE_TEST) == 1
    options = ("-m", "RR", "--test", "all-signs", "--format", "csv")
    out = _call(package, "compare", "retrieval", "qrels.txt", "good.run", "poor.run", *options)
    assert dict(zip(*_rows(out)[:2], strict=True))["p"] == "0.125"


def test_a_command_is_one_file(package: Path) -> None:
    assert len(COMMAND) == 1
    assert _call(package, "lines", "qrels.txt", "good.run", "poor.run") == "good and poor\n"
    assert "Show the names of the runs." in _call(package, "--help")


def test_a_task_is_four_files(package: Path) -> None:
    assert len(TASK) <= 4
    assert "Evaluate how fast systems are." in _call(package, "--help")
    out = _call(package, "latency", "slow.csv", "fast.csv", "--format", "csv")
    values = {
        (row["system"], row["measure"]): float(row["value"])
        for row in (dict(zip(_rows(out)[0], row, strict=True)) for row in _rows(out)[1:])
    }
    assert values["slow", "Seconds"] == 1.5
    assert values["fast", "OnTime"] == 1
    assert "Seconds" in _call(package, "measures", "--task", "latency")


def test_the_commands_over_tasks_take_a_new_task(package: Path) -> None:
    files = ("latency", "slow.csv", "fast.csv")
    out = _call(package, "compare", *files, "-m", "Seconds", "--format", "csv")
    row = dict(zip(*_rows(out)[:2], strict=True))
    assert abs(float(row["difference"])) == pytest.approx(13 / 12)
    _call(package, "report", *files, "-o", "page.html")
    page = (package / "page.html").read_text()
    assert "OnTime" in page
    assert "fast" in page
