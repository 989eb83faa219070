"""Binary rankings and sets of documents."""
