"""Sets of labels, and spans of text."""
