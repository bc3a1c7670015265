PYTHON ?= python3.11
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test install install-dev browser

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
