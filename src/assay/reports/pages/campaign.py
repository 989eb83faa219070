"""The page of a published version of a campaign, from its files alone."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from assay.benchmark.campaign.publication import read_leaderboard
from assay.reports.figures.judgment_figures import judged_figure
from assay.reports.pages.behavior_sections import frame_table, settings_section
from assay.reports.pages.page import Section, Tile, figure_block, note, render_page, section

MOST_ROWS = 200
"""Longer tables end here; the files of the version have all rows."""
AGREEMENT = {"agreement.csv": "Agreement of the assessors"}
REUSE = {
    "reusability.csv": "Each run without the judgments that only it brought",
    "reusability-teams.csv": "Each team without the judgments that only it brought",
    "reusability-orders.csv": "How far the order of systems is kept",
}
IDS = dict.fromkeys(("query", "doc", "assessor", "run", "team", "system"), pl.String)


def published_page(files: Mapping[str, bytes], version: str) -> str:
    """Return the page of a version: leaderboard, topics, judgments, pool, agreement, reuse."""
    about: dict[str, Any] = json.loads(files["about.json"])
    qrels = _read(files, "grades.csv")
    topics = pl.DataFrame([json.loads(line) for line in files["topics.jsonl"].splitlines()])
    sections = [
        _leaderboard(files, about.get("warnings", [])),
        section("topics", "Topics", *_table(topics, "Topics with their authors")),
        _judgments(qrels, int(about["scale"]["relevant"])),
        _pool(_read(files, "pool.csv"), qrels),
        _tables("agreement", "Agreement", files, AGREEMENT),
        _tables("reusability", "Reusability", files, REUSE),
        settings_section(_settings(about)),
    ]
    title = f"{about['campaign']}, version {version}"
    tiles = [
        Tile(f"{topics.height:,}", "topics"),
        Tile(f"{len(about['runs']):,}", "runs"),
        Tile(f"{qrels.height:,}", "judged documents"),
    ]
    return render_page(title, "A published version of a campaign.", sections, tiles=tiles)


def _read(files: Mapping[str, bytes], name: str) -> pl.DataFrame:
    return pl.read_csv(io.BytesIO(files[name]), schema_overrides=IDS, infer_schema_length=None)


def _table(frame: pl.DataFrame, label: str) -> list[Any]:
    """Return a table, and a note where it is cut."""
    cut = f"The first {MOST_ROWS} of {frame.height:,} rows." if frame.height > MOST_ROWS else ""
    return [frame_table(frame.head(MOST_ROWS), label), note(cut)]


def _leaderboard(files: Mapping[str, bytes], warnings: Sequence[str]) -> Section:
    """Return the leaderboard, the best system first, and what was open when it was made."""
    found = read_leaderboard(files)
    board: list[Any] = [note("The version has no runs.")]
    if found is not None:
        board = _table(found, "Systems with intervals and ranges of ranks")
    said = [note(f"Open when this version was made: {each}.") for each in warnings]
    return section("leaderboard", "Leaderboard", *said, *board)


def _pool(pool: pl.DataFrame, qrels: pl.DataFrame) -> Section:
    """Return why each judged document was in the pool, and how many are unjudged."""
    judged = pool.join(qrels.select("query", "doc"), on=["query", "doc"], how="semi",
                       maintain_order="left")  # fmt: skip
    left = pool.height - judged.height
    said = f"{left:,} other documents of the pool are unjudged." if left else ""
    return section("pool", "Pool", *_table(judged, "Why each document was judged"), note(said))


def _reuse_table(files: Mapping[str, bytes], file: str, label: str) -> list[Any]:
    """Return a table of reusability; leaving out the only team would leave nothing."""
    frame = _read(files, file)
    if file == "reusability-teams.csv" and frame["team"].n_unique() < 2:
        return [note("All runs are of one team, so that no team can be left out.")]
    if file == "reusability-orders.csv":
        frame = frame.filter(pl.col("tau").is_finite())
    return _table(frame, label)


def _tables(
    name: str, title: str, files: Mapping[str, bytes], labels: Mapping[str, str]
) -> Section:
    """Return a section with the tables of those files that the version has."""
    found = [_reuse_table(files, file, label) for file, label in labels.items() if file in files]
    return section(name, title, found, None if found else note("The version has no runs."))


def _judgments(qrels: pl.DataFrame, relevant: int) -> Section:
    """Return which documents are judged, and the grades of each topic."""
    counts = qrels.group_by("query").agg(
        documents=pl.len(),
        relevant=(pl.col("grade") >= relevant).sum(),
        certainty=pl.col("posterior").mean(),
    )
    figure = figure_block(judged_figure(qrels.select("query", "doc", "grade"), relevant))
    rows = _table(counts.sort("query"), "Judged and relevant documents of each topic")
    return section("judgments", "Judgments", figure, *rows)


def _settings(about: Mapping[str, Any]) -> dict[str, Any]:
    labels = about["scale"]["labels"]
    return {
        "grades": ", ".join(f"{grade} = {label}" for grade, label in labels.items()),
        "relevant_from": about["scale"]["relevant"],
        "measures": about["measures"],
        "runs": [f"{each['name']} ({each['digest'][:12]})" for each in about["runs"]],
        "depth": about.get("depth"),
        "assay": about["assay"],
    }
