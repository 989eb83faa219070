"""Files for those who work on the project or cite it agree with each other."""

from __future__ import annotations

import importlib.util
import re

from tests.conftest import ROOT

from assay.version import VERSION


def test_pre_commit_runs_the_checks_of_make_lint() -> None:
    recipe = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert recipe is not None
    checks = [line.strip().replace("$(BIN)", ".venv/bin") for line in recipe[1].splitlines()]
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE) == checks
    assert re.findall(r"repo: (.+)", hooks) == ["local"], "nothing is downloaded"


def test_the_citation_has_the_current_version() -> None:
    assert f"\nversion: {VERSION}\n" in (ROOT / "CITATION.cff").read_text()


def test_lowest_versions_are_read_from_the_bounds() -> None:
    place = importlib.util.spec_from_file_location("minimum", ROOT / "scripts/minimum.py")
    assert place is not None
    assert place.loader is not None
    minimum = importlib.util.module_from_spec(place)
    place.loader.exec_module(minimum)
    text = (
        '[project]\ndependencies = ["one>=1.2,<3"]\n[project.optional-dependencies]\n'
        'extra = ["two-b>=0.5.1,<1", "pinned==4", "self[extra]"]\n'
    )
    assert minimum.lowest_versions(text) == ["one==1.2", "two-b==0.5.1"]
