"""``assay campaign``: judging, agreement and adjudication."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.campaign.operation import errors_of_file, note, operation
from assay.cli.options import file_option
from assay.cli.output import Output, TableOutput, output_options, print_text, table_options
from assay.core.errors import UsageError

if TYPE_CHECKING:
    from assay.benchmark.campaign.campaign import Campaign


@operation("next", "assay campaign next campaign.db --as ann")
def next_item(campaign: Campaign) -> None:
    """Show the next item to judge; it is held for you."""
    task = campaign.next()
    if task is None:
        note("nothing is left to judge")
        return
    for name, text in task.topic.items():
        print_text(f"{name}: {text}")
    print_text(f"\ntopic {task.query}, document {task.doc}")
    for part in (task.title, task.url, task.text):
        if part:
            print_text(part)


@operation(
    "judge",
    "assay campaign judge campaign.db 301 FT911-3 2 --as ann",
    click.argument("query", metavar="[TOPIC]", required=False),
    click.argument("doc", metavar="[DOCUMENT]", required=False),
    click.argument("grade", metavar="[GRADE]", required=False, type=int),
    file_option("--file", "table", help="Instead, a table of query, doc, grade."),
    click.option("--seconds", type=float, help="How long it took."),
    click.option("--comment", help="A remark."),
)
def judge(campaign: Campaign, table: str | None, **given: Any) -> None:
    """Judge a document, or all of a file; a new grade supersedes an earlier one."""
    if table is not None:
        from assay.benchmark.campaign.judgment_files import read_answers

        with errors_of_file(table):
            receipts = campaign.judge_all(read_answers(table))
        repeated = sum(each.repeated for each in receipts)
        note(f"judged: {len(receipts) - repeated:,}; stored before: {repeated:,}")
        return
    if given["query"] is None or given["doc"] is None:
        raise UsageError("name the topic, the document and the grade, or a file (`--file`)")
    receipt = campaign.judge(given.pop("query"), given.pop("doc"), given.pop("grade"), **given)
    note(f"saved as judgment {receipt.judgment}")
    if receipt.feedback is not None:
        note(f"the known grade is {receipt.feedback}")


@operation(
    "withdraw",
    'assay campaign withdraw campaign.db 17 --reason "wrong document" --as ann',
    click.argument("judgment", type=int),
    click.option("--reason", required=True, help="Reason for the withdrawal."),
)
def withdraw(campaign: Campaign, judgment: int, reason: str) -> None:
    """Let a judgment count no longer; it stays in the record."""
    campaign.withdraw(judgment, reason)


@operation("status", "assay campaign status campaign.db", table_options)
def status(campaign: Campaign, output: TableOutput) -> None:
    """Show the phase and the progress by topic and assessor."""
    found = campaign.status()
    tables = {name: found.pop(name) for name in ("by_topic", "by_assessor")}
    words = {name: ", ".join(map(str, value)) if isinstance(value, list) else str(value)
             for name, value in found.items()}  # fmt: skip
    notes = [f"{name}: {value}" for name, value in words.items() if value]
    output.show({name.replace("_", " "): frame for name, frame in tables.items()}, notes)


@operation("agreement", "assay campaign agreement campaign.db", output_options)
def agreement(campaign: Campaign, output: Output) -> None:
    """Measure how far the assessors agree."""
    output.show(campaign.agreement(output.measures))


@operation("disagreements", "assay campaign disagreements campaign.db", table_options)
def disagreements(campaign: Campaign, output: TableOutput) -> None:
    """List the items on which assessors differ."""
    output.show({"disagreements": campaign.disagreements()})


@operation(
    "adjudicate",
    "assay campaign adjudicate campaign.db 301 FT911-3 1 --as carla",
    click.argument("query", metavar="TOPIC"),
    click.argument("doc", metavar="DOCUMENT"),
    click.argument("grade", metavar="GRADE", type=int),
    click.option("--comment", help="Reason for the decision."),
)
def adjudicate(campaign: Campaign, **given: Any) -> None:
    """Decide the grade of an item."""
    note(f"saved as judgment {campaign.adjudicate(**given)}")


@operation("review", "assay campaign review campaign.db", table_options)
def review(campaign: Campaign, output: TableOutput) -> None:
    """Show which assessors to review, why, and what leaving them out changes."""
    output.show({"assessors": campaign.review()})


@operation(
    "exclude",
    'assay campaign exclude campaign.db cem --reason "gold failed"',
    click.argument("name"),
    click.option("--reason", help="Why; without one, the judgments count again."),
)
def exclude(campaign: Campaign, name: str, reason: str | None) -> None:
    """Leave the judgments of an assessor out of new versions."""
    campaign.exclude(name, reason)
