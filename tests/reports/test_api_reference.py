"""The reference of the Python API: a page for each public name, with its parameters."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

import assay
from assay.reports import api_reference


def test_every_public_name_has_a_page(tmp_path: Path) -> None:
    written = {path.stem for path in api_reference.write(tmp_path)}
    assert written == {*assay.__all__, "index"} - {"__version__"}
    index = (tmp_path / "index.md").read_text(encoding="utf-8")
    assert all(f"({name}.md): " in index for name in written - {"index"})


@pytest.mark.parametrize("name", api_reference.public_names())
def test_a_page_has_the_parameters_and_the_docstring(name: str) -> None:
    thing = getattr(assay, name)
    page = api_reference.page(name)
    assert page.startswith(f"# assay.{name}\n")
    assert " at 0x" not in page, "the address of an object differs from run to run"
    assert (inspect.getdoc(thing) or "").split("\n")[0].replace("``", "`") in page
    if inspect.ismodule(thing):
        assert all(f"\n## {each}\n" in page for each in thing.__all__ if each.islower())
    elif not (inspect.isclass(thing) and issubclass(thing, Exception)):
        shown = page.split("```")[1]
        assert all(parameter in shown for parameter in inspect.signature(thing).parameters)


def short(a: int, b: str = "x", *, c: bool = False) -> float:
    raise NotImplementedError


def open_ended(*values: float, key: Callable[[float], float] = abs, **others: int) -> None:
    raise NotImplementedError


def long(first_of_many: list[str], second_of_many: list[str], the_third: dict[str, str], /) -> str:
    raise NotImplementedError


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        (short, "f(a: int, b: str = 'x', *, c: bool = False) -> float"),
        (
            open_ended,
            "f(*values: float, key: Callable[[float], float] = ..., **others: int) -> None",
        ),
        (
            long,
            "f(\n    first_of_many: list[str],\n    second_of_many: list[str],\n"
            "    the_third: dict[str, str],\n    /,\n) -> str",
        ),
    ],
)
def test_signatures(function: Callable[..., object], expected: str) -> None:
    assert api_reference.signature("f", function) == expected


def test_members_of_a_class() -> None:
    page = api_reference.page("Scores")
    assert "\n## summary\n\n```python\nsummary() -> pl.DataFrame\n```\n" in page
    assert "\n## systems\n\nThe systems" in page, "a property has no signature"
    assert "\n## load\n" in page, "class methods are included"


@pytest.mark.parametrize("name", api_reference.public_names())
def test_every_function_has_an_example_that_runs(name: str) -> None:
    """Decorators have none: they stand beside a formula."""
    thing = getattr(assay, name)
    text = (inspect.getdoc(thing) or "") + "\n" + api_reference.examples().get(name, "")
    if inspect.isclass(thing) or name in ("curve", "define"):
        return
    assert ">>> " in text
    assert text.rpartition(">>> ")[2].count("\n") >= 1, "the last line shows a result"
    example = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, name, None, 0)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(example)
    assert runner.summarize(verbose=False).failed == 0
