"""Print the lowest version that pyproject.toml allows of each dependency, as pip constraints."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent / "pyproject.toml"


def lowest_versions(text: str) -> list[str]:
    """Return ``name==version`` for each requirement of the form ``name>=version,<limit``."""
    project = tomllib.loads(text)["project"]
    groups = [project["dependencies"], *project["optional-dependencies"].values()]
    bounds = (re.match(r"([\w-]+)>=([\d.]+)", each) for group in groups for each in group)
    return sorted({f"{found[1]}=={found[2]}" for found in bounds if found})


if __name__ == "__main__":
    print(*lowest_versions(PROJECT.read_text(encoding="utf-8")), sep="\n")
