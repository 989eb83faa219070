"""Curves of rankings, by depth and by recall."""

TASKS = ()
