"""The catalogue: what a declaration gives, and what is refused."""

from __future__ import annotations

import doctest
import importlib
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.conftest import ROOT

from assay import testing
from assay.core.arrays import Floats
from assay.core.catalogue import Catalogue, catalogue
from assay.core.definition import Definition, define
from assay.core.names import measure
from assay.evidence.views.rankings import Rankings

ALL = [pytest.param(each, id=each.key) for each in catalogue().values()]


@pytest.mark.parametrize("definition", ALL)
def test_each_measure_explains_itself_by_an_example_that_runs(definition: Definition) -> None:
    names = {k: v for k, v in vars(testing).items() if not k.startswith("_")}
    names["measure"] = lambda text, task=definition.task: measure(text, task)
    parsed = doctest.DocTestParser().get_doctest(
        definition.documentation, names, definition.key, None, 0
    )
    assert parsed.examples, f"{definition.key} has no example in its explanation"
    report: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(parsed, out=report.append)
    assert runner.summarize(verbose=False).failed == 0, "".join(report)


@pytest.mark.parametrize("definition", ALL)
def test_each_declaration_is_whole(definition: Definition) -> None:
    assert definition.summary.endswith((".", ";", ":")) or definition.summary
    assert definition.bounds[0] < definition.bounds[1]
    assert definition.better in ("higher", "lower", "neither")
    assert measure(definition.example, definition.task).definition is definition
    written = definition.key if not _needs(definition) else definition.example
    assert measure(written, definition.task).definition is definition


def _needs(definition: Definition) -> bool:
    return any(parameter.required for parameter in definition.parameters)


MEASURE = '''
"""Whether the last document is relevant."""

from __future__ import annotations

import numpy as np

from assay.core.arrays import Floats
from assay.core.definition import define
from assay.core.facts import WEIGHTED_SUM
from assay.core.parameters import Grade
from assay.evidence.views.rankings import Rankings


@define(
    "LastOne",
    better="higher",
    bounds=(0, 1),
    aliases=["last_one"],
    exempt=[],
    facts=WEIGHTED_SUM.but(ignores_pool=True),
)
def last_one(rankings: Rankings, rel: Grade = 1) -> Floats:
    """How many relevant documents there are, as a share of 100.

    >>> measure("LastOne")(rankings("-+"))
    array([0.01])
    """
    return np.minimum(rankings.relevant(rel).count / 100, 1)
'''


def test_a_measure_in_one_file_appears_everywhere(tmp_path: Path) -> None:
    """A copy of the package with one more file: catalogue, -m, handbook and laws know it."""
    shutil.copytree(ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "src/assay/measures/rankings/last_one.py").write_text(MEASURE)
    (tmp_path / "qrels").write_text("1 0 a 1\n")
    (tmp_path / "run").write_text("1 Q0 a 1 2.0 t\n")
    environment = os.environ | {"PYTHONPATH": f"{tmp_path / 'src'}{os.pathsep}{ROOT}"}

    def call(*arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", *arguments],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    assert "LastOne" in call("assay", "measures")
    assert "0.0100" in call("assay", "retrieval", "qrels", "run", "-m", "last_one")
    call("assay.reports.handbook", "pages")
    assert "How many relevant documents" in (tmp_path / "pages/retrieval.LastOne.md").read_text()
    laws = call(
        "pytest",
        str(ROOT / "tests/laws"),
        "-c",
        str(ROOT / "pyproject.toml"),
        "-p",
        "no:cacheprovider",
        "-k",
        "LastOne",
        "--rootdir",
        str(ROOT),
        "-vv",
    )
    assert "LastOne-promotion" in laws
    assert "LastOne-parts" in laws


def test_measures_of_other_distributions_are_found_by_their_entry_point(tmp_path: Path) -> None:
    (tmp_path / "stranger.py").write_text(MEASURE)
    info = tmp_path / "stranger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[assay.measures]\nlast = stranger:last_one\n")
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{tmp_path}"}
    done = subprocess.run(
        [sys.executable, "-m", "assay", "measures", "LastOne"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "How many relevant documents" in done.stdout, done.stderr


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("import no_such_library\n", "ModuleNotFoundError: No module named 'no_such_library'"),
        ("raise RuntimeError('out of order')\n", "RuntimeError: out of order"),
        ("last_one = 3\n", "it is not a function decorated with assay.define"),
    ],
)
def test_a_plugin_that_cannot_be_used_is_named_and_left_out(
    tmp_path: Path, source: str, why: str
) -> None:
    (tmp_path / "stranger.py").write_text(source)
    info = tmp_path / "stranger-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[assay.measures]\nlast = stranger:last_one\n")
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{tmp_path}"}
    done = subprocess.run(
        [sys.executable, "-m", "assay", "measures", "retrieval"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert "nDCG" in done.stdout
    assert "warning: the measure last of stranger (stranger:last_one) is left out: " in done.stderr
    assert why in done.stderr
    assert "Traceback" not in done.stderr


def test_a_name_can_be_declared_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.core.errors import AssayError

    package = tmp_path / "twice"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "one.py").write_text(MEASURE)
    (package / "two.py").write_text(MEASURE)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        AssayError, match=r"LastOne is declared twice: in twice\.one and in twice\.two"
    ):
        len(Catalogue("twice", group="no.such.group"))


