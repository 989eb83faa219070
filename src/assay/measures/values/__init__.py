"""Predicted numbers."""
