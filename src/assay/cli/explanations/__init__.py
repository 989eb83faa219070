"""The tasks whose numbers ``assay explain`` takes apart."""
