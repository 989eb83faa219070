"""Assay tests the quality of anything that ranks, classifies, predicts or groups."""

from __future__ import annotations

from assay.version import VERSION as __version__

TYPE_CHECKING = False  # That of typing takes a third of the time until Ctrl-C is handled.

if TYPE_CHECKING:
    from assay import behavior as behavior
    from assay.behavior import clicks as clicks
    from assay.behavior import experiment as experiment
    from assay.behavior import interleave as interleave
    from assay.behavior import lab as lab
    from assay.behavior.clicks.fitted_model import ClickModel as ClickModel
    from assay.behavior.logs.click_log import read_clicks as read_clicks
    from assay.behavior.logs.click_table import Clicks as Clicks
    from assay.benchmark import split as split
    from assay.benchmark.aggregation import Aggregation as Aggregation
    from assay.benchmark.aggregation import aggregate as aggregate
    from assay.benchmark.campaign.campaign import Campaign as Campaign
    from assay.benchmark.collections.collection import Collection as Collection
    from assay.benchmark.collections.labels import read_labels as read_labels
    from assay.benchmark.collections.read_files import read_topics as read_topics
    from assay.benchmark.collections.read_files import write_topics as write_topics
    from assay.benchmark.collections.splits import split_topics as split_topics
    from assay.benchmark.pools.make_pool import pool as pool
    from assay.benchmark.pools.pool import Pool as Pool
    from assay.benchmark.pools.pool_stats import PoolStats as PoolStats
    from assay.benchmark.pools.pool_stats import pool_stats as pool_stats
    from assay.benchmark.reusability.plan import PoolPlan as PoolPlan
    from assay.benchmark.reusability.plan import pool_plan as pool_plan
    from assay.benchmark.reusability.reuse import Reusability as Reusability
    from assay.benchmark.reusability.reuse import pool_reuse as pool_reuse
    from assay.core.catalogue import catalogue as catalogue
    from assay.core.conventions import Conventions as Conventions
    from assay.core.conventions import RunSettings as RunSettings
    from assay.core.curves import curve as curve
    from assay.core.definition import define as define
    from assay.core.errors import AssayError as AssayError
    from assay.core.errors import GateFailed as GateFailed
    from assay.core.names import measure as measure
    from assay.engine.load import load as load
    from assay.engine.result import Result as Result
    from assay.engine.scores import Scores as Scores
    from assay.formats.conversion import convert as convert
    from assay.formats.conversion import read_qrels as read_qrels
    from assay.formats.conversion import read_run as read_run
    from assay.formats.splits import Splits as Splits
    from assay.fusion.fuse import fuse as fuse
    from assay.reports.figures.figure import Figure as Figure
    from assay.reports.figures.plot import plot as plot
    from assay.reports.measure_goals import measures_for as measures_for
    from assay.reports.pages.report import report as report
    from assay.reports.text.interpretation import Interpretation as Interpretation
    from assay.reports.text.interpretation import interpret_matrix as interpret_matrix
    from assay.reports.text.unit_gain_tables import gain_tables as gain_tables
    from assay.selection import learn as learn
    from assay.selection.cross_validation.cross_validate import cross_validate as cross_validate
    from assay.selection.estimators import Scorer as Scorer
    from assay.selection.estimators import evaluate as evaluate
    from assay.selection.estimators import scorer as scorer
    from assay.selection.splits.split_check import SplitCheck as SplitCheck
    from assay.selection.splits.split_check import check_split as check_split
    from assay.selection.splits.split_items import split_items as split_items
    from assay.selection.thresholds import Thresholds as Thresholds
    from assay.selection.thresholds import threshold as threshold
    from assay.selection.tuning.tune import Tuning as Tuning
    from assay.selection.tuning.tune import tune as tune
    from assay.statistics.intervals.unit_intervals import Bootstrap as Bootstrap
    from assay.statistics.slice_gaps import slice_gaps as slice_gaps
    from assay.statistics.slice_gaps import worst_slices as worst_slices
    from assay.tasks.agreement import AgreementEvidence as AgreementEvidence
    from assay.tasks.agreement import agreement as agreement
    from assay.tasks.check_files import CheckReport as CheckReport
    from assay.tasks.check_files import check as check
    from assay.tasks.classification.classification import (
        ClassificationEvidence as ClassificationEvidence,
    )
    from assay.tasks.classification.classification import classification as classification
    from assay.tasks.classification.classification import robustness as robustness
    from assay.tasks.classification.classification_columns import (
        ClassificationColumns as ClassificationColumns,
    )
    from assay.tasks.classification.confusion import ConfusionEvidence as ConfusionEvidence
    from assay.tasks.classification.confusion import confusion as confusion
    from assay.tasks.classification.cross_entropy import CrossEntropy as CrossEntropy
    from assay.tasks.classification.cross_entropy import entropy as entropy
    from assay.tasks.classification.fairness import FairnessReport as FairnessReport
    from assay.tasks.classification.fairness import fairness as fairness
    from assay.tasks.classification.given_densities import DensityRates as DensityRates
    from assay.tasks.classification.given_densities import rates as rates
    from assay.tasks.classification.matrix_overview import MatrixOverview as MatrixOverview
    from assay.tasks.classification.matrix_overview import overview as overview
    from assay.tasks.classification.method_comparison import MethodComparison as MethodComparison
    from assay.tasks.classification.method_comparison import compare_methods as compare_methods
    from assay.tasks.classification.ranked_labels import top_k as top_k
    from assay.tasks.classification.suspect_labels import SuspectLabels as SuspectLabels
    from assay.tasks.classification.suspect_labels import suspects as suspects
    from assay.tasks.clustering.clustering import ClusteringEvidence as ClusteringEvidence
    from assay.tasks.clustering.clustering import clustering as clustering
    from assay.tasks.comparison.comparison import compare as compare
    from assay.tasks.comparison.comparison_result import Comparison as Comparison
    from assay.tasks.correlation.correlation_evidence import (
        CorrelationEvidence as CorrelationEvidence,
    )
    from assay.tasks.correlation.correlation_evidence import correlation as correlation
    from assay.tasks.explanation.explain import explain as explain
    from assay.tasks.explanation.ranking_explanations import Explanation as Explanation
    from assay.tasks.explanation.ranking_explanations import explain_retrieval as explain_retrieval
    from assay.tasks.explanation.table_explanations import (
        explain_classification as explain_classification,
    )
    from assay.tasks.gates.gate import Gate as Gate
    from assay.tasks.gates.gate import gate as gate
    from assay.tasks.label_sets import labelsets as labelsets
    from assay.tasks.power import Power as Power
    from assay.tasks.power import power as power
    from assay.tasks.preferences import PreferenceEvidence as PreferenceEvidence
    from assay.tasks.preferences import preferences as preferences
    from assay.tasks.regression.predictions import RegressionColumns as RegressionColumns
    from assay.tasks.regression.regression import RegressionEvidence as RegressionEvidence
    from assay.tasks.regression.regression import regression as regression
    from assay.tasks.retrieval.costs import quality_and_cost as quality_and_cost
    from assay.tasks.retrieval.holes import HolesReport as HolesReport
    from assay.tasks.retrieval.holes import holes as holes
    from assay.tasks.retrieval.judge_next import judge_next as judge_next
    from assay.tasks.retrieval.precision_recall_points import (
        PrecisionRecallPoints as PrecisionRecallPoints,
    )
    from assay.tasks.retrieval.precision_recall_points import pr as pr
    from assay.tasks.retrieval.retrieval import retrieval as retrieval
    from assay.tasks.retrieval.retrieval_evidence import RetrievalEvidence as RetrievalEvidence
    from assay.tasks.retrieval.risk import risk as risk
    from assay.tasks.retrieval.spark_retrieval import SparkRetrieval as SparkRetrieval
    from assay.tasks.retrieval.spark_settings import SparkSettings as SparkSettings
    from assay.tasks.retrieval.ties import TiesReport as TiesReport
    from assay.tasks.retrieval.ties import ties as ties
    from assay.tasks.scores.read_scores import read_score_table as read_score_table
    from assay.tasks.spans import spans as spans

    cost, next = quality_and_cost, judge_next

