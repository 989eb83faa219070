"""Unjudged documents: where they are, and rankings in which they have grades."""
