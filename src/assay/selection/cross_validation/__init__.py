"""Cross-validation: every item is predicted by a model that was trained without it."""
