"""Scores from files and tables."""
