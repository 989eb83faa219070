"""Test collections: documents, topics and judgments as they are published."""
