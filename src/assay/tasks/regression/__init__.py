"""Regression: true and predicted numbers to Scores."""
