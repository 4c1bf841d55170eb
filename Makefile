# Newcomers need two commands, `make play` and `make test`. Each sets up what it needs in .venv; only
# the first run takes time for that. Versions are pinned in constraints.txt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALL := $(BIN)/uv pip install --quiet --python $(BIN)/python --constraint constraints.txt
PIP := install --quiet --disable-pip-version-check --constraint constraints.txt
# For `make thorough`. The last line is what RLlib needs besides; its extra wants an old Gymnasium.
LARGE := torch triton dm-tree jax numba-cuda[cu13] sb3-contrib torchrl \
	pandas tensorboardX lz4 ormsgpack scipy pydantic requests
VENDOR := src/mauerwerk/server/ui/static/vendor
# Independent parts are set up at the same time.
TOGETHER := @$(MAKE) --no-print-directory --jobs 3 --output-sync=target
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
# If this were set, every process would compile all Python sources again.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: help play dev quick test thorough test-python tests-alone coverage check format docs site wasm pocket messages \
	snapshots bench load fuzz mutants torture chromium other-programs constraints newest-versions release clean

help:
	@echo "make play         open the page in your browser"
	@echo "make dev          the same, and start again whenever a file in src changes"
	@echo "make test         run all checks and tests"
	@echo "make quick        run checks and fast tests, in less than a minute"
	@echo "make thorough     run all tests with large numbers, half an hour or more"
	@echo "make test-python  run the tests with PYTHON=python3.13 or another one, in .venv-3.13"
	@echo "make coverage     run all tests and write which lines they run to bench/results-tests.md"
	@echo "make check        ruff, mypy, pyright, import-linter"
	@echo "make format       format the code"
	@echo "make docs         rewrite the generated parts of docs/"
	@echo "make site         build the documentation as a site, in build/site/html"
	@echo "make wasm         build the kernels as WebAssembly, for wheels and browsers"
	@echo "make pocket       build the edition without a server, in build/pocket"
	@echo "make messages     collect new sentences for translators"
	@echo "make bench        run benchmarks, also of OpenSpiel and Pgx; writes bench/results.md"
	@echo "make load         load-test a server; writes bench/results-load.md"
	@echo "make mutants      try which small faults the tests find; writes bench/results-mutants.md"
	@echo "make fuzz         compare kernels with rules until you stop it"
	@echo "make torture      kill a server under load, 100 times or KILLS=… times"
	@echo "make snapshots    redraw the reference drawings of the tests"
	@echo "make constraints  pin the newest versions"
	@echo "make release      test, build and tag VERSION=…"
	@echo "make clean        remove the environments and all caches"

play:
	$(TOGETHER) $(VENV)/.for-play $(VENDOR)/.copied
	@$(BIN)/mauerwerk play

dev:
	$(TOGETHER) $(VENV)/.for-play $(VENDOR)/.copied
	@$(INSTALL) watchfiles
	@$(BIN)/python dev.py

quick:
	$(TOGETHER) $(VENV)/.for-development $(VENDOR)/.copied
	@$(BIN)/python -m tests.run quick

test:
	$(TOGETHER) $(VENV)/.for-development $(VENDOR)/.copied chromium
	@$(BIN)/python -m tests.run $@

# Its tests have an environment of their own, so that PyTorch does not slow down `make test`.
thorough:
	$(TOGETHER) $(VENV)/.for-development $(VENDOR)/.copied other-programs
	@$(MAKE) --no-print-directory VENV=.venv-thorough .venv-thorough/.for-thorough
	@$(BIN)/python -m tests.run $@

# Another interpreter has an environment of its own, and the checks need not be repeated there.
test-python:
	@version=$$($(PYTHON) -c 'import sys; print("{}.{}".format(*sys.version_info))') && \
		$(MAKE) --no-print-directory tests-alone VENV=.venv-$$version TIER=$(or $(TIER),test)

tests-alone:
	$(TOGETHER) $(VENV)/.for-development $(VENDOR)/.copied chromium
	@$(BIN)/python -m tests.run $(TIER) --tests-alone $(TESTS)

coverage:
	$(TOGETHER) $(VENV)/.for-development $(VENDOR)/.copied chromium
	@$(BIN)/python -m bench.coverage

check: $(VENV)/.for-development
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports

format: $(VENV)/.for-development
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/.for-development
	$(BIN)/python docs/spec.py
	$(BIN)/python docs/modules.py
	$(BIN)/python docs/studies/tables.py
	$(BIN)/python docs/studies/draw.py

site: $(VENV)/.for-development pocket
	$(BIN)/python -m docs.site.build

wasm: $(VENV)/.for-development
	$(BIN)/python -m mauerwerk.kernels.wasm_build

pocket: $(VENV)/.for-development $(VENDOR)/.copied wasm
	@$(BIN)/python -m mauerwerk.pocket.build

messages: $(VENV)/.for-development
	$(BIN)/python docs/messages.py

bench: $(VENV)/.for-bench
	$(BIN)/python -m bench.kernels
	$(BIN)/python -m bench.adapters
	$(BIN)/python -m bench.search
	$(BIN)/python -m bench.store

