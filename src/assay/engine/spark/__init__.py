"""The engine on a cluster: values of whole lists are computed where the rows are.

Executors run the same code as one machine (``list_values.py``); the driver joins what they return
(``ranking_job.py``). Nothing here is imported unless a Spark frame is given.
"""
