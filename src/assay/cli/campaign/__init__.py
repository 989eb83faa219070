"""The operations of ``assay campaign``."""
