"""``assay report``."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assay.cli.page_options import PageOutput, page_options
from assay.cli.scored import ScoreSource, scored_command

if TYPE_CHECKING:
    from assay.engine.scores import Scores

GROUP = "present"

EPILOG = """\b
Examples:
  assay report retrieval qrels.txt bm25.run dense.run -o report.html
  assay report retrieval qrels.txt runs/*.run --topics topics.tsv --documents docs.jsonl
  assay report retrieval qrels.txt bm25.run dense.run --cost seconds.csv
  assay report classification predictions.csv --truth label --score p -o report.html
  assay report classification predictions.parquet --truth label --probabilities "p_*"
  assay report classification predictions.csv --truth label --predicted old --predicted new
  assay report classification old.csv new.csv --truth label --predicted guess --item id
  assay report clustering clusters.csv --cluster c --class topic
  assay report clustering points.csv --cluster c --features "x*"
  assay report regression predictions.csv --truth y --predicted yhat
  assay report agreement ratings.csv --item doc --assessor who --label grade --scale ordinal
  assay report correlation leaderboard1.csv leaderboard2.csv
  assay report scores.parquet
  assay report base.parquet new.parquet -o report.html"""


@scored_command("report", page_options, EPILOG)
def command(source: ScoreSource, **given: Any) -> None:
    """Write one self-contained page that shows an evaluation."""
    page = PageOutput(**given)
    evidence = source.evidence()
    if evidence is None:
        page.write(None, _select_measures(source.scores(), source.measures))
    else:
        page.write(evidence, evidence.scores(source.measures, interval=page.bootstrap()))


def _select_measures(scores: Scores, names: list[str] | None) -> Scores:
    """Return saved scores with the named measures alone; all of them by default."""
    if names is None:
        return scores
    from assay.core.name_search import split_names

    kept = {
        each.measure for word in names for name in split_names(word) for each in scores.of(name)
    }
    return replace(scores, results=tuple(each for each in scores.results if each.measure in kept))
