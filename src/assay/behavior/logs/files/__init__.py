"""The formats of click logs, one module each."""
