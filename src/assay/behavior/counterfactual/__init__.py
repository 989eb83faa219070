"""The value of a new ranking, estimated from the log of another one."""
