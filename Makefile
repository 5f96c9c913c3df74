# The one front door. `make run` and `make test` need nothing but make and any python3, or uv.

VENV := .venv/bin/python
SOURCES := app engine storage ui resources tests
unexport PYTHONDONTWRITEBYTECODE # each of the processes that a run starts would compile the sources anew
APP := $(if $(filter Darwin,$(shell uname -s)),dist/Hearth.app,dist/Hearth)

.PHONY: run setup setup-dev setup-bundle test quick lint lint-ruff lint-types lint-types-darwin lint-layers check format bench peers ranks ui shots conformance conformance-ranks upstream soak demo-evaluate translations requirements \
	bundle bundle-check icon sign dmg notarize clean

run: setup            ## open Hearth, or show it by a scripted tour where there is no display
	@bash packaging/run.sh

setup:                ## virtual environment, pinned requirements, system libraries
	@bash packaging/setup.sh runtime

setup-dev:
	@bash packaging/setup.sh dev

setup-bundle:
	@bash packaging/setup.sh bundle

test: setup-dev       ## every test, on all cores (tests/conftest.py says how many workers)
	@$(VENV) -m pytest -n logical --maxprocesses 4 --dist worksteal --durations 25

quick: setup-dev      ## one case of each unit test that opens no window and starts no process, in about a minute
	@$(VENV) -m pytest -n logical --maxprocesses 4 --dist worksteal --quick --hypothesis-profile brief -q tests/unit

lint: setup-bundle       ## format, ruff, mypy, the layers of folders, all at the same time
	@$(MAKE) --no-print-directory --jobs --keep-going lint-types lint-types-darwin lint-ruff lint-layers

lint-ruff:
	@$(VENV) -m ruff format --check .
	@$(VENV) -m ruff check .

lint-types:
	@$(VENV) -m mypy

lint-types-darwin:
	@$(VENV) -m mypy --platform darwin --cache-dir .mypy_cache/darwin

lint-layers:
	@.venv/bin/lint-imports

check: lint test

format: setup-dev
	@$(VENV) -m ruff format .
	@$(VENV) -m ruff check --fix .

bench: setup-dev      ## tables; BENCH_JSON=FILE also writes them as JSON lines, `python -m tests.bench NAME` prints one
	@$(VENV) -m tests.bench $(filter peers ranks ui,$(MAKECMDGOALS))

peers ranks ui: bench ## `make bench peers`: other servers on one journey; `make bench ranks`: two processes; `make bench ui`: the window
	@:

shots: setup-dev      ## pictures of every main state of the window, in each language, light and dark, 1x and 2x, in shots/
	@$(VENV) -m tests.shots

soak: setup-dev       ## eight tabs for half an hour, each reply compared with a cold one; kills, damage, a full disk, 400 examples
	@$(VENV) -m tests.soak

conformance: setup-dev  ## every model family against docs/families.md; `python -m tests.conformance --write` makes it
	@$(VENV) -m tests.conformance

conformance-ranks: setup-dev  ## every family that can be split, on two and three ranks, against docs/families-ranks.md (`--write` as above)
	@$(VENV) -m tests.conformance.ranks

upstream: setup-dev   ## every model family with another mlx-lm (MLX_LM=0.33.0; default: the newest) beside the pinned one
	@$(VENV) -m tests.conformance.upstream --version "$(MLX_LM)"

demo-evaluate: setup-dev  ## measure the built-in model again
	@$(VENV) -m tests.bench.demo_model

bundle: setup-bundle  ## Hearth.app on macOS, the same as a folder on Linux, in dist/
	@PYTHONHASHSEED=0 nice $(VENV) -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging/hearth.spec
	@$(VENV) packaging/sbom.py $(APP)

bundle-check: setup-bundle  ## a copy of it answers, resumes, upgrades; its size, contents and bill; the macOS wheels
	@$(VENV) packaging/sizes.py $(APP)
	@$(VENV) packaging/check_contents.py $(APP)
	@$(VENV) packaging/check_sbom.py $(APP)
	@$(VENV) packaging/check_bundle.py $(APP)
	@$(VENV) packaging/check_wheels.py

translations: setup-dev  ## bring resources/language/*.ts in step with the texts in the code
	@$(VENV) packaging/translations.py

icon: setup-bundle    ## the icon's files from its drawings
	@$(VENV) packaging/make_icon.py

sign:                 ## sign dist/Hearth.app (CODESIGN_IDENTITY, or ad hoc without it)
	@bash packaging/sign.sh $(APP)
	@$(VENV) packaging/sbom.py $(APP)  # a signature changes the hashes

dmg:                  ## dist/Hearth.dmg
	@bash packaging/dmg.sh $(APP)

notarize:             ## have Apple check the DMG, and staple its ticket to it
	@bash packaging/notarize.sh dist/Hearth.dmg

requirements: setup-dev   ## pin anew after a change of pyproject.toml
	@bash packaging/pin.sh

clean:
	rm -rf .venv .uv .python .mypy_cache .ruff_cache .pytest_cache .hypothesis build dist tour
