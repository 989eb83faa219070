"""The page of confusion matrices that are given as counts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from assay.core.phrases import quantity
from assay.engine.scores import Scores
from assay.evidence.views.confusion import Confusion
from assay.reports.figures.roc_figures import roc_plane_figure
from assay.reports.pages.matrix_tables import confusion_sections
from assay.reports.pages.page import Section, figure_block, note, page_table, section
from assay.reports.pages.task_page import TaskPage
from assay.reports.text.confusion_text import baseline_rows
from assay.reports.text.interpretation import interpret_matrix, missed_classes
from assay.tasks.classification.confusion import ConfusionEvidence

DIGITS = 4


def confusion_page(evidence: ConfusionEvidence, scores: Scores, title: str | None = None) -> str:
    """Return the page: numbers, methods in the ROC plane with their reading, the matrices."""
    matrices = evidence.members
    labels = next(iter(matrices.values())).labels
    lead = (
        f"{quantity(len(matrices), 'matrix', 'matrices')} of {quantity(len(labels), 'class')}:"
        f" {', '.join(labels)}."
    )
    middle = [
        *_plane_section(matrices),
        *_baseline_section(matrices),
        *confusion_sections(matrices, "method"),
    ]
    warnings = _named(matrices, lambda matrix: interpret_matrix(matrix).warnings)
    return TaskPage(lead, middle, warnings=warnings, letters=False).render(
        scores, title or ("Confusion matrix" if len(matrices) == 1 else "Confusion matrices")
    )


def _plane_section(matrices: Mapping[str, Confusion]) -> list[Section]:
    """Return what each matrix says, beside its place in the ROC plane if it has two classes."""
    known = {name: each for name, each in matrices.items() if not each.lacks_negatives}
    pairs = {name: each for name, each in known.items() if len(each.labels) == 2}
    said = _named(known, lambda each: [*interpret_matrix(each).sentences, *missed_classes(each)])
    shown = figure_block(roc_plane_figure(pairs)) if pairs else None
    return [section("reading", "Reading", shown, [note(each) for each in said])] if said else []


def _baseline_section(matrices: Mapping[str, Confusion]) -> list[Section]:
    """Return each matrix beside classifiers that predict the same class for every item."""
    tables = []
    for name, matrix in matrices.items():
        if matrix.lacks_negatives:
            continue
        head, *rows = baseline_rows(matrix, DIGITS)
        rows[0][0] = name if len(matrices) > 1 else rows[0][0]
        caption = f"{name} and baselines" if len(matrices) > 1 else "This matrix and baselines"
        tables.append(page_table(head, rows, caption))
    said = note("A baseline predicts the same class for every item.")
    return [section("baselines", "Baselines", said, tables)] if tables else []


def _named(
    matrices: Mapping[str, Confusion], say: Callable[[Confusion], Iterable[str]]
) -> list[str]:
    """Return what is said of each matrix, after its name where there are several."""
    known = {name: each for name, each in matrices.items() if not each.lacks_negatives}
    return [
        f"{name}: {sentence}" if len(matrices) > 1 else sentence
        for name, matrix in known.items()
        for sentence in say(matrix)
    ]
