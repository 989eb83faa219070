"""Where each type of result finds its text and its page; nothing is imported before it is used."""

from __future__ import annotations

from assay.core.frozen_dataclass import dataclass, field


@dataclass(frozen=True)
class Entry:
    """Where a type of result finds its text and its page."""

    text: str = ""
    """The subclass of `ResultText`, as module:class."""
    page: str = ""
    """The function that returns the page, as module:function."""
    figure: str = ""
    """The function that draws its figure, as module:function."""
    formats: list[str] = field(default_factory=list)
    """Formats that only this type has."""


_TEXT, _PAGES = "assay.reports.text", "assay.reports.pages"
_FIGURES = "assay.reports.figures.behavior_figures"
_LEARNING = "assay.reports.figures.learning_figures:plot_learning"
RESULTS = {
    "DataFrame": Entry("assay.reports.text.result_text:ResultText"),
    "dict": Entry("assay.reports.text.result_text:ResultText"),
    "Scores": Entry(f"{_TEXT}.score_tables:ScoresText", formats=["trec"]),
    "Confusion": Entry(f"{_TEXT}.confusion_text:ConfusionText"),
    "Comparison": Entry(f"{_TEXT}.comparison_text:ComparisonText"),
    "Gate": Entry(f"{_TEXT}.gate_text:GateText", formats=["junit"]),
    "Power": Entry(f"{_TEXT}.power_text:PowerText"),
    "Thresholds": Entry(f"{_TEXT}.threshold_text:ThresholdsText"),
    "Explanation": Entry(f"{_TEXT}.explanation_text:ExplanationText"),
    "HolesReport": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "MethodComparison": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "PrecisionRecallPoints": Entry(
        f"{_TEXT}.explanation_text:ReportText",
        figure="assay.reports.figures.precision_recall_figures:points_figure",
    ),
    "CrossEntropy": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "SuspectLabels": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "DensityRates": Entry(
        f"{_TEXT}.explanation_text:ReportText",
        figure="assay.reports.figures.score_density_figures:density_rates_figure",
    ),
    "MatrixOverview": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "FairnessReport": Entry(
        f"{_TEXT}.fairness_text:FairnessText",
        figure="assay.reports.figures.fairness_figures:fairness_figure",
    ),
    "Aggregation": Entry(f"{_TEXT}.aggregation_text:AggregationText"),
    "CheckReport": Entry(f"{_TEXT}.explanation_text:FindingsText"),
    "TiesReport": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "Splits": Entry(f"{_TEXT}.benchmark_text:SplitsText"),
    "SplitCheck": Entry(f"{_TEXT}.benchmark_text:PoolTablesText"),
    "CapacityCurve": Entry(f"{_TEXT}.learning_text:LearningText", figure=_LEARNING),
    "LearningCurve": Entry(f"{_TEXT}.learning_text:LearningText", figure=_LEARNING),
    "LossCurve": Entry(f"{_TEXT}.learning_text:LearningText", figure=_LEARNING),
    "BiasVariance": Entry(f"{_TEXT}.learning_text:LearningText"),
    "Tuning": Entry(f"{_TEXT}.learning_text:TuningText", f"{_PAGES}.tuning:tuning_page"),
    "BootstrapEstimates": Entry(f"{_TEXT}.learning_text:LearningText"),
    "TaskResult": Entry(
        f"{_TEXT}.learning_task_text:LearningTaskText",
        f"{_PAGES}.learning_task:learning_task_page",
        "assay.reports.figures.learning_task_figures:plot_learning_task",
    ),
    "Pool": Entry(f"{_TEXT}.benchmark_text:PoolText"),
    "PoolStats": Entry(f"{_TEXT}.benchmark_text:PoolTablesText"),
    "Reusability": Entry(f"{_TEXT}.benchmark_text:PoolTablesText"),
    "PoolPlan": Entry(f"{_TEXT}.benchmark_text:PoolTablesText"),
    "Collection": Entry(f"{_TEXT}.benchmark_text:CollectionText"),
    "LogCheck": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "LogSummary": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "CounterfactualValue": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "ClickModel": Entry(f"{_TEXT}.click_text:ClickModelText"),
    "ModelComparison": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "ClickJudgments": Entry(f"{_TEXT}.explanation_text:ReportText"),
    "RetrievalEvidence": Entry(page=f"{_PAGES}.retrieval:retrieval_page"),
    "ClassificationEvidence": Entry(page=f"{_PAGES}.classification:classification_page"),
    "ConfusionEvidence": Entry(page=f"{_PAGES}.confusion:confusion_page"),
    "ClusteringEvidence": Entry(page=f"{_PAGES}.clustering:clustering_page"),
    "RegressionEvidence": Entry(page=f"{_PAGES}.regression:regression_page"),
    "AgreementEvidence": Entry(page=f"{_PAGES}.agreement:agreement_page"),
    "CorrelationEvidence": Entry(page=f"{_PAGES}.correlation:correlation_page"),
    "ExperimentResult": Entry(
        f"{_TEXT}.experiment_text:ExperimentText",
        f"{_PAGES}.experiment:experiment_page",
        f"{_FIGURES}:experiment_figure",
    ),
    "LabDesign": Entry(f"{_TEXT}.lab_text:LabDesignText", f"{_PAGES}.laboratory:lab_plan_page"),
    "LabResult": Entry(
        f"{_TEXT}.lab_text:LabResultText",
        f"{_PAGES}.laboratory:lab_result_page",
        f"{_FIGURES}:trials_figure",
    ),
    "OnlineComparison": Entry(
        f"{_TEXT}.online_text:OnlineComparisonText",
        f"{_PAGES}.online:online_page",
        f"{_FIGURES}:online_figure",
    ),
    "InterleavedLists": Entry(f"{_TEXT}.behavior_text:InterleavedListsText"),
    "InterleavingResult": Entry(
        f"{_TEXT}.behavior_text:InterleavingText",
        f"{_PAGES}.interleaving:interleaving_page",
        f"{_FIGURES}:interleaving_figure",
    ),
}
"""The types of results by the names of their classes."""