CURVE = """
from assay.core.curves import curve

@curve("Bend")
def bend(view: object) -> dict[str, object]:
    return {}
"""


def test_a_curve_can_be_declared_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from assay.core.errors import AssayError

    package = tmp_path / "bends"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "one.py").write_text(CURVE)
    (package / "two.py").write_text(CURVE)
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(
        AssayError, match=r"Bend is declared twice: in bends\.one and in bends\.two"
    ):
        len(Catalogue("bends", group="no.such.group"))


def test_define_only_returns_an_object() -> None:
    before = len(catalogue())

    @define("Nothing", better="higher", bounds=(0, 1))
    def nothing(rankings: Rankings) -> Floats:
        """Nothing."""
        return np.empty(0)

    assert isinstance(nothing, Definition)
    assert len(catalogue()) == before


def test_what_is_declared_beside_a_formula_takes_its_settings() -> None:
    for definition in catalogue().values():
        declared = (
            *definition.tracer,
            *definition.closed_form,
            *definition.influences,
            *definition.over_ties,
            *definition.over_holes,
        )
        settings = len(inspect.signature(definition.function).parameters) > 1
        for function in declared:
            taken = inspect.signature(function).parameters.get("s")
            optional = taken is not None and taken.default is not taken.empty
            assert optional or (taken is not None) == settings, definition.key


OWN = [each for each in catalogue().values() if each.module.startswith("assay.measures.")]


def test_families_name_the_tasks_of_their_measures() -> None:
    tasks: dict[str, set[str]] = {}
    for each in OWN:
        tasks.setdefault(each.module.rpartition(".")[0], set()).add(each.task)
    for family, found in tasks.items():
        assert set(importlib.import_module(family).TASKS) == found
    assert catalogue().tasks == set().union(*tasks.values())


def test_standard_measures_are_found_without_reading_all_of_a_task() -> None:
    for task in catalogue().tasks:
        expected = [each for each in catalogue().of_task(task) if each.standard or each.replaces]
        assert Catalogue().standard(task) == expected
        assert expected


@pytest.mark.parametrize("definition", OWN, ids=lambda each: each.key)
def test_every_name_and_alias_is_found_in_the_source_of_its_module(definition: Definition) -> None:
    for text in (definition.name, *definition.aliases):
        head = text.partition("(")[0]
        for written in (f'"{head}"', f'"{head}('):
            if definition.key in catalogue().search(definition.task, written):
                break
        else:
            pytest.fail(f"{head} is not written out in {definition.module}")


def test_a_name_is_found_without_importing_other_families() -> None:
    code = (
        "import sys; from assay.core.names import measure; measure('nDCG@10', 'retrieval');"
        "print(*(name for name in sys.modules if name.startswith('assay.measures.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "assay.measures.graded.dcg" in done.stdout.split()
    families = {name.split(".")[2] for name in done.stdout.split()}
    assert families <= {"graded", "rankings", "trace_tables"}
