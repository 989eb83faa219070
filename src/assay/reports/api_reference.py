"""The reference pages of the Python API, written from signatures and docstrings."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from typing import Any

import assay
from assay.reports.handbook import in_markdown, write_pages

WIDTH = 88
"""A longer signature has a line for each parameter."""


def public_names() -> list[str]:
    """Return the names that `assay` exports, functions and classes."""
    return sorted(name for name in assay.__all__ if not name.startswith("_"))


@cache
def examples() -> dict[str, str]:
    """Return the examples of functions whose docstrings have none, by name, as Markdown."""
    text = files("assay.reports").joinpath("api_examples.md").read_text(encoding="utf-8")
    parts = (part.partition("\n") for part in text.split("\n## ")[1:])
    return {name: example.strip() for name, _, example in parts}


def page(name: str) -> str:
    """Return the page of one public name, as Markdown."""
    thing = getattr(assay, name)
    if inspect.ismodule(thing):
        return _module_page(name, thing)
    lines = [f"# assay.{name}", "", *_signature_block(f"assay.{name}", thing)]
    lines += ["", in_markdown(inspect.getdoc(thing) or "")]
    if name in examples():
        lines += ["", examples()[name]]
    if inspect.isclass(thing):
        for method, member in _public_members(thing).items():
            lines += ["", f"## {method}", ""]
            if not isinstance(member, property):
                lines += [*_signature_block(method, getattr(thing, method)), ""]
            lines.append(in_markdown(inspect.getdoc(member) or ""))
    return "\n".join(lines) + "\n"


def _module_page(name: str, module: ModuleType) -> str:
    """Return the page of a group of functions, such as `assay.interleave`, with its functions."""
    lines = [f"# assay.{name}", "", in_markdown(inspect.getdoc(module) or "")]
    for member in module.__all__:
        function = getattr(module, member)
        if not inspect.isclass(function):
            lines += ["", f"## {member}", "", *_signature_block(f"assay.{name}.{member}", function)]
            lines += ["", in_markdown(inspect.getdoc(function) or "")]
    return "\n".join(lines) + "\n"


def signature(name: str, function: Callable[..., Any]) -> str:
    """Return a call as the source declares it, with types and defaults."""
    declared = inspect.signature(function)
    shown = _parameters(declared)
    untyped = declared.return_annotation is declared.empty or inspect.isclass(function)
    end = "" if untyped else f" -> {_type(declared.return_annotation)}"
    line = f"{name}({', '.join(shown)}){end}"
    if len(line) <= WIDTH:
        return line
    return "\n".join([f"{name}(", *(f"    {each}," for each in shown), f"){end}"])


def _parameters(declared: inspect.Signature) -> list[str]:
    shown: list[str] = []
    fixed = 0
    for each in declared.parameters.values():
        if each.name == "self":
            continue
        fixed += each.kind is each.POSITIONAL_ONLY
        if each.kind is each.KEYWORD_ONLY and not any(part.startswith("*") for part in shown):
            shown.append("*")
        stars = "*" * (each.kind is each.VAR_POSITIONAL) + "**" * (each.kind is each.VAR_KEYWORD)
        typed = "" if each.annotation is each.empty else f": {_type(each.annotation)}"
        default = "" if each.default is each.empty else f" = {_value(each.default)}"
        shown.append(f"{stars}{each.name}{typed}{default}")
    return [*shown[:fixed], *(["/"] if fixed else []), *shown[fixed:]]


def _type(annotation: object) -> str:
    return annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)


def _value(default: object) -> str:
    """Return a default as code, or dots for a function and other objects without such a form."""
    shown = repr(default)
    return "..." if shown.startswith("<") else shown


def _signature_block(name: str, thing: Any) -> list[str]:
    if inspect.isclass(thing) and issubclass(thing, BaseException):
        return []
    return ["```python", signature(name, thing), "```"]


def _public_members(thing: type) -> dict[str, object]:
    """Return the documented methods and properties of a class, those of its bases included."""
    members: dict[str, object] = {}
    for base in reversed(thing.__mro__):
        if base.__module__.split(".")[0] == "assay":
            members |= {
                name: member
                for name, member in vars(base).items()
                if not name.startswith("_")
                and (callable(member) or isinstance(member, property | classmethod))
                and inspect.getdoc(member)
            }
    return members


def write(folder: Path) -> list[Path]:
    """Write a page for each public name and their index into a folder."""
    index = ["# Python API", "", "Everything that `import assay` offers.", ""]
    for name in public_names():
        summary = (inspect.getdoc(getattr(assay, name)) or "").split("\n")[0]
        index.append(f"- [{name}]({name}.md): {summary.replace('``', '`')}")
    return write_pages(folder, {name: page(name) for name in public_names()}, index)


if __name__ == "__main__":
    write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference/python"))