fuzz: $(VENV)/.for-development
	$(BIN)/python -m mauerwerk.kernels.compare

load: $(VENV)/.for-development
	$(BIN)/python -m bench.load

mutants: $(VENV)/.for-development $(VENDOR)/.copied
	@$(BIN)/python -m bench.mutants $(if $(ONLY),--only $(ONLY))

torture: $(VENV)/.for-development
	$(BIN)/python -m tests.server.engine.torture $(or $(KILLS),100)

snapshots: $(VENV)/.for-development
	$(BIN)/python -m tests.server.games.test_snapshots

constraints:
	@$(MAKE) --no-print-directory VENV=.venv-thorough newest-versions

newest-versions: $(VENV)/.for-development
	$(BIN)/uv pip install --quiet --python $(BIN)/python --torch-backend cpu --upgrade $(LARGE) \
		--editable '.[dev,bench]'
	$(BIN)/uv pip freeze --python $(BIN)/python --exclude-editable | sed 's/+cpu//' > constraints.txt

release: $(VENV)/.for-development $(VENDOR)/.copied
	@test -n "$(VERSION)" || { echo "Name a version: make release VERSION=0.3.0" >&2; exit 2; }
	@$(BIN)/python release.py $(VERSION) $(if $(TIER),--tests $(TIER))

clean:
	rm -rf .venv .venv-* .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis \
		node_modules build $(VENDOR)

$(VENV)/.for-play: pyproject.toml constraints.txt | $(BIN)/uv
	@echo "Setting up $(VENV) …"
	@$(INSTALL) --editable '.[server,kernels]'
	@touch $@

$(VENV)/.for-development: pyproject.toml constraints.txt | $(BIN)/uv
	@echo "Setting up $(VENV) for development …"
	@$(INSTALL) --editable '.[dev]'
	@touch $@ $(VENV)/.for-play

# Large packages of others. Where one cannot be installed, its tests are left out. uv can choose the
# small PyTorch for CPUs; pip also looks where the settings of this machine tell it to.
$(VENV)/.for-thorough: $(VENV)/.for-development
	@echo "Adding PyTorch, JAX and others to $(VENV) …"
	@for each in $(LARGE); do \
		$(INSTALL) --torch-backend cpu $$each 2>/dev/null || \
		$(PYTHON) -m pip --python $(BIN)/python $(PIP) $$each 2>/dev/null || \
		echo "$$each cannot be installed here; its tests are left out."; \
	done
	@touch $@

$(VENV)/.for-bench: pyproject.toml constraints.txt | $(BIN)/uv
	@echo "Setting up $(VENV) for benchmarks …"
	@$(INSTALL) --editable '.[bench]'
	@touch $@ $(VENV)/.for-play

# Copies the JavaScript libraries of the page from npm to where the server finds them.
$(VENDOR)/.copied: package.json package-lock.json fetch_scripts.py
	@command -v npm >/dev/null || { echo "The page needs Node 20 or newer, for npm." >&2; exit 2; }
	@npm ci --silent
	@$(PYTHON) fetch_scripts.py
	@touch $@

# Installs Debian's Chromium for tests in a real browser; CHROMIUM=… names another.
# Chromium without its windows takes a fifth of the CPU time; any other does as well.
chromium:
	@test -n "$$CHROMIUM" || command -v chromium-headless-shell >/dev/null || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && echo "Installing Chromium …" && \
		apt-get update -qq && for name in chromium-headless-shell chromium; do \
			apt-get install -qq -y --no-remove $$name fonts-liberation >/dev/null && break; \
		done; } || command -v chromium chromium-browser google-chrome chrome >/dev/null || \
	{ echo "make test needs Chromium: apt-get install chromium, or set CHROMIUM=…" >&2; exit 2; }

# Firefox, WebKit and nginx, for `make thorough`. Tests of what cannot be installed are left out.
# RUNLEVEL=1 keeps nginx from starting as a service of this machine.
other-programs: chromium
	@(PATH="$$PATH:/usr/sbin"; for each in firefox-esr WebKitWebDriver Xvfb nginx; do \
		command -v $$each >/dev/null || exit; done) || { \
		[ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && \
		echo "Installing Firefox, WebKit, nginx …" && apt-get update -qq && \
		RUNLEVEL=1 apt-get install -qq -y --no-remove firefox-esr webkit2gtk-driver \
			gir1.2-webkit2-4.1 python3-gi xvfb nginx >/dev/null; } || \
	echo "Firefox, WebKit or nginx cannot be installed here; their tests are left out."

# The interpreter's own pip, if it has one, is quicker than giving the environment another.
$(BIN)/uv:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
		|| { echo "Mauerwerk needs Python 3.11 or newer; set PYTHON=… to name one." >&2; exit 2; }
	@if $(PYTHON) -m pip --version >/dev/null 2>&1; then \
		$(PYTHON) -m venv --clear --without-pip $(VENV) && $(PYTHON) -m pip --python $(BIN)/python $(PIP) uv; \
	else $(PYTHON) -m venv --clear $(VENV) && $(BIN)/pip $(PIP) uv; fi
