"""``assay campaign``: people, topics, runs, pools and assignments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from assay.cli.campaign.operation import command, errors_of_file, note, operation
from assay.cli.options import (
    choice_option,
    count_option,
    file_option,
    measure_option_with_default,
    seed_option,
)
from assay.cli.output import TableOutput, print_text, table_options

if TYPE_CHECKING:
    from assay.benchmark.campaign.campaign import Campaign


@command.command(
    "new",
    epilog="""\b
Example:
  assay campaign new campaign.db --name pilot --documents docs.jsonl --topics topics.tsv \\
    --grades "0=not relevant,1=relevant" --guidelines guidelines.md -m "nDCG@10 AP"
""",
)
@click.argument("database", metavar="DATABASE")
@click.option("--name", required=True, help="Name of the campaign.")
@file_option("--documents", help="A collection, or a file of documents.")
@file_option("--topics", help="Topics, chosen from the start.")
@click.option(
    "--grades",
    "scale",
    default="0=not relevant,1=relevant,2=highly relevant",
    show_default=True,
    help="Grades and their labels.",
)
@click.option("--relevant", type=int, default=1, help="Lowest grade that counts as relevant.")
@file_option("--guidelines", help="A text for the assessors.")
@measure_option_with_default("nDCG@10 AP P@10")
@choice_option("--late", ["refuse", "accept"], help="Runs after the phase of runs.")
@choice_option("--repeated", ["replace", "refuse"], help="Runs submitted twice.")
@click.option("--lease", type=float, default=30, help="Minutes for which an item is held.")
def new(database: str, documents: str | None, topics: str | None, **given: Any) -> None:
    """Create a campaign in a new database."""
    from assay.benchmark.campaign.campaign import DEFAULT_MEASURES, Campaign
    from assay.benchmark.collections.collection import Collection

    read = Collection.read(documents) if documents is not None else None
    found = Collection.read(topics=topics).topics if topics is not None else None
    guidelines = given.pop("guidelines")
    chosen = found or (read.topics if read is not None else None)
    with Campaign.create(
        database,
        given.pop("name"),
        documents=_documents(read),
        guidelines=read_text(guidelines) if guidelines else "",
        measures=given.pop("measures") or DEFAULT_MEASURES,
        lease_minutes=given.pop("lease"),
        **given,
    ) as campaign:
        if chosen is not None:
            with errors_of_file(topics or documents or database):
                campaign.propose_topics({topic.id: topic.fields for topic in chosen})
            campaign.choose_topics("all")
    note(f"created: {database}")


def read_text(path: str) -> str:
    """Return the text of a file."""
    from assay.formats.input_files import Input

    return b"".join(Input(path).pieces()).decode("utf-8", errors="replace")


def read_documents(path: str | None) -> Iterator[tuple[str, str | None, str | None, str]]:
    """Yield the documents of a collection or a file: name, title, url, text."""
    from assay.benchmark.collections.collection import Collection

    yield from _documents(None if path is None else Collection.read(path))


def _documents(read: Any) -> Iterator[tuple[str, str | None, str | None, str]]:
    for each in (read.documents or ()) if read is not None else ():
        yield each.id, each.title or None, each.fields.get("url"), each.body


@operation(
    "join",
    "assay campaign join campaign.db ann --role assessor --role participant --team north",
    click.argument("name"),
    click.option("--role", "roles", multiple=True, required=True, metavar="ROLE",
                 help="coordinator, participant or assessor; may be repeated."),
    click.option("--kind", default="person", metavar="KIND",
                 help="person, crowd, model, clicks or gold."),
    click.option("--team", metavar="NAME", help="The team whose runs belong together."),
    count_option("--capacity", help="Maximum number of items to judge. [default: any number]"),
)  # fmt: skip
def join(campaign: Campaign, name: str, roles: tuple[str, ...], **details: Any) -> None:
    """Add a person, or change the roles of one."""
    person = campaign.join(name, *roles, **details)
    note(f"{name}: {', '.join(person.roles)}")


@operation(
    "phase",
    "assay campaign phase campaign.db judging",
    click.argument("phase", metavar="[PHASE]", required=False),
)
def phase(campaign: Campaign, phase: str | None) -> None:
    """Begin a phase, or show it: topics, runs, training, judging, adjudication, frozen."""
    if phase is None:
        print_text(campaign.status()["phase"])
        return
    before = campaign.phase(phase)
    note(f"{before} → {phase}")


@operation(
    "scale",
    'assay campaign scale campaign.db --grades "0=no,1=partly,2=fully" --relevant 1',
    click.option("--grades", help="Grades and their labels."),
    click.option("--relevant", type=int, help="Lowest grade that counts as relevant."),
)
def scale(campaign: Campaign, grades: str | None, relevant: int | None) -> None:
    """Change the scale, or show it; it is fixed once anything has been judged."""
    changed = grades is not None or relevant is not None
    found = campaign.set_scale(grades, relevant) if changed else campaign.scale()
    for grade, label in found.labels.items():
        print_text(f"{grade} = {label}{' (relevant)' if grade >= found.relevant else ''}")


@operation(
    "guidelines",
    "assay campaign guidelines campaign.db guidelines.md",
    click.argument("text", metavar="FILE"),
)
def guidelines(campaign: Campaign, text: str) -> None:
    """Give the assessors new guidelines; judgments keep the version under which they were made."""
    note(f"version {campaign.set_guidelines(read_text(text))}")


@operation(
    "propose-topic",
    "assay campaign propose-topic campaign.db topics.tsv --as ben",
    click.argument("topics", metavar="TOPICS"),
)
def propose_topic(campaign: Campaign, topics: str) -> None:
    """Propose the topics of a file."""
    from assay.benchmark.collections.collection import Collection

    found = Collection.read(topics=topics).topics or ()
    with errors_of_file(topics):
        count = campaign.propose_topics({topic.id: topic.fields for topic in found})
    note(f"proposed: {count}")


@operation(
    "choose-topics",
    "assay campaign choose-topics campaign.db 301 302 310",
    click.argument("names", metavar="TOPIC...", nargs=-1, required=True),
    choice_option("--state", ["chosen", "practice", "rejected"], help="What they are chosen for."),
)
def choose_topics(campaign: Campaign, names: tuple[str, ...], state: str) -> None:
    """Choose topics by name, or 'all' of the proposed ones."""
    note(f"{state}: {campaign.choose_topics(*names, state=state)}")


@operation("topics", "assay campaign topics campaign.db", table_options)
def topics(campaign: Campaign, output: TableOutput) -> None:
    """List the topics."""
    import polars as pl

    rows = [
        {"topic": each.name, "state": each.state, "author": each.author,
         "title": next(iter(each.fields.values()), "")}
        for each in campaign.topics()
    ]  # fmt: skip
    schema = dict.fromkeys(("topic", "state", "author", "title"), pl.String)
    output.show({"topics": pl.DataFrame(rows, schema=schema)})


@operation(
    "submit",
    "assay campaign submit campaign.db bm25.run --as ben",
    click.argument("run", metavar="RUN"),
    click.option("--name", metavar="NAME", help="Name of the run. [default: that of the file]"),
)
def submit(campaign: Campaign, run: str, name: str | None) -> None:
    """Submit a run; one with errors is refused with their lines."""
    number, report = campaign.submit(run, name)
    for each in report.findings:
        note(f"{each.severity}: {each.text}")
    note(f"submitted as run {number}")


@operation("runs", "assay campaign runs campaign.db", table_options)
def runs(campaign: Campaign, output: TableOutput) -> None:
    """List the submitted runs."""
    import polars as pl

    rows = [
        {"run": each.name, "owner": each.owner, "team": each.team, "state": each.state,
         "late": "late" if each.late else ""}
        for each in campaign.runs()
    ]  # fmt: skip
    schema = dict.fromkeys(("run", "owner", "team", "state", "late"), pl.String)
    output.show({"runs": pl.DataFrame(rows, schema=schema)})


@operation(
    "pool",
    "assay campaign pool campaign.db --depth 50",
    count_option("--depth", help="Documents of each run and topic. [default: 100]"),
    click.option(
        "--method", default="depth", metavar="NAME", help="As in assay pool make; by depth."
    ),
    count_option("--size", help="Maximum number of documents of a topic."),
    count_option("--budget", help="Maximum number of documents of all topics."),
    click.option("--strata", metavar="STRATA", help="For stratified, such as 10:1,100:0.2."),
    seed_option,
    file_option("--from", "table", help="Instead, a pool made by assay pool make."),
)
def pool(campaign: Campaign, table: str | None, **options: Any) -> None:
    """Pool the submitted runs; what is in the pool already stays."""
    if table is None:
        count = campaign.pool(**options)
    else:
        from assay.formats.containers import read_table

        count = campaign.add_to_pool(read_table(table)[0], {"method": "file"})
    note(f"new items: {count:,}")


@operation(
    "gold",
    "assay campaign gold campaign.db known.txt",
    click.argument("qrels", metavar="QRELS"),
)
def gold(campaign: Campaign, qrels: str) -> None:
    """Declare items of the pool whose grades are known, from judgments."""
    from assay.benchmark.campaign.judgment_files import read_gold

    with errors_of_file(qrels):
        count = campaign.set_gold(read_gold(qrels))
    note(f"gold items: {count:,}")


@operation(
    "assign",
    "assay campaign assign campaign.db --overlap 0.2 --gold 5",
    click.option("--overlap", type=float, default=0.0,
                 help="Share of the items (or from 2 on, their number) that several judge."),
    count_option("--per-item", 2, default=2, help="Number of assessors of such an item."),
    click.option("--gold", type=float, default=0.0, help="Gold items for each 100 others."),
    click.option("--assessor", "assessors", multiple=True, metavar="NAME",
                 help="Only these assessors; may be repeated."),
    click.option("--shared", is_flag=True, help="First come, first served."),
    seed_option,
)  # fmt: skip
def assign(campaign: Campaign, per_item: int, **given: Any) -> None:
    """Share the pool among assessors, balanced and connected by overlap."""
    count = campaign.assign(per_item=per_item, **given)
    note(f"assignments: {count:,}")


@operation(
    "order",
    "assay campaign order campaign.db --by bandit",
    choice_option(
        "--by", ["topic", "comparison", "bandit", "disagreement"], help="What comes first."
    ),
)
def order(campaign: Campaign, by: str) -> None:
    """Put the queues into another order."""
    note(f"ordered: {campaign.order(by):,}")
