"""Clustering: items in clusters to Scores."""
