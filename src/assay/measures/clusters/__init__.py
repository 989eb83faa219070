"""Groupings against a gold standard."""
