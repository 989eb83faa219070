"""The options of trec_eval."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Version: TypeAlias = Literal[9, 10]


@dataclass(frozen=True)
class Options:
    """What is evaluated, and how; each option with the letter by which trec_eval knows it."""

    measures: tuple[str, ...] = ()
    """-m"""
    complete: bool = False
    """-c"""
    level: int = 1
    """-l"""
    depth: int | None = None
    """-M"""
    judged_only: bool = False
    """-J"""
    corpus: int = 0
    """-N"""
    topic: str | None = None
    """-D level.topic"""
    judged: str = "qrels"
    """-R"""
    references: str | None = None
    """-Z"""
    version: Version = 10
