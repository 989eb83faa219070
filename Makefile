# Every target does its own set-up (scripts/setup.sh): Python 3.11 or newer and make are enough.
# PYTHON=/path/to/python chooses the interpreter, WORKERS=n the number of test processes.

.DEFAULT_GOAL := help
.NOTPARALLEL:

# Start-up is measured with compiled packages; variables of other environments do not apply.
unexport PYTHONDONTWRITEBYTECODE PYTHONHOME PYTHONPATH
# One order of sets in all tests, so that they are deterministic; tests that try others start a process.
export PYTHONHASHSEED ?= 0

BIN := .venv/bin
WORKERS ?= auto
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --maxprocesses 8

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-8s %s\n", $$1, $$2 }' Makefile

.PHONY: demo
demo: setup-demo ## Evaluate real systems on real data; the files go to demo-output/
	$(BIN)/assay demo --folder demo-output

.PHONY: test
test: lint ## All checks, and all tests but the slow ones
	$(PYTEST) -m "not slow and not simulate"

# The browser tests find a chromium or install one; ASSAY_WITH_BROWSER=0 make test does not try.
ifneq ($(ASSAY_WITH_BROWSER),0)
test: browser
endif

# So do the tests of campaigns with PostgreSQL; ASSAY_WITH_POSTGRES=0 make test does not try.
ifneq ($(ASSAY_WITH_POSTGRES),0)
test slow simulate: postgres
endif

# pytest ends with 5 when it finds no test: there may be no slow ones.
.PHONY: slow
slow: setup-test ## The slow tests
	$(PYTEST) -m "slow and not simulate" || [ $$? -eq 5 ]

.PHONY: simulate
simulate: setup-test ## The simulations behind the figures of the handbook
	$(PYTEST) -m simulate

.PHONY: minimum
minimum: setup-minimum ## The fast tests with the lowest versions that pyproject.toml allows
	.venv-minimum/bin/python -m pytest -n $(WORKERS) --maxprocesses 8 \
	  -m "not slow and not browser and not oracle and not shared"

.PHONY: oracles
oracles: setup-test setup-oracles ## Comparisons with tea-tasting, minisom and pyod, in an environment of its own
	$(PYTEST) -m oracle tests/behavior tests/selection/learning

# Spark holds pandas back, so it has an environment and a lock of its own. Without Java the tests
# skip themselves, by name; where PySpark cannot be installed, the set-up says so and none runs.
.PHONY: spark
spark: setup-spark ## The Spark engine: parity, a cluster of processes, Spark Connect
	[ ! -e .venv-spark/.installed-spark ] || .venv-spark/bin/python -m pytest tests/spark

.PHONY: bench-spark
bench-spark: setup-spark ## Speed of the Spark engine; ROWS=100000000 by default
	.venv-spark/bin/python bench/spark.py

.PHONY: containers
containers: setup-containers ## All containers of inputs, with pandas 2, pandas 3 without pyarrow, neither
	for kind in pandas2 pandas3 neither; do \
	  .venv-containers-$$kind/bin/python -m pytest -q tests/containers || exit 1; done

.PHONY: lint
lint: setup-test ## Style, types, import direction, dependencies, dead code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-logo
	$(BIN)/deptry src
	$(BIN)/vulture

.PHONY: format
format: setup-test ## Fix the style where a tool can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: bench
bench: setup-bench ## Speed, compared with other tools
	$(BIN)/python bench/start.py
	$(BIN)/python bench/goals.py
	$(BIN)/python bench/scaling.py
	$(BIN)/python bench/run.py
	$(BIN)/python bench/speed_of_statistics.py
	$(BIN)/python bench/tables.py
	$(BIN)/python bench/growth.py
	$(BIN)/python bench/classification.py
	$(BIN)/python bench/cross_validation.py
	$(BIN)/python bench/clustering.py
	$(BIN)/python bench/reduction.py
	$(BIN)/python bench/holes.py
	$(BIN)/python bench/clicks.py
	$(BIN)/python bench/pools.py
	$(BIN)/python bench/campaign.py
	$(BIN)/python bench/web.py

.PHONY: docs
docs: setup-docs ## Build the handbook into site/, its reference from the code
	$(BIN)/python -m assay.reports.handbook docs/reference
	$(BIN)/python -m assay.reports.api_reference docs/reference/python
	$(BIN)/python scripts/notebooks.py docs/notebooks docs/reference/notebooks
	$(BIN)/python scripts/notebooks.py docs/course docs/reference/course
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	@echo "The handbook is in site/index.html."

.PHONY: postgres
postgres: ## Find or install PostgreSQL for the tests of campaigns
	@sh scripts/setup.sh postgres

.PHONY: browser
browser: ## Find or install a chromium for the browser tests
	@sh scripts/setup.sh browser

# Versions only: pip takes the file as constraints beside an editable install, which hashes would
# forbid, and it stays readable (100 lines instead of 3,000). It names no host and no path.
.PHONY: lock
lock: setup-test ## Renew requirements/test.lock: the newest versions within the bounds
	$(BIN)/python -m pip install --quiet uv
	{ echo "# What the targets of the Makefile install, on any Python from 3.11. Renew: make lock"; \
	  $(BIN)/uv pip compile --quiet --universal --extra test --extra docs --extra bench --no-header --no-annotate \
	    pyproject.toml; } > requirements/test.lock.new
	mv requirements/test.lock.new requirements/test.lock
	{ echo "# What make spark installs, on any Python from 3.11. Renew: make lock"; \
	  $(BIN)/uv pip compile --quiet --universal --extra spark --no-header --no-annotate \
	    pyproject.toml requirements/spark.in; } > requirements/spark.lock.new
	mv requirements/spark.lock.new requirements/spark.lock

.PHONY: clean
clean: ## Remove the files and environments that the targets create
	rm -rf .venv .venv-minimum .venv-oracles .venv-spark .venv-containers-* demo-output build dist site docs/reference mutants
	rm -rf .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

.PHONY: setup-demo setup-test setup-bench setup-docs setup-minimum setup-oracles setup-containers
.PHONY: setup-spark
setup-demo setup-test setup-bench setup-docs setup-minimum setup-oracles setup-containers \
setup-spark: setup-%:
	@sh scripts/setup.sh $*
