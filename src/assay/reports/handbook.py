"""The reference pages of the handbook, written from the catalogue."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from textwrap import indent

from assay.core.catalogue import catalogue
from assay.core.definition import Definition
from assay.core.names import declared_variants
from assay.core.output_files import write_text
from assay.core.output_folders import make_folder
from assay.core.parameters import format_value


def measure_page(definition: Definition) -> str:
    """The page of one measure, as Markdown."""
    low, high = definition.bounds
    unit = definition.unit or definition.view.unit_kind
    lines = [
        f"# {definition.name}",
        "",
        f"*{definition.label}*, a measure of {definition.task}.",
        "",
        in_markdown(definition.documentation),
        "",
        "| | |",
        "|---|---|",
        f"| better | {definition.better} |",
        f"| bounds | {format_value(float(low))} to {_limit(high)} |",
        f"| summed up by | {definition.aggregate}, over each {unit} |",
        f"| computed from | {definition.view.__name__} |",
        f"| write for example | `{definition.example}` |",
    ]
    if definition.aliases:
        names = [alias.replace("[", "(").replace("]", ")") for alias in definition.aliases]
        lines.append(f"| also called | {', '.join(f'`{name}`' for name in names)} |")
    reasons = [each for each in (definition.undefined.truth, definition.undefined.answer) if each]
    if reasons:
        lines.append(f"| undefined when | {'; '.join(reasons)} |")
    lines += [f"| variant | `{each.name}` |" for each in declared_variants(definition)[1:]]
    lines += _parameters(definition)
    lines += [f"- not so: {each.law}. {each.why}" for each in definition.exempt]
    if definition.tracer:
        lines += ["", "It can show its work: see `assay explain`."]
    return "\n".join(lines) + "\n"


def in_markdown(documentation: str) -> str:
    """Return a docstring as Markdown: examples as code blocks, code in single backticks."""
    paragraphs = documentation.split("\n\n")
    return "\n\n".join(
        indent(each, "    ") if each.startswith(">>> ") else each.replace("``", "`")
        for each in paragraphs
    )


def _parameters(definition: Definition) -> list[str]:
    if not definition.parameters:
        return []
    rows = ["", "| parameter | is | by default |", "|---|---|---|"]
    for each in definition.parameters:
        default = "–" if each.default is None else format_value(each.default)
        default = "needed" if each.required else default
        rows.append(f"| {each.name} | {each.kind.expects} | {default} |")
    return rows


def _limit(bound: float) -> str:
    return "∞" if bound == float("inf") else format_value(float(bound))


def write_reference(folder: Path) -> list[Path]:
    """All pages and their index, into a folder."""
    index, pages, task = ["# Measures", ""], {}, ""
    for definition in catalogue().values():
        if definition.task != task:
            task = definition.task
            index += ["", f"## {task}", ""]
        pages[definition.key] = measure_page(definition)
        index.append(f"- [{definition.name}]({definition.key}.md): {definition.summary}")
    return write_pages(folder, pages, index)


def write_pages(folder: Path, pages: Mapping[str, str], index: Sequence[str]) -> list[Path]:
    """Write pages by name and the lines of their index into a folder, and return the paths."""
    make_folder(folder)
    texts = {**pages, "index": "\n".join(index) + "\n"}
    for name, text in texts.items():
        write_text(folder / f"{name}.md", text)
    return [folder / f"{name}.md" for name in texts]


if __name__ == "__main__":
    write_reference(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/reference"))
