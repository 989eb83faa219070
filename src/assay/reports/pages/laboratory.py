"""The pages of a laboratory experiment: its plan to print, and its result."""

from __future__ import annotations

import polars as pl

from assay.behavior.laboratory.lab_design import LabDesign
from assay.behavior.laboratory.lab_result import LabResult
from assay.core.phrases import quantity
from assay.reports.figures.behavior_figures import trials_figure
from assay.reports.markup import tag
from assay.reports.pages.behavior_sections import (
    frame_table,
    settings_section,
    verdict_section,
)
from assay.reports.pages.page import figure_block, render_page, section


def lab_plan_page(design: LabDesign, title: str = "Laboratory plan") -> str:
    """Return a sheet for each participant, and the balance of the design."""
    plan = design.plan
    counts = [quantity(plan[name].n_unique(), name) for name in ("participant", "system", "task")]
    notes = tag("ul", [tag("li", each) for each in design.notes], class_="warnings")
    sections = [
        section(
            "balance",
            "Balance",
            frame_table(design.balance, "How often each pairing occurs"),
            notes if design.notes else None,
        )
    ]
    for number, (name, part) in enumerate(plan.group_by(["participant"], maintain_order=True), 1):
        sheet = part.select("order", "system", "task").with_columns(
            start=pl.lit(""), end=pl.lit(""), remarks=pl.lit("")
        )
        person = f"Participant {name[0]}"
        sections.append(section(f"participant-{number}", person, frame_table(sheet, person)))
    return render_page(title, f"{', '.join(counts)}; {design.kind} design.", sections)


def lab_result_page(result: LabResult, title: str = "Laboratory experiment") -> str:
    """Return the verdict, the differences of systems, and the variances."""
    conventions = result.conventions
    lead = ", ".join(
        [
            quantity(conventions["participants"], "participant"),
            quantity(len(conventions["systems"]), "system"),
            quantity(conventions["trials"], "trial"),
        ]
    )
    sections = [
        verdict_section(result.verdicts(), result.warnings),
        section("systems", "Systems", frame_table(result.systems, "Outcomes of each system")),
    ]
    outcomes = result.pairs["outcome"].unique(maintain_order=True)
    drawn = [figure_block(trials_figure(result, name)) for name in outcomes]
    tests = frame_table(result.tests, "Tests of all systems")
    sections.append(
        section("pairs", "Differences", drawn, tests, frame_table(result.pairs, "Pairs of systems"))
    )
    if result.variances.height:
        table = frame_table(result.variances, "Where the variance comes from")
        sections.append(section("variances", "Variances", table))
    sections.append(settings_section(conventions))
    return render_page(title, f"{lead}.", sections)
