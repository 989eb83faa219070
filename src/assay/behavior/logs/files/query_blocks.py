"""Result lists separated by semicolons: ``query<TAB>a,b,c : b , c;``, clicks after the colon."""

from __future__ import annotations

import re
from collections.abc import Iterator

from assay.behavior.logs.list_records import ListRecord, RecordFormat
from assay.behavior.logs.log_findings import NO_IDS, Findings
from assay.core.errors import FormatError
from assay.formats.input_files import BYTE_ORDER_MARK, Input

BLOCK = re.compile(r"\s*(?P<query>[^\t;]+)\t(?P<docs>[^:;]*):(?P<clicks>[^;]*)")


class QueryBlocks(RecordFormat):
    """Lists of one query after another, in the order of the clicks."""

    name = "blocks"
    about = "lists separated by semicolons: query, a tab, documents by commas, a colon, clicks"

    def matches(self, file: Input) -> bool:
        """Return whether the first block has a query, documents and a colon."""
        start = file.start[:20_000].split(b";")[0].decode(errors="replace")
        return b";" in file.start and BLOCK.fullmatch(start) is not None

    def records(self, file: Input, findings: Findings) -> Iterator[ListRecord]:
        """Yield the lists of a file."""
        return _records(file, findings)

    def place(self, file: Input, number: int) -> str:
        """Return where a record is."""
        return f"{file.name}, list {number}"


def _records(file: Input, findings: Findings) -> Iterator[ListRecord]:
    for number, block in enumerate(_blocks(file), 1):
        if not block.strip():
            continue
        found = BLOCK.fullmatch(block)
        place = f"{file.name}, list {number}"
        if found is None:
            message = f"expected 'query<TAB>documents : clicks', found '{block.strip()[:60]}'"
            raise FormatError(message, place)
        docs = [doc.strip() for doc in found["docs"].split(",") if doc.strip()]
        if not docs:
            findings.add(NO_IDS, place, f"query {found['query']}")
            continue
        record = ListRecord(f"list {number}", found["query"].strip(), docs, number)
        clicked = [doc.strip() for doc in found["clicks"].split(",") if doc.strip()]
        record.add_clicks(clicked, place, findings)
        yield record


def _blocks(file: Input) -> Iterator[str]:
    """Yield what is between semicolons; the file is read in pieces of complete lines."""
    rest = ""
    for number, piece in enumerate(file.pieces()):
        content = piece.removeprefix(BYTE_ORDER_MARK) if number == 0 else piece
        *complete, rest = (rest + content.decode(errors="replace")).split(";")
        yield from complete
    yield rest


FORMAT = QueryBlocks()
