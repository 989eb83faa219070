"""The web app: routes, pages and forms over campaigns. No SQL, no formulas."""
