"""Test collections: pools, judgments, campaigns and assessors."""
