"""Explanation: the table behind one number."""
