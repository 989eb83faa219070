"""Correlation: two orders of the same items to Scores."""
