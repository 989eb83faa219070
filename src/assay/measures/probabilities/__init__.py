"""Probabilities of classes."""
