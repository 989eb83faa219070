"""Scores and thresholds."""
