"""Measures times evidence: Scores."""
