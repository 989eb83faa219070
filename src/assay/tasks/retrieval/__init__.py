"""Retrieval: judgments and runs to Scores, and what explains them."""
