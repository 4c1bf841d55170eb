# Two commands for newcomers: `make play` and `make test`. Each sets up what it needs in .venv;
# the second time there is nothing to set up. Versions are pinned in constraints.txt.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help play test check format docs messages snapshots bench load fuzz torture constraints clean

help:
	@echo "make play         play Die Mauer in this terminal; or GAME=burgbaumeister, GAME=mauerbauer"
	@echo "make test         check and test everything"
	@echo "make check        ruff, mypy, pyright, import-linter"
	@echo "make format       format the code"
	@echo "make docs         rewrite what is generated in docs/"
	@echo "make messages     find new sentences, for translators"
	@echo "make bench        measure, beside OpenSpiel and Pgx; writes bench/results.md"
	@echo "make load         measure a server under load; writes bench/results-load.md"
	@echo "make fuzz         compare kernels with rules until stopped"
	@echo "make torture      kill a server under load, 100 times or KILLS=…"
	@echo "make snapshots    redraw what the drawings are compared with"
	@echo "make constraints  pin the newest versions"
	@echo "make clean        remove the environment and all caches"

GAME := mauer

play: .venv/.for-play
	@$(BIN)/mauerwerk play $(GAME)

test: check
	$(BIN)/python -m mauerwerk.kernels.warm
	$(BIN)/pytest --quiet --numprocesses auto --dist worksteal

check: .venv/.for-development
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports

format: .venv/.for-development
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: .venv/.for-development
	$(BIN)/python docs/spec.py

messages: .venv/.for-development
	$(BIN)/python docs/messages.py

bench: .venv/.for-bench
	$(BIN)/python bench/rules.py
	$(BIN)/python -m bench.kernels
	$(BIN)/python -m bench.adapters
	$(BIN)/python -m bench.search

fuzz: .venv/.for-development
	$(BIN)/python -m mauerwerk.kernels.fuzz

load: .venv/.for-development
	$(BIN)/python -m bench.load

torture: .venv/.for-development
	$(BIN)/python -m tests.play.torture $(or $(KILLS),100)

snapshots: .venv/.for-development
	$(BIN)/python -m tests.web.boards.test_snapshots

constraints: .venv/.for-development
	$(BIN)/pip install --quiet --upgrade --upgrade-strategy eager --editable '.[dev,bench]'
	$(BIN)/pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

.venv/.for-play: pyproject.toml constraints.txt | .venv/bin/pip
	@echo "Setting up .venv …"
	@$(PIP) --editable .
	@touch $@

.venv/.for-development: pyproject.toml constraints.txt | .venv/bin/pip
	@echo "Setting up .venv for development …"
	@$(PIP) --editable '.[dev]'
	@touch $@ .venv/.for-play

.venv/.for-bench: pyproject.toml constraints.txt | .venv/bin/pip
	@echo "Setting up .venv for measuring …"
	@$(PIP) --editable '.[bench]'
	@touch $@ .venv/.for-play

.venv/bin/pip:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Mauerwerk needs Python 3.11 or newer; set PYTHON=… to name one." >&2; exit 2; }
	@$(PYTHON) -m venv --clear .venv
