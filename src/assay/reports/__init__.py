"""Scores and views to tables, plots and pages."""
