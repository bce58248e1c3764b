# The few commands that matter. CI uses the same ones.
PYTHON ?= python3
VENV := .venv
RUN := $(VENV)/bin/python
STAMP := $(VENV)/installed
ADDRESS ?= 127.0.0.1:8000
# A module's tests run in one process: what they share is made once
TESTS := $(RUN) -m pytest -q -n 2 --dist loadscope --no-loadscope-reorder

export NO_MKDOCS_2_WARNING := 1
export PYTHONDONTWRITEBYTECODE := 1
# The date of what is made is that of the version
export SOURCE_DATE_EPOCH ?= $(shell $(PYTHON) -c 'import re, datetime as d; \
	day = re.search(r"(?m)^date-released:\W*([\d-]+)", open("CITATION.cff").read()); \
	print(int(d.datetime.fromisoformat(day[1] + "T00:00+00:00").timestamp()) if day else 1767225600)')

.PHONY: serve build test test-quick verify check check-all lint report offline bench bench-browser pages golden freeze \
	libraries publish pdf clean

serve: $(STAMP) ## build, serve and rebuild as files change
	@echo "Serving on http://$(ADDRESS)/ (stop with Ctrl-C)"
	@$(RUN) -m mkdocs serve --dev-addr $(ADDRESS)

build: $(STAMP) ## the site, into site/
	@$(RUN) -m mkdocs build --strict

pdf: $(STAMP) ## the site with PDFs of its examples and its lesson; needs a Chromium
	@PDF=1 $(RUN) -m mkdocs build --strict

test: $(STAMP) ## every test; those in a browser where a Chromium is found
	@SYMPY_GROUND_TYPES=python $(TESTS) -m numbers
	@SYMPY_GROUND_TYPES=flint $(TESTS)

test-quick: $(STAMP) ## without the browser and the mutants
	@$(TESTS) -m "not browser and not mutants"

verify: $(STAMP) ## the pages as they are now, with the examples that are there: each number and link, in browsers too
	@$(RUN) -m pytest -q -n 2 -m own $$(grep -l "mark[.]own" tests/test_*.py)

check: lint test build ## what CI decides by

check-all: check ## also everything in the browsers for every page, and the pages with another builder
	@EVERYTHING=1 $(RUN) -m pytest -q -n 2 -m browser
	@$(RUN) -m scripts.other_builder

lint: $(STAMP)
	@$(RUN) -m ruff check .
	@$(RUN) -m mypy

report: $(STAMP) ## this machine's own float errors, into build/report.txt
	@$(RUN) -m scripts.report

libraries: $(STAMP) ## what libraries make of the example; RUN=... names a Python that has PyTorch and JAX
	@$(RUN) -m scripts.libraries

offline: $(STAMP) ## the site as a zip that works from a disk, into build/
	@$(RUN) -m scripts.offline

publish: export PATH := $(CURDIR)/$(VENV)/bin:$(PATH)
publish: $(STAMP) ## VERSION=1.0: the site beside the versions before it, on the branch gh-pages, as latest too; with PDF=1 also its PDFs
	@PYTHONPATH=. mike deploy --update-aliases --alias-type=copy $(VERSION) latest
	@PYTHONPATH=. mike set-default --allow-empty latest

bench: $(STAMP) ## speed, as ratios within one run
	@$(RUN) -m benchmarks
	@$(RUN) -m benchmarks.preview

bench-browser: build ## the heaviest page beside KaTeX and MathJax, and Lighthouse (Node 20)
	@$(RUN) -m benchmarks.reading
	@$(RUN) -m benchmarks.lighthouse

pages: $(STAMP) ## the page set as files, into build/pages, for another builder
	@$(RUN) -m derivations pages build/pages

golden: $(STAMP) ## write the golden pages anew; read the difference before you commit it
	@$(RUN) -m tests.test_golden

freeze: ## install the newest versions that pyproject.toml allows, and list them
	@$(PYTHON) -m venv --clear $(VENV)
	@$(RUN) -m pip install -q --upgrade ".[pdf,test,conformance]" && $(RUN) -m pip uninstall -q -y attention-derived
	@$(RUN) -m pip freeze --exclude-editable > requirements.txt
	@$(RUN) -m pip install -q --no-deps --target $(VENV)/cff -r requirements-cff.txt && touch $(STAMP)

clean:
	@rm -rf site build .pytest_cache .mypy_cache .ruff_cache .hypothesis

$(STAMP): requirements.txt requirements-cff.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or later is needed: make PYTHON=python3.12')"
	@echo "Installing into $(VENV), once"
	@$(PYTHON) -m venv $(VENV)
	@$(RUN) -m pip install -q --disable-pip-version-check -r requirements.txt
	@$(RUN) -m pip install -q --disable-pip-version-check --no-deps --target $(VENV)/cff -r requirements-cff.txt
	@touch $(STAMP)
