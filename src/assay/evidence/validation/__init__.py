"""Validation: invalid or suspicious judgments, runs and preferences."""
