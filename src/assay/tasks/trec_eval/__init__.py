"""Evaluating a run as trec_eval does: its words, its way with topics, its numbers."""
