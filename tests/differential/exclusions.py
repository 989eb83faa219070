"""The cases that differential tests leave out, each by a rule named as in the handbook's list."""

from __future__ import annotations

from collections import Counter

from tests.differential.differences import DIFFERENCES


class Exclusions:
    """Which rules apply to a tool, and how often each was used."""

    def __init__(self, *keys: str) -> None:
        self._used = Counter(dict.fromkeys(keys, 0))

    def applies(self, key: str, condition: bool) -> bool:
        """Return the condition, and count where the rule leaves a value out."""
        if key not in self._used:
            raise KeyError(f"no rule is called {key}")
        self._used[key] += condition
        return condition

    def unused(self) -> list[str]:
        """Return rules that left nothing out, and so are not needed."""
        return [key for key, count in self._used.items() if not count]


def rules_of(tool: str) -> Exclusions:
    """Return the rules of a tool: the rows of the handbook that nothing reproduces."""
    return Exclusions(*(each.key for each in DIFFERENCES[tool] if each.excluded))
