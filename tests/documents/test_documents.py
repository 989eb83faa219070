"""Documents cannot lie: what they show is run, and what exists is described."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import click
import pytest
from tests.conftest import ROOT

from assay.cli.application import application
from assay.core.catalogue import catalogue
from assay.core.conventions import Conventions
from assay.core.profiles import PROFILES
from assay.reports import handbook

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _commands() -> list[str]:
    return application.list_commands(click.Context(application))


@pytest.mark.parametrize("name", _commands())
def test_every_command_is_described_and_shows_an_example(name: str) -> None:
    written = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert f"assay {name}" in written, f"describe 'assay {name}' in README.md or in docs/"
    command = application.get_command(click.Context(application), name)
    assert command is not None
    assert f"assay {name}" in (command.epilog or ""), "its help needs an example"
    assert command.help


@pytest.mark.parametrize("part", ["Decision", "Why"])
def test_every_record_says_what_was_decided_and_why(part: str) -> None:
    records = sorted((ROOT / "docs" / "decisions").glob("[0-9]*.md"))
    told = re.compile(rf"^(## {part}$|\*\*{part}\b)", re.MULTILINE)
    assert records
    assert [each.name for each in records if not told.search(each.read_text("utf-8"))] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text(encoding="utf-8")):
        if not target.removeprefix("../").startswith("reference/"):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def _shown_commands() -> list[str]:
    shown = []
    for page in PAGES:
        for line in page.read_text(encoding="utf-8").splitlines():
            found = re.match(r"(?:\$ )?assay (\w+)", line.strip())
            if found:
                shown.append(found[1])
    return sorted(set(shown))


@pytest.mark.parametrize("name", _shown_commands())
def test_shown_commands_exist(name: str) -> None:
    assert name in _commands()


def test_the_handbook_has_a_page_for_every_measure(tmp_path: Path) -> None:
    handbook.write_reference(tmp_path)
    for definition in catalogue().values():
        page = (tmp_path / f"{definition.key}.md").read_text(encoding="utf-8")
        plain = " ".join(page.replace("`", "").split())
        assert definition.summary.replace("`", "").split(";")[0].split(".")[0] in plain
        assert ">>>" in page
    assert len(list(tmp_path.glob("*.md"))) == len(catalogue()) + 1


def test_the_recipe_for_a_measure_works(tmp_path: Path) -> None:
    """The measure printed in CONTRIBUTING.md is a measure."""
    from assay.core.catalogue import Catalogue
    from assay.testing import rankings

    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert code is not None
    namespace: dict[str, object] = {"__name__": "recipe"}
    exec(re.sub(r"^ {3}", "", code[1], flags=re.MULTILINE), namespace)
    assert namespace["hit"](rankings("-+", "--"), cutoff=2).tolist() == [1, 0]
    assert callable(Catalogue)


def test_every_picture_is_made_by_the_script() -> None:
    script = runpy.run_path(str(ROOT / "scripts" / "pictures.py"))
    learning = runpy.run_path(str(ROOT / "scripts" / "learning_pictures.py"))["LEARNING"]
    made = {*script["PLOTS"], *script["COMMANDS"], *script["PAGES"], *learning}
    assert made == {each.stem for each in script["PICTURES"].glob("*")}


def test_the_table_of_policies_has_every_choice() -> None:
    """The default first, as the page says."""
    page = (ROOT / "docs" / "howto" / "files.md").read_text(encoding="utf-8")
    hints = get_type_hints(Conventions)
    for name, hint in hints.items():
        if get_origin(hint) is Literal:
            row = re.search(rf"^\| `{name}` \| (.*) \|$", page, re.MULTILINE)
            assert row is not None, name
            listed = re.sub(r" \([^)]*\)", "", row[1]).split(", ")
            assert listed[0] == getattr(Conventions(), name)
            assert sorted(listed) == sorted(get_args(hint))
    for name in PROFILES:
        assert name == "assay" or f"{name}`" in page
