# The one front door. `make run` and `make test` need nothing but python3 (3.11 or newer) and make.

PYTHON := .venv/bin/python
SOURCES := app engine storage ui resources tests

.PHONY: run setup setup-dev test lint check format bench conformance soak demo-evaluate requirements clean

run: setup            ## open Hearth, or show it by a scripted tour where there is no display
	@bash packaging/run.sh

setup:                ## virtual environment, pinned requirements, system libraries
	@bash packaging/setup.sh runtime

setup-dev:
	@bash packaging/setup.sh dev

test: setup-dev       ## every test
	@$(PYTHON) -m pytest

lint: setup-dev       ## format, ruff, types, the house's layers
	@$(PYTHON) -m ruff format --check .
	@$(PYTHON) -m ruff check .
	@$(PYTHON) -m mypy
	@.venv/bin/lint-imports

check: lint test

format: setup-dev
	@$(PYTHON) -m ruff format .
	@$(PYTHON) -m ruff check --fix .

bench: setup-dev      ## tables; BENCH_JSON=FILE also writes them as JSON lines
	@$(PYTHON) -m tests.bench

soak: setup-dev       ## half an hour of eight simulated tabs; every reply is made again cold and alone, and must be equal
	@$(PYTHON) -m tests.soak

conformance: setup-dev  ## every model family against docs/families.md; `python -m tests.conformance --write` makes it
	@$(PYTHON) -m tests.conformance

demo-evaluate: setup-dev  ## measure the built-in model again
	@$(PYTHON) -m resources.demo_training.evaluate

requirements: setup-dev   ## pin anew after a change of pyproject.toml
	@bash packaging/pin.sh

clean:
	rm -rf .venv .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist tour
