"""``assay judge``."""

from __future__ import annotations

from pathlib import Path

import click

from assay.cli.campaign.preparation import read_documents, read_text
from assay.cli.options import file_option, output_option

GROUP = "benchmarks"


@click.command(
    "judge",
    epilog="""\b
Example:
  assay judge pool.csv --documents docs.jsonl --topics topics.tsv -o qrels.txt
\b
POOL is a table with the columns query and doc, as assay pool make writes it. Everything is kept in
OUTPUT.db: stop with Ctrl-C and go on with the same command.
""",
)
@click.argument("pool", metavar="POOL")
@file_option("--documents", help="A collection, or a file of documents.")
@file_option("--topics", help="Topics, in any layout.")
@output_option("-o", "--output", required=True, help="File of judgments (qrels).")
@click.option("--grades", "scale", default="0=not relevant,1=relevant,2=highly relevant",
              show_default=True, help="Grades and their labels.")  # fmt: skip
@file_option("--guidelines", help="A text to show beside the documents.")
@click.option("--pictures", metavar="FOLDER", help="Folder with pictures of documents.")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port [default: free].")
@click.option("--no-browser", is_flag=True, help="Print the address instead of opening it.")
def command(
    pool: str,
    documents: str | None,
    topics: str | None,
    output: str,
    scale: str,
    guidelines: str | None,
    pictures: str | None,
    port: int,
    no_browser: bool,
) -> None:
    """Judge documents in the browser, alone, without accounts."""
    from assay.benchmark.collections.collection import Collection
    from assay.cli.serving import serve_one_person
    from assay.formats.containers import read_table
    from assay.web.one_person import prepare

    found = Collection.read(topics=topics).topics if topics is not None else ()
    campaign = prepare(
        Path(f"{output}.db"),
        read_table(pool)[0],
        {topic.id: dict(topic.fields) for topic in found or ()},
        read_documents(documents),
        scale=scale,
        guidelines=read_text(guidelines) if guidelines else "",
    )
    serve_one_person(campaign, Path(output), port, pictures, not no_browser)
