"""Data for the demonstration, made on the spot: nothing is downloaded."""
