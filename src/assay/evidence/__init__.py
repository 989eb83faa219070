"""Tables to views: joining, ordering, ties, missing queries, unjudged documents: only here."""
