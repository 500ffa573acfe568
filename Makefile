# `make help` lists what there is. Everything runs from nothing but Python 3.11 or newer and make: the virtual environment is
# created, and what a target needs is installed into it, when it is first asked for.

PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
FLOORS := $(VENV)-floors
SITE := $(VENV)-site
PAGES := build/site
DEMO := demo.zertz
MINUTES ?= 10
RECORD ?= 1
MUTANTS ?= 300
# One more than there are cores: tests wait for browsers and servers.
WORKERS ?= $(shell expr 1 + `getconf _NPROCESSORS_ONLN`)
QUICK := tests/parser tests/check tests/rules/test_rules.py tests/rules/test_position.py tests/queries/filters/test_filter_language.py

# What says most about packages in little time: the command line, grammars, tables, columns, names that are alike.
FLOOR_TESTS := tests/cli/commands/test_dialects.py tests/check/test_verdicts.py tests/store/schema tests/queries/test_duplicates.py \
	tests/queries/test_database_info.py tests/ingest/test_sightings.py

.PHONY: help demo dashboard test quick lint floors long perft archive bench fuzz mutate pictures stress site clean
.DEFAULT_GOAL := help

help:  ## this list
	@sed -n 's/^\([a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Python 3.11 or newer is needed, and '$(PYTHON)' is older: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/installed: pyproject.toml | $(BIN)/python
	@echo "Installing zertz-db into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dashboard,fast]'
	@touch $@

$(VENV)/installed-dev: pyproject.toml | $(BIN)/python
	@echo "Installing zertz-db and its development tools into $(VENV) …"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@ $(VENV)/installed

# An import that rejects records ends with status 1; among the samples are records with a fault of every kind.
demo: $(VENV)/installed  ## import the samples into a fresh database and ask it something
	@rm -rf $(DEMO)
	$(BIN)/zertz import data --db $(DEMO) || test $$? -eq 1
	$(BIN)/zertz info --db $(DEMO)
	$(BIN)/zertz games --limit 5 --db $(DEMO)
	@id=$$($(BIN)/zertz games --limit 1 --csv --db $(DEMO) 2>/dev/null | tail -n 1 | cut -d, -f1); \
		echo "$(BIN)/zertz show $$id --db $(DEMO)"; $(BIN)/zertz show "$$id" --db $(DEMO)
	@echo
	@echo "Try next:"
	@echo "  $(BIN)/zertz check data                            what is wrong in a record, and where"
	@echo "  $(BIN)/zertz sql 'select board, count(*) from games group by board' --db $(DEMO)"
	@echo "  $(BIN)/zertz import YOUR-RECORDS --db my.zertz     your own games"
	@echo "  make dashboard                                     the games in a browser"

dashboard: $(VENV)/installed  ## the demo's games in a browser (DEMO=folder for another database)
	@test -d $(DEMO) || $(BIN)/zertz import data --db $(DEMO) || test $$? -eq 1
	$(BIN)/zertz dashboard --db $(DEMO)

test: $(VENV)/installed-dev  ## the test suite without its slowest cases
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal

quick: $(VENV)/installed-dev  ## the tests that say most in little time: reading, rules, verdicts, repairs, filters
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal $(QUICK)

lint: $(VENV)/installed-dev  ## style, types, and which room imports which
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

floors:  ## the lowest versions of packages that work: install them in $(VENV)-floors with Python 3.11, and run some tests
	$(PYTHON) -m venv $(FLOORS)
	$(PYTHON) -m tests.project.packaging.floors >$(FLOORS)/floors.txt
	$(FLOORS)/bin/python -m pip install --quiet --disable-pip-version-check -r $(FLOORS)/floors.txt pytest hypothesis
	$(FLOORS)/bin/python -m pytest -q -p no:cacheprovider $(FLOOR_TESTS)

long: $(VENV)/installed-dev  ## the slow tests, and more cases of others (half an hour)
	$(BIN)/python -m pytest -n $(WORKERS) --dist worksteal -m long --hypothesis-profile new

perft: $(VENV)/installed-dev  ## count the legal moves to depth 3 (minutes)
	$(BIN)/python -m pytest -m perft

archive: $(VENV)/installed-dev  ## check a whole archive of real games against its oracle (minutes; ZERTZ_ARCHIVE=folder)
	ZERTZ_WHOLE_ARCHIVE=1 $(BIN)/python -m pytest -s -m "not perft" tests/archive

bench: $(VENV)/installed-dev  ## measure speed and size, and append the results to docs/performance.md (RECORD=0: do not)
	$(BIN)/python -m tests.bench $(if $(filter 0,$(RECORD)),--no-record)

pictures: $(VENV)/installed-dev  ## take the pictures of README and docs, with Chromium, from made-up games
	$(BIN)/python -m tests.browser.pictures

fuzz: $(VENV)/installed-dev  ## damaged texts and archives on their way to a verdict (MINUTES=10)
	$(BIN)/python -m tests.fuzz --minutes $(MINUTES)

mutate: $(VENV)/installed-dev  ## change the source at random, and see if the tests notice (hours; MUTANTS=300)
	$(BIN)/python -m tests.mutation --number $(MUTANTS)

stress: $(VENV)/installed-dev  ## imports that are killed, stopped, and run out of disk, hundreds of times (an hour)
	$(BIN)/python -m tests.stress
	$(BIN)/python -m tests.stress --tails

# An environment of its own: what themes need must not decide the versions of the others.
site:  ## these pages as a site in build/site/html, with a reference of the Python names
	@test -x $(SITE)/bin/python || $(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install --quiet --disable-pip-version-check --editable '.[site]'
	$(SITE)/bin/python docs/build_site.py $(PAGES)

clean:  ## remove the environment, the demo and everything built
	rm -rf $(VENV) $(FLOORS) $(SITE) $(DEMO) build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
	find parser zertz_db dashboards tests -name __pycache__ -type d -prune -exec rm -rf {} +
