# SPDX-License-Identifier: MIT
# `make run` opens the window, `make test` runs the tests; both make the environment first.

VENV := .venv
BIN := $(VENV)/bin
PYTHON := $(BIN)/python
READY := $(VENV)/.ready
WORKERS ?= 2
ARGS ?=

CODE := app kernels assets tests
QUICK := tests/threadloom/model tests/threadloom_assets tests/threadloom_kernels/test_discovery.py

.DEFAULT_GOAL := help
.PHONY: help env run test quick coverage check lint format lock cuda bench docs wheel bump release clean

help: ## List the targets
	@sed -n 's/^\([a-z]*\):.*## /  make \1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 16

env: $(READY) ## Make the environment in .venv from the lock

# The newest Python of 3.11 or later that starts (a pyenv shim may be there and not start).
$(READY): requirements.lock pyproject.toml
	@if ! $(PYTHON) -c 'import pip' 2>/dev/null; then \
	    python=; \
	    for candidate in $(PYTHON_FOR_VENV) python3.14 python3.13 python3.12 python3.11 python3; do \
	        if $$candidate -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
	            python=$$candidate; break; \
	        fi; \
	    done; \
	    if [ -z "$$python" ]; then \
	        echo 'Threadloom needs Python 3.11 or later. On Debian: sudo apt install python3 python3-venv' >&2; \
	        exit 1; \
	    fi; \
	    echo "Making $(VENV) with $$($$python --version)"; \
	    rm -rf $(VENV); \
	    if ! $$python -m venv $(VENV); then \
	        rm -rf $(VENV); \
	        echo 'Python has no working venv module. On Debian: sudo apt install python3-venv' >&2; \
	        exit 1; \
	    fi; \
	fi
	@echo 'Installing what requirements.lock names'
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -r requirements.lock
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check --no-deps -e .
	@touch $@

run: $(READY) ## Open the window (ARGS="…" passes arguments on)
	@$(PYTHON) -m threadloom $(ARGS)

test: $(READY) ## Run all tests
	@$(PYTHON) -m pytest -n $(WORKERS) $(ARGS)

quick: $(READY) ## Run the tests that take seconds
	@$(PYTHON) -m pytest -n $(WORKERS) -q $(QUICK)

# The tracer that costs least: sys.monitoring from Python 3.12 on, else the one in C.
coverage: $(READY) ## Run all tests and fail below the floor of coverage
	@mkdir -p build/coverage
	@core=$$($(PYTHON) -c 'import sys; print("sysmon" if sys.version_info >= (3, 12) else "ctrace")'); \
	    COVERAGE_CORE=$$core $(PYTHON) -m pytest -n $(WORKERS) --cov --cov-report=term $(ARGS)

lint: $(READY) ## Check format, style, types and layers, without the tests
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/mypy
	@$(BIN)/basedpyright --pythonpath $(PYTHON)
	@$(BIN)/lint-imports

check: lint test ## Run every check that a change must pass

format: $(READY) ## Put the code into the common format
	@$(BIN)/ruff format $(CODE)
	@$(BIN)/ruff check --fix $(CODE)

lock: $(READY) ## Solve the requirements anew and write requirements.lock
	@test -x build/uv/bin/uv || { $(PYTHON) -m venv build/uv && build/uv/bin/python -m pip install --quiet uv; }
	@build/uv/bin/uv pip compile --quiet --upgrade --universal --python-version 3.11 --extra dev --extra docs \
	    --generate-hashes --no-emit-index-url --custom-compile-command 'make lock' \
	    pyproject.toml -o requirements.lock

cuda: $(READY) ## Add PyCUDA and NVML to the environment (needs the CUDA toolkit)
	@$(PYTHON) -m pip install --disable-pip-version-check -e '.[cuda]'

bench: $(READY) ## Measure the program itself
	@$(PYTHON) tests/benchmarks/run.py $(ARGS)

docs: $(READY) ## Build the documentation into build/docs/
	@NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

pot: $(READY) ## Collect the texts for translators into assets/threadloom_assets/translations/
	@$(BIN)/pybabel --quiet extract --mapping-file babel.cfg --sort-by-file --no-wrap \
	    --project Threadloom --copyright-holder 'Threadloom contributors' \
	    --output assets/threadloom_assets/translations/threadloom.pot app kernels

wheel: $(READY) ## Build the wheel into dist/
	@rm -rf dist
	@$(PYTHON) -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir dist .
	@ls dist

bump: $(READY) ## Set the version: VERSION=0.2.0
	@$(PYTHON) .ci/release.py bump $(VERSION)

release: $(READY) ## Build wheel and sdist of a clean tree and tag it; nothing is pushed
	@$(PYTHON) .ci/release.py release

clean: ## Remove what the tools left behind; .venv stays
	@rm -rf build dist .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis
	@find $(CODE) -name __pycache__ -type d -prune -exec rm -rf {} +
