"""Judgments of INEX: components of documents, how exhaustive and how specific each is.

As XML (``<assessments topic="1"><file file="a1"><path path="/article[1]" E="3" S="3"/>``), or as
lines of topic, document, path, exhaustivity, specificity. In 2002 the second dimension was a
letter: exact coverage (E), too large (L), too small (S), none (N).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import polars as pl

from assay.benchmark.collections.layout import JudgmentLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.xml_tree import Element, read_xml
from assay.core.errors import FormatError, UsageError
from assay.core.tables import Judgments, Source
from assay.formats.containers import to_frame

COVERAGE = {"E": "3", "L": "2", "S": "1", "N": "0"}
"""The coverage of 2002 as specificity."""
Quantization: TypeAlias = Mapping[tuple[int, int], float]
"""The value of each pair of exhaustivity and specificity; of any other it is 0."""
STRICT: Quantization = {(3, 3): 1.0}
GENERALIZED_2002: Quantization = {
    **{(3, 3): 1.0, (2, 3): 0.75, (3, 2): 0.75},
    **{(1, 3): 0.5, (2, 2): 0.5, (2, 1): 0.5, (1, 2): 0.25, (1, 1): 0.25},
}
"""The table of 2002, whose second dimension was a letter (decision 0804)."""
QUANTIZATIONS = ("strict", "generalized")
_LINE = re.compile(r"\S+\s+\S+\s+/\S+\s+[0-3]\s+[0-3ELSN]\s*$")
_XML = re.compile(r"<assessments?\b", re.IGNORECASE)


class InexJudgments(JudgmentLayout):
    """Components with exhaustivity and specificity, by strict quantization."""

    name = "inex"
    about = "topic, document, path, exhaustivity, specificity; or <assessments topic=…>"

    def matches(self, file: TextFile) -> bool:
        """Return whether the first line is of a component, or assessments begin."""
        return bool(_LINE.match(file.first_line) or _XML.search(file.start[:2000]))

    def read(self, file: TextFile) -> Judgments:
        """Return grade 1 for components that are fully exhaustive and specific, else 0."""
        return quantize(read_components(file), "strict", file.name)


def read_components(file: TextFile) -> pl.DataFrame:
    """Return a row for each component: query, doc, path, exhaustivity, specificity, coverage.

    ``coverage`` is the letter of 2002; later years have none.
    """
    rows = list(_xml_rows(file) if file.first_line.startswith("<") else _line_rows(file))
    if not rows:
        raise file.error("there is no assessment in this file")
    schema = {
        **dict.fromkeys(("query", "doc", "path"), pl.String),
        **dict.fromkeys(("exhaustivity", "specificity"), pl.Int64),
        "coverage": pl.String,
    }
    return pl.DataFrame(rows, schema=schema, orient="row")


def quantize(components: pl.DataFrame, quantization: Any, source: str) -> Judgments:
    """Return judgments of components, whose id is the document and the path within it.

    Strict: 1 for exhaustivity 3 and specificity 3, else 0. Generalized: partial credit by the
    table of 2002, for judgments of that year. A table of one's own (a file, a
    data frame, or a mapping of pairs to values) is used as it is.
    """
    table = _table(components, quantization, source)
    pairs = zip(components["exhaustivity"], components["specificity"], strict=True)
    grades = [float(table.get(pair, 0.0)) for pair in pairs]
    frame = components.select("query", doc=pl.col("doc") + pl.col("path"))
    twice = frame.filter(pl.struct("query", "doc").is_duplicated())
    if twice.height:
        raise UsageError(f"{source}: the component {twice['doc'][0]} is judged twice")
    return Judgments.of(frame.with_columns(grade=pl.Series(grades)), Source(source))


def _table(components: pl.DataFrame, quantization: Any, source: str) -> Quantization:
    """Return the values of pairs; refuse a year whose table no source confirms."""
    if isinstance(quantization, Mapping):
        return quantization
    if quantization == "strict":
        return STRICT
    if quantization != "generalized":
        return _read_table(quantization)
    if components["coverage"].null_count():
        raise UsageError(
            f"{source}: generalized quantization is known for 2002 only, where the second number is"
            " a letter (E, L, S, N); no source that could be read prints the table of later years"
            " (decision 0804). Give a table: a CSV file with the columns exhaustivity, specificity"
            " and value"
        )
    small = components.filter((pl.col("exhaustivity") == 3) & (pl.col("coverage") == "S"))
    if small.height:
        raise UsageError(
            f"{source}: {small['doc'][0]}{small['path'][0]} is 3S (highly relevant, but too small),"
            " which the table of 2002 does not have; give a table of your own"
        )
    return GENERALIZED_2002


def _read_table(data: Any) -> Quantization:
    if isinstance(data, str) and not Path(data).exists():
        raise UsageError(
            f"'{data}' is neither a quantization ({', '.join(QUANTIZATIONS)}) nor a file with a"
            " table of exhaustivity, specificity and value"
        )
    frame, source = to_frame(data, "quantization")
    names = ["exhaustivity", "specificity", "value"]
    if any(name not in frame.columns for name in names):
        raise FormatError(f"the columns {', '.join(names)} are expected", source.name, 1)
    table: dict[tuple[int, int], float] = {}
    for line, row in enumerate(frame.select(names).rows(), 2):
        try:
            pair, value = (int(row[0]), int(row[1])), float(row[2])
        except (TypeError, ValueError):
            raise FormatError(
                f"three numbers are expected, found {row}", source.name, line
            ) from None
        if pair in table or not 0 <= value <= 1 or not all(0 <= each <= 3 for each in pair):
            raise FormatError(
                "a pair from 0 to 3 occurs once, with a value from 0 to 1", source.name, line
            )
        table[pair] = value
    return table


_Row: TypeAlias = tuple[str, str, str, int, int, str | None]


def _line_rows(file: TextFile) -> Iterator[_Row]:
    for number, line in file.lines():
        if not line.strip():
            continue
        if not _LINE.match(line):
            raise file.error(
                "topic, document, path, exhaustivity and specificity (0 to 3) are expected",
                number,
            )
        query, doc, path, exhaustive, specific = line.split()
        letter = specific if specific in COVERAGE else None
        yield query, doc, path, int(exhaustive), int(COVERAGE.get(specific, specific)), letter


def _xml_rows(file: TextFile) -> Iterator[_Row]:
    root = read_xml(file)
    whole = [root] if root.name.lower().startswith("assessment") else root.all("assessments")
    for group in whole:
        query = group.attribute("topic", "topic_id", "id")
        if not query:
            raise file.error("these assessments have no topic", group.line)
        for document in group.all("file", "document"):
            name = document.attribute("file", "name", "id")
            if not name:
                raise file.error("this file has no name", document.line)
            for path in document.all("path", "element", "component"):
                yield query, name, *_component(path, file)


def _component(path: Element, file: TextFile) -> tuple[str, int, int, str | None]:
    place = path.attribute("path") or path.text.strip()
    exhaustive = path.attribute("exhaustivity", "exhaustiveness", "e", "rel", "relevance")
    specific = path.attribute("specificity", "s", "coverage", "cov")
    digits = [COVERAGE.get(each or "", each or "") for each in (exhaustive, specific)]
    if not place or not all(re.fullmatch("[0-3]", each) for each in digits):
        raise file.error(
            "a component has a path, an exhaustivity and a specificity from 0 to 3; found are"
            f" '{place}', '{exhaustive or ''}' and '{specific or ''}'",
            path.line,
        )
    return place, int(digits[0]), int(digits[1]), specific if specific in COVERAGE else None


JUDGMENTS = InexJudgments()
