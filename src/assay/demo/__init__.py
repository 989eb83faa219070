"""Data for the demo, generated locally: nothing is downloaded."""
