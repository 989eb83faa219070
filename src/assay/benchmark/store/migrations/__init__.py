"""Revisions of the campaign database."""
