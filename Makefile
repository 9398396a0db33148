# Every target runs in .venv; `make setup` builds it once from the two locked requirement files.
PYTHON ?= python3
PY := .venv/bin/python
STAMP := .venv/.locked
.DEFAULT_GOAL := help
.PHONY: help setup run stack test lint types contracts migrations pytest browser bench bench-peer kills soak mutants services services-stop lock format clean

help: ## List the targets
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 22

setup: $(STAMP) ## Build .venv with the locked dependencies (does nothing when it is there)

$(STAMP): requirements.txt requirements-dev.txt
	@test -x $(PY) || $(PYTHON) -m venv .venv
	@$(PY) -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.txt -r requirements-dev.txt
	@touch $(STAMP)

run: setup ## Start the desk on http://127.0.0.1:8000 with a demo shop: no Redis, no PostgreSQL, no key
	@$(PY) manage.py migrate --verbosity 0
	@$(PY) manage.py load_store orders/demo --if-empty
	@$(PY) manage.py import_articles helpcenter/demo --if-empty
	@$(PY) manage.py rundesk

stack: setup ## The production profile: daphne, worker and beat on DATABASE_URL and REDIS_URL (or on those of make services)
	@$(PY) manage.py runstack --services

test: setup ## The whole check: format, lint, types, import contracts, migrations, tests
	@$(MAKE) --no-print-directory -j 2 --output-sync=target lint types contracts migrations
	@$(MAKE) --no-print-directory pytest

lint: setup
	@$(PY) -m ruff format --check .
	@$(PY) -m ruff check .

types: setup
	@$(PY) -m mypy .

contracts: setup
	@$(PY) -c "import sys; from importlinter.cli import lint_imports_command; sys.exit(lint_imports_command())"

# The start-up checks want these where REDIS_URL is set; this target serves nobody.
migrations: export SECRET_KEY ?= a check of migrations, nothing more
migrations: export ALLOWED_HOSTS ?= 127.0.0.1
migrations: setup
	@$(PY) manage.py makemigrations --check --dry-run

# Tests wait for sockets and processes of their own, so one more worker than there are cores.
WORKERS ?= $(shell $(PYTHON) -c "import os; print((os.cpu_count() or 1) + 1)")

# PYTEST_FLAGS=--services-only leaves out what is the same on every engine.
pytest: setup
	@$(PY) -m pytest -n $(WORKERS) --dist worksteal -m "not browser and not soak and not kills" $(PYTEST_FLAGS)

browser: setup ## The journeys in a real Chromium (Debian's package)
	@$(PY) -m pytest -m browser -n 2 --dist loadfile

# The URLs of this shell, or those of private servers, and what the start-up checks of production want.
with_services = export $$(test -n "$$REDIS_URL" || .ci/services start) \
	SECRET_KEY="$${SECRET_KEY:-of the tests alone, 0123456789 abcdef}" ALLOWED_HOSTS="$${ALLOWED_HOSTS:-127.0.0.1,localhost}"

bench: setup ## The product's own figures in at most five minutes, JSON on the last line
	@$(PY) manage.py bench

bench-peer: setup ## The same beside the peer of ../shared/peers, in turns, with ratios
	@$(PY) manage.py bench --peer

kills: setup ## SIGKILL at every crash point, a deploy, a wiped broker, a zombie: real processes on PostgreSQL and Redis
	@$(with_services) && $(PY) -m pytest -m "kills and not soak" -n 2 --dist loadfile

soak: setup ## The long tests and KILL_ROUNDS (5) rounds of kills; goes on where it was interrupted (var/soak)
	@$(with_services) && $(PY) -m tests.soak

mutants: setup ## Whether the tables of cases notice a change of the pure core: mutmut in a copy below var/ (docs/mutants.md)
	@$(PY) -m tests.mutants

services: ## Start private PostgreSQL and Redis (Debian's packages) and print their URLs
	@.ci/services start

services-stop: ## Stop them
	@.ci/services stop

format: setup ## Format and sort imports
	@$(PY) -m ruff check --fix .
	@$(PY) -m ruff format .

lock: setup ## Compile pyproject.toml into the two requirement files
	@$(PY) -m pip install --quiet --disable-pip-version-check uv
	@$(PY) -m uv pip compile -q pyproject.toml --universal --generate-hashes --no-emit-index-url --no-annotate --custom-compile-command "make lock" -o requirements.txt
	@$(PY) -m uv pip compile -q pyproject.toml --extra dev --universal --generate-hashes --no-emit-index-url --no-annotate -c requirements.txt --custom-compile-command "make lock" -o requirements-dev.txt

clean: ## Remove the environment and the desk's local state
	rm -rf .venv var .mypy_cache .ruff_cache .pytest_cache .import_linter_cache
