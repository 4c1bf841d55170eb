# Two commands for newcomers: `make play` and `make test`. Each sets up what it needs in .venv;
# the second time there is nothing to set up. Versions are pinned in constraints.txt.

PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: help play test check format docs bench constraints clean

help:
	@echo "make play         play Die Mauer in this terminal"
	@echo "make test         check and test everything"
	@echo "make check        ruff, mypy, pyright, import-linter"
	@echo "make format       format the code"
	@echo "make docs         rewrite what is generated in docs/"
	@echo "make bench        measure"
	@echo "make constraints  pin the newest versions"
	@echo "make clean        remove the environment and all caches"

play: .venv/.for-play
	@$(BIN)/mauerwerk play mauer --seats 4

test: check
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

bench: .venv/.for-play
	$(BIN)/python bench/rules.py

constraints: .venv/.for-development
	$(BIN)/pip install --quiet --upgrade --upgrade-strategy eager --editable '.[dev]'
	$(BIN)/pip freeze --exclude-editable > constraints.txt

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis

.venv/.for-play: pyproject.toml constraints.txt | .venv/pyvenv.cfg
	@echo "Setting up .venv …"
	@$(PIP) --editable .
	@touch $@

.venv/.for-development: pyproject.toml constraints.txt | .venv/pyvenv.cfg
	@echo "Setting up .venv for development …"
	@$(PIP) --editable '.[dev]'
	@touch $@ .venv/.for-play

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Mauerwerk needs Python 3.11 or newer; set PYTHON=… to name one." >&2; exit 2; }
	@$(PYTHON) -m venv .venv
