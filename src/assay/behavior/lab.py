"""Laboratory experiments: design who does what when, and analyze the outcomes.

>>> import assay
>>> design = assay.lab.design(["old", "new"], 4, 8)
>>> design.balance["balanced"].all()
True
"""

from __future__ import annotations

from assay.behavior.laboratory.lab_analysis import analyze_trials
from assay.behavior.laboratory.lab_design import LabDesign as LabDesign
from assay.behavior.laboratory.lab_design import design_experiment
from assay.behavior.laboratory.lab_result import LabResult as LabResult
from assay.core.arguments import explains_arguments

__all__ = ["LabDesign", "LabResult", "analyze", "design"]

analyze = explains_arguments(analyze_trials)
design = explains_arguments(design_experiment)
