"""Comparison: Scores of several systems to differences and tests."""
