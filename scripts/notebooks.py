"""Execute the notebooks of the documentation, and write each as a page with its outputs.

    scripts/notebooks.py docs/notebooks docs/reference/notebooks

Each notebook runs in a namespace of its own, cell by cell; what its last expression shows in a
notebook (HTML, SVG or text) follows the cell.
"""

from __future__ import annotations

import ast
import json
import sys
from pathlib import Path
from typing import Any


def run_notebook(path: Path) -> str:
    """Return the notebook as Markdown, with the outputs of its cells."""
    namespace: dict[str, Any] = {"__name__": "__notebook__"}
    parts = []
    for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"], 1):
        text = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            parts.append(text)
            continue
        parts.append(f"```python\n{text}\n```")
        shown = run_cell(text, namespace, f"{path.name}, cell {number}")
        if shown is not None:
            parts.append(render_output(shown))
    return "\n\n".join(parts) + "\n"


def run_cell(text: str, namespace: dict[str, Any], name: str) -> Any:
    """Execute a cell, and return the value of its last expression; None if it has none."""
    tree = ast.parse(text, name)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, name, "exec"), namespace)
    return (
        None if last is None else eval(compile(ast.Expression(last.value), name, "eval"), namespace)
    )


def render_output(value: Any) -> str:
    """Return what a notebook would show."""
    for method in ("_repr_html_", "_repr_svg_"):
        if hasattr(value, method):
            lines = str(getattr(value, method)()).splitlines()
            return "<div>" + "".join(line.strip() for line in lines) + "</div>"
    return f"```text\n{value!r}\n```"


def main(folder: str, out: str) -> None:
    """Execute all notebooks of a folder, and write their pages."""
    target = Path(out)
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(Path(folder).glob("*.ipynb")):
        (target / f"{path.stem}.md").write_text(run_notebook(path), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
