"""``assay trec_eval``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.options import file_option, quiet_option
from assay.cli.output import print_notes
from assay.cli.standard_output import print_result
from assay.core.errors import AlignmentError
from assay.version import VERSION

if TYPE_CHECKING:
    from assay.tasks.trec_eval.topic_selection import Options

GROUP = "evaluate"


@click.command(
    "trec_eval",
    context_settings={"help_option_names": ["--help"]},
    epilog="""\b
Examples:
  assay trec_eval qrels.txt bm25.run
  assay trec_eval -q -m all_trec qrels.txt bm25.run
  assay trec_eval -c -l 2 -m ndcg_cut.10 -m P.5,10 -m recip_rank qrels.txt bm25.run
  assay trec_eval -h -m ndcg_cut -m infAP
  assay trec_eval --profile trec_eval-9 qrels.txt - < bm25.run""",
)
@click.argument("qrels", metavar="QRELS", required=False)
@click.argument("run", metavar="RUN", required=False)
@click.option(
    "-m",
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME[.PARAMETERS]",
    help="A measure, or a set of them: official (what is printed by default), all_trec, set,"
    " prefs, all_prefs, qrels_jg. May be repeated.",
)
@click.option("-q", "--query_eval_wanted", "per_topic", is_flag=True, help="Lines for each topic.")
@click.option("-n", "--nosummary", "no_summary", is_flag=True, help="No lines for all topics.")
@click.option(
    "-c",
    "--complete_rel_info_wanted",
    "complete",
    is_flag=True,
    help="Average over all judged topics; those without an answer count as zero.",
)
@click.option(
    "-l",
    "--level_for_rel",
    "level",
    type=click.IntRange(0),
    default=1,
    metavar="GRADE",
    help="Lowest grade that counts as relevant.",
)
@click.option(
    "-M",
    "--Max_retrieved_per_topic",
    "depth",
    type=click.IntRange(1),
    metavar="DEPTH",
    help="Maximum number of documents of a topic.",
)
@click.option(
    "-J",
    "--Judged_docs_only",
    "judged_only",
    is_flag=True,
    help="Take unjudged documents out of the lists first.",
)
@click.option(
    "-N",
    "--Number_docs_in_coll",
    "corpus",
    type=click.IntRange(0),
    default=0,
    show_default=False,
    metavar="COUNT",
    help="How many documents the collection has (for utility).",
)
@click.option(
    "-D",
    "--Debug_level",
    "debug",
    metavar="LEVEL[.TOPIC]",
    help="Evaluate this topic only; see also  assay explain retrieval.",
)
@click.option(
    "-R",
    "--Rel_info_format",
    "judged",
    default="qrels",
    type=click.Choice(("qrels", "prefs", "qrels_prefs", "qrels_jg")),
    help="What QRELS holds.",
)
@click.option(
    "-T",
    "--Results_format",
    default="trec_results",
    type=click.Choice(("trec_results",)),
    expose_value=False,
    help="What RUN holds.",
)
@file_option(
    "-Z",
    "--Zscore",
    "references",
    help="Print z-scores, by FILE: lines of topic, measure, mean, standard deviation.",
)
@click.option("-o", is_flag=True, hidden=True, expose_value=False)
@click.option("--Output_old_results_format", hidden=True, expose_value=False)
@click.option("-v", "--version", is_flag=True, help="Print the version and stop.")
@click.option("-h", "explain", is_flag=True, help="This text, and what the measures of -m mean.")
@click.option(
    "--profile",
    type=click.Choice(("trec_eval-9", "trec_eval-10")),
    default="trec_eval-10",
    help="Version of trec_eval to follow.",
)
@quiet_option
def command(**given: Any) -> None:
    """Evaluate a run with the options and the output of trec_eval.

    RUN may be - for standard input.
    """
    if given["version"]:
        click.echo(f"assay {VERSION}, like {given['profile'].replace('-', ' ')}")
    elif given["explain"]:
        _explain(_options(given))
    elif given["run"] is None:
        raise click.UsageError("QRELS and RUN are needed: assay trec_eval qrels.txt bm25.run")
    else:
        _evaluate(given)


def _evaluate(given: dict[str, Any]) -> None:
    from assay.reports.trec_eval_text import trec_eval_lines
    from assay.tasks.trec_eval.evaluation import trec_eval

    try:
        found = trec_eval(given["qrels"], given["run"], _options(given))
    except AlignmentError as refused:
        if "`" not in str(refused):
            raise
        raise AlignmentError(f"{refused} with --policy of 'assay retrieval'") from refused
    print_notes(found.notes, given["quiet"])
    print_result(trec_eval_lines(found, given["per_topic"], not given["no_summary"]), nl=False)


def _explain(options: Options) -> None:
    from assay.reports.trec_eval_text import measure_help
    from assay.tasks.trec_eval.requested_measures import read_requests

    asked, _ = read_requests(options.measures, options.version)
    click.echo(f"{click.get_current_context().get_help()}\n\n{measure_help(asked)}")


def _options(given: dict[str, Any]) -> Options:
    from assay.tasks.trec_eval.topic_selection import Options

    names = ("measures", "complete", "level", "depth", "judged_only", "corpus", "judged")
    return Options(
        **{name: given[name] for name in (*names, "references")},
        topic=(given["debug"] or "").partition(".")[2] or None,
        version=9 if given["profile"] == "trec_eval-9" else 10,
    )
