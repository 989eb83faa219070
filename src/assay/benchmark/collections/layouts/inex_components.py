"""Judgments of INEX: components of documents, how exhaustive and how specific each is.

As XML (``<assessments topic="1"><file file="a1"><path path="/article[1]" E="3" S="3"/>``), or as
lines of topic, document, path, exhaustivity, specificity. In 2002 the second dimension was a
letter: exact coverage (E), too large (L), too small (S), none (N).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import polars as pl

from assay.benchmark.collections.layout import JudgmentLayout
from assay.benchmark.collections.text_files import TextFile
from assay.benchmark.collections.xml_tree import Element, read_xml
from assay.core.errors import UsageError, unknown_name
from assay.core.tables import Judgments, Source

COVERAGE = {"E": "3", "L": "2", "S": "1", "N": "0"}
"""The coverage of 2002 as specificity."""
GENERALIZED = {
    **{(3, 3): 1.0, (2, 3): 0.75, (3, 2): 0.75, (3, 1): 0.75},
    **{(1, 3): 0.5, (2, 2): 0.5, (2, 1): 0.5, (1, 2): 0.25, (1, 1): 0.25},
}
"""The value of each pair of exhaustivity and specificity; of any other it is 0 (decision 0804)."""
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
    """Return a row for each component: query, doc, path, exhaustivity, specificity."""
    rows = list(_xml_rows(file) if file.first_line.startswith("<") else _line_rows(file))
    names = ["query", "doc", "path", "exhaustivity", "specificity"]
    if not rows:
        raise file.error("there is no assessment in this file")
    return pl.DataFrame(rows, schema=names, orient="row")


def quantize(components: pl.DataFrame, quantization: str, source: str) -> Judgments:
    """Return judgments of components, whose id is the document and the path within it.

    Strict: 1 for exhaustivity 3 and specificity 3, else 0. Generalized: partial credit, up to 1.
    """
    if quantization not in QUANTIZATIONS:
        raise unknown_name("quantization", quantization, QUANTIZATIONS)
    pairs = zip(components["exhaustivity"], components["specificity"], strict=True)
    if quantization == "strict":
        grades = [float(pair == (3, 3)) for pair in pairs]
    else:
        grades = [GENERALIZED.get(pair, 0.0) for pair in pairs]
    frame = components.select("query", doc=pl.col("doc") + pl.col("path"))
    twice = frame.filter(pl.struct("query", "doc").is_duplicated())
    if twice.height:
        raise UsageError(f"{source}: the component {twice['doc'][0]} is judged twice")
    return Judgments.of(frame.with_columns(grade=pl.Series(grades)), Source(source))


def _line_rows(file: TextFile) -> Iterator[tuple[str, str, str, int, int]]:
    for number, line in file.lines():
        if not line.strip():
            continue
        if not _LINE.match(line):
            raise file.error(
                "topic, document, path, exhaustivity and specificity (0 to 3) are expected",
                number,
            )
        query, doc, path, exhaustive, specific = line.split()
        yield query, doc, path, int(exhaustive), int(COVERAGE.get(specific, specific))


def _xml_rows(file: TextFile) -> Iterator[tuple[str, str, str, int, int]]:
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


def _component(path: Element, file: TextFile) -> tuple[str, int, int]:
    place = path.attribute("path") or path.text.strip()
    exhaustive = path.attribute("exhaustivity", "exhaustiveness", "e", "rel", "relevance")
    specific = path.attribute("specificity", "s", "coverage", "cov")
    digits = [COVERAGE.get(each or "", each or "") for each in (exhaustive, specific)]
    if not place or not all(re.fullmatch("[0-3]", each) for each in digits):
        raise file.error(
            "a component has a path, an exhaustivity and a specificity from 0 to 3", path.line
        )
    return place, int(digits[0]), int(digits[1])


JUDGMENTS = InexJudgments()
