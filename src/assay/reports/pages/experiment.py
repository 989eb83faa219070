"""The page of an A/B test."""

from __future__ import annotations

import polars as pl

from assay.behavior.experiments.experiment_result import ExperimentResult
from assay.core.phrases import quantity
from assay.reports.figures.behavior_figures import relative_figure
from assay.reports.figures.effect_figures import Effect, course_figure, intervals_figure
from assay.reports.markup import Markup, tag
from assay.reports.pages.behavior_sections import (
    frame_table,
    settings_section,
    verdict_section,
)
from assay.reports.pages.page import Section, figure_block, panel_section, render_page, section
from assay.reports.text.experiment_text import SHOWN, TITLES


def experiment_page(result: ExperimentResult, title: str = "A/B test") -> str:
    """Return the verdict, the sample ratio, the measures, guardrails, days and slices."""
    conventions = result.conventions
    arms = [f"{name}: {quantity(users, 'user')}" for name, users in conventions["arms"].items()]
    sections = [
        verdict_section(result.verdicts(), result.warnings),
        section("ratio", TITLES["sample_ratio"], frame_table(result.sample_ratio, "Sample ratio")),
    ]
    if result.results.height:
        sections.append(_effects_section("results", result.results))
    if result.guardrails.height:
        sections.append(_effects_section("guardrails", result.guardrails))
    sections += [*_course_section("days", result.days), *_course_section("looks", result.looks)]
    if result.trends.height:
        sections.append(section("trends", TITLES["trends"], frame_table(result.trends, "Trends")))
    if result.slices.height:
        sections.append(_slices_section(result.slices))
    sections.append(settings_section(conventions))
    return render_page(title, f"{', '.join(arms)}.", sections)


def _effects_section(name: str, frame: pl.DataFrame) -> Section:
    """Return relative differences as a figure, and all numbers as a table."""
    figure = relative_figure(frame)
    drawn = [] if figure is None else [figure_block(figure)]
    wanted = [each for each in SHOWN[name].split() if each in frame.columns]
    return section(name, TITLES[name], drawn, frame_table(frame.select(wanted), TITLES[name]))


def _course_section(name: str, frame: pl.DataFrame) -> list[Section]:
    """Return the course of each measure over the days, one to choose."""
    panels: list[tuple[str, Markup]] = []
    if not frame.height:
        return []
    for (measure, arm), part in frame.group_by(["measure", "arm"], maintain_order=True):
        effects = [
            Effect(row["day"], row["difference"], row["low"], row["high"])
            for row in part.iter_rows(named=True)
        ]
        words = f"{measure} of {arm}: difference from the control"
        words += " at each look" if name == "looks" else " of each day"
        figure = course_figure(effects, words, ("day", "difference"))
        table = frame_table(part.drop("measure", "arm"), words)
        panels.append((f"{measure}, {arm}", tag("div", figure_block(figure), table)))
    return panel_section(name, TITLES[name], (f"{name}-measure", "Measure"), panels)


def _slices_section(frame: pl.DataFrame) -> Section:
    """Return the shrunk differences of slices as figures, and all numbers as a table."""
    drawn = []
    for (measure, arm), part in frame.group_by(["measure", "arm"], maintain_order=True):
        effects = [
            Effect(row["slice"], row["shrunk"], row["shrunk_low"], row["shrunk_high"])
            for row in part.iter_rows(named=True)
        ]
        words = f"{measure} of {arm}: shrunk differences of the slices"
        drawn.append(figure_block(intervals_figure(effects, words, "difference")))
    wanted = [each for each in SHOWN["slices"].split() if each in frame.columns]
    return section(
        "slices", TITLES["slices"], drawn, frame_table(frame.select(wanted), TITLES["slices"])
    )
