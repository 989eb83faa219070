"""What users do: logs, click models, experiments and counterfactual estimates."""
