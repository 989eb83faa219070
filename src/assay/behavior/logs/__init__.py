"""Click logs: files of several formats to one table of impressions."""
