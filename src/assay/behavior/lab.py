"""Laboratory experiments: design who does what when, and analyze the outcomes.

>>> import assay
>>> design = assay.lab.design(["old", "new"], 4, 8)
>>> design.balance["balanced"].all()
True
"""

from __future__ import annotations

from assay.behavior.laboratory.lab_analysis import analyze_trials as analyze
from assay.behavior.laboratory.lab_design import LabDesign as LabDesign
from assay.behavior.laboratory.lab_design import design_experiment as design
from assay.behavior.laboratory.lab_result import LabResult as LabResult

__all__ = ["LabDesign", "LabResult", "analyze", "design"]
