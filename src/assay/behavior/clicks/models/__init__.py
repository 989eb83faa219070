"""The structures of click models, one family per module."""