_NAMES = {
    "behavior": "clicks experiment interleave lab",
    "behavior.clicks.fitted_model": "ClickModel",
    "behavior.logs.click_log": "read_clicks",
    "behavior.logs.click_table": "Clicks",
    "benchmark": "split",
    "benchmark.aggregation": "Aggregation aggregate",
    "benchmark.campaign.campaign": "Campaign",
    "benchmark.collections.collection": "Collection",
    "benchmark.collections.labels": "read_labels",
    "benchmark.collections.read_files": "read_topics write_topics",
    "benchmark.pools.make_pool": "pool",
    "benchmark.pools.pool": "Pool",
    "benchmark.pools.pool_stats": "PoolStats pool_stats",
    "benchmark.reusability.plan": "PoolPlan pool_plan",
    "benchmark.reusability.reuse": "Reusability pool_reuse",
    "benchmark.collections.splits": "split_topics",
    "core.catalogue": "catalogue",
    "core.conventions": "Conventions RunSettings",
    "core.curves": "curve",
    "core.definition": "define",
    "core.errors": "AssayError GateFailed",
    "core.names": "measure",
    "engine.load": "load",
    "engine.result": "Result",
    "engine.scores": "Scores",
    "formats.conversion": "convert read_qrels read_run",
    "formats.splits": "Splits",
    "fusion.fuse": "fuse",
    "reports.figures.figure": "Figure",
    "reports.figures.plot": "plot",
    "reports.measure_goals": "measures_for",
    "reports.pages.report": "report",
    "reports.text.interpretation": "Interpretation interpret_matrix",
    "reports.text.unit_gain_tables": "gain_tables",
    "selection": "learn",
    "selection.cross_validation.cross_validate": "cross_validate",
    "selection.splits.split_check": "SplitCheck check_split",
    "selection.splits.split_items": "split_items",
    "selection.estimators": "Scorer evaluate scorer",
    "selection.thresholds": "Thresholds threshold",
    "selection.tuning.tune": "Tuning tune",
    "statistics.intervals.unit_intervals": "Bootstrap",
    "statistics.slice_gaps": "slice_gaps worst_slices",
    "tasks.agreement": "AgreementEvidence agreement",
    "tasks.check_files": "CheckReport check",
    "tasks.classification.classification": "ClassificationEvidence classification robustness",
    "tasks.classification.confusion": "ConfusionEvidence confusion",
    "tasks.classification.fairness": "FairnessReport fairness",
    "tasks.classification.cross_entropy": "CrossEntropy entropy",
    "tasks.classification.given_densities": "DensityRates rates",
    "tasks.classification.ranked_labels": "top_k",
    "tasks.classification.suspect_labels": "SuspectLabels suspects",
    "tasks.classification.matrix_overview": "MatrixOverview overview",
    "tasks.classification.method_comparison": "MethodComparison compare_methods",
    "tasks.classification.classification_columns": "ClassificationColumns",
    "tasks.clustering.clustering": "ClusteringEvidence clustering",
    "tasks.comparison.comparison": "compare",
    "tasks.comparison.comparison_result": "Comparison",
    "tasks.correlation.correlation_evidence": "CorrelationEvidence correlation",
    "tasks.explanation.explain": "explain",
    "tasks.explanation.ranking_explanations": "Explanation explain_retrieval",
    "tasks.explanation.table_explanations": "explain_classification",
    "tasks.gates.gate": "Gate gate",
    "tasks.label_sets": "labelsets",
    "tasks.power": "Power power",
    "tasks.preferences": "PreferenceEvidence preferences",
    "tasks.regression.predictions": "RegressionColumns",
    "tasks.regression.regression": "RegressionEvidence regression",
    "tasks.retrieval.costs": "cost quality_and_cost",
    "tasks.retrieval.holes": "HolesReport holes",
    "tasks.retrieval.judge_next": "judge_next next",
    "tasks.retrieval.precision_recall_points": "PrecisionRecallPoints pr",
    "tasks.retrieval.retrieval": "retrieval",
    "tasks.retrieval.retrieval_evidence": "RetrievalEvidence",
    "tasks.retrieval.risk": "risk",
    "tasks.retrieval.spark_retrieval": "SparkRetrieval",
    "tasks.retrieval.spark_settings": "SparkSettings",
    "tasks.retrieval.ties": "TiesReport ties",
    "tasks.scores.read_scores": "read_score_table",
    "tasks.spans": "spans",
}
"""The public names of each module."""
_HOMES = {name: f"assay.{module}" for module, names in _NAMES.items() for name in names.split()}
_HOMES["behavior"] = "assay"
_FUNCTIONS = {"cost": "quality_and_cost", "next": "judge_next"}
"""The names of commands, for functions that have another name, too."""

__all__ = ["__version__", *_HOMES]


def _load_reports() -> None:
    """Import what shows results, when a result is first shown."""
    import importlib

    importlib.import_module("assay.reports.text.result_text")


def __getattr__(name: str) -> object:
    """Import a public name when it is first used, so that importing Assay costs nothing."""
    import importlib

    if name not in _HOMES:
        raise AttributeError(f"module 'assay' has no attribute '{name}'")
    if _HOMES[name] == __name__:
        return importlib.import_module(f"assay.{name}")
    home = importlib.import_module(_HOMES[name])
    if hasattr(home, found := _FUNCTIONS.get(name, name)):
        return _with_other_names(home, found)
    return importlib.import_module(f"{_HOMES[name]}.{name}")  # a name that is a module


def _with_other_names(home: object, name: str) -> object:
    """Return what a module offers; a function takes its arguments by the names of others, too."""
    found = getattr(home, name)
    if type(found).__name__ != "function" or hasattr(found, "__explained__"):
        return found
    from assay.core.arguments import explains_arguments

    found = explains_arguments(found)
    found.__explained__ = True  # type: ignore[attr-defined]
    setattr(home, name, found)  # so that it can be pickled
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
