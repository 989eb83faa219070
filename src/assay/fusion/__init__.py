"""Several runs to one."""
