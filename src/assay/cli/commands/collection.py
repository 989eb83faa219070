"""``assay collection``."""

from __future__ import annotations

import click

from assay.cli.options import choice_option, file_option
from assay.cli.output import TableOutput, table_options

GROUP = "benchmarks"
KINDS = ["beir", "trec", "msmarco"]
SHOWN = ["counts", "grades", "fields", "sample"]


@click.command(
    "collection",
    epilog="""\b
Examples:
  assay collection cranfield/
  assay collection documents.trec.gz --topics topics.xml --qrels qrels.txt
  assay collection cranfield/ --show counts --format csv
  assay collection cranfield/ --write beir/ --kind beir
\b
PATH is a folder, a file of documents, or ir_datasets:NAME. Documents: SMART (.I .T .W), TREC
(<DOC><DOCNO>), TSV, CSV, JSON lines, LISA, TIME, NPL, Cystic Fibrosis, XML articles.
""",
)
@click.argument("path", metavar="PATH")
@file_option("--topics", help="Topics in any layout: SGML, XML, INEX, TSV, JSON lines …")
@file_option("--qrels", help="Judgments in any format or layout.")
@click.option("--encoding", metavar="NAME", help="Encoding of the texts. [default: utf-8]")
@click.option(
    "--match-ids", is_flag=True, help="Rename topics that differ in zeros or case from judgments."
)
@file_option(
    "--quantization",
    metavar="NAME|FILE",
    default="strict",
    show_default=True,
    help="Grades of components (INEX): strict, generalized, or a table.",
)
@choice_option("--show", [*SHOWN, "all"], default="all", help="Which tables to show.")
@click.option("--write", "folder", metavar="FOLDER", help="Write the collection to a new folder.")
@choice_option("--kind", KINDS, help="How the folder is written.")
@table_options
def command(
    path: str,
    topics: str | None,
    qrels: str | None,
    encoding: str | None,
    match_ids: bool,
    quantization: str,
    show: str,
    folder: str | None,
    kind: str,
    output: TableOutput,
) -> None:
    """Show what a test collection holds, and what does not fit.

    Documents, topics, judgments by grade and split, fields and a sample; judged documents and
    queries that do not exist, and ids that differ in zeros or case.
    """
    from assay.benchmark.collections.collection import Collection

    found = Collection.read(
        path,
        topics=topics,
        qrels=qrels,
        encoding=encoding,
        match_ids=match_ids,
        quantization=quantization,
    )
    tables = {name: getattr(found, name)() for name in (SHOWN if show == "all" else [show])}
    shown = {name: table for name, table in tables.items() if table.height or show != "all"}
    output.show(shown, [*found.notes, *found.findings.notes])
    if folder is not None:
        written = found.write(folder, kind)
        if not output.quiet:
            click.echo(f"written: {', '.join(map(str, written))}", err=True)
