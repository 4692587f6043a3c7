# Set up, open and check pokerlab. `make` alone lists the targets; README.md has the same commands without make.

VENV   := .venv
PY     := $(VENV)/bin/python
SCALE  ?= quick
PYTHON ?=
SOLUTIONS ?= yes
# The repository's public address, such as https://github.com/owner/name. Without it the site has no buttons for Binder and Colab.
REPOSITORY ?=
OPTIONS :=

# Notebooks that evolve by linear algebra, or read recordings that another processor might compute otherwise. In
# `make test` they run once, in `rounding`, as on another processor; `make slow` runs them as on this one, too. The
# longest comes first.
ROUNDED := notebooks/audits/samothrakis_2011.ipynb notebooks/audits/oliehoek_2006.ipynb \
           notebooks/09_minimax_coevolution.ipynb notebooks/09b_judges_that_err.ipynb notebooks/methods.ipynb \
           notebooks/12b_what_buckets_hide.ipynb notebooks/12c_finer_abstractions.ipynb \
           notebooks/12_what_forgetting_costs.ipynb \
           notebooks/11b_fooled_judges.ipynb notebooks/11_limit_holdem.ipynb \
           notebooks/15b_what_is_a_solution.ipynb notebooks/15_who_is_best.ipynb \
           notebooks/03_steps_and_averages.ipynb notebooks/05c_the_average_of_a_loop.ipynb \
           notebooks/05b_which_mistakes_die_out.ipynb notebooks/05_replicator_in_trees.ipynb \
           notebooks/14b_halls_of_fame.ipynb notebooks/14_neuroevolution.ipynb

# Begun first, so that no worker is left alone with one of them at the end; the longest comes first. Others take less
# than seven seconds.
LONGEST := notebooks/audits/samothrakis_2011.ipynb notebooks/audits/lanctot_2014.ipynb \
           notebooks/audits/oliehoek_2006.ipynb notebooks/07b_how_coevolution_fails.ipynb \
           notebooks/14b_halls_of_fame.ipynb \
           notebooks/14_neuroevolution.ipynb notebooks/09b_judges_that_err.ipynb \
           notebooks/09_minimax_coevolution.ipynb notebooks/08_nash_memory.ipynb \
           notebooks/audits/nicolai_2009.ipynb notebooks/methods.ipynb notebooks/12b_what_buckets_hide.ipynb \
           notebooks/12c_finer_abstractions.ipynb \
           notebooks/11b_fooled_judges.ipynb notebooks/audits/noble_2001.ipynb notebooks/13_pareto_coevolution.ipynb \
           notebooks/13b_dominance_or_elitism.ipynb notebooks/03_steps_and_averages.ipynb \
           notebooks/05c_the_average_of_a_loop.ipynb notebooks/05b_which_mistakes_die_out.ipynb \
           notebooks/05_replicator_in_trees.ipynb \
           notebooks/15b_what_is_a_solution.ipynb notebooks/15_who_is_best.ipynb notebooks/10b_luck_and_skill.ipynb \
           notebooks/07_coevolution.ipynb
NOTEBOOKS = $(LONGEST) $(filter-out $(LONGEST),$(sort $(shell find notebooks -name '*.ipynb' -not -path '*/.*')))

# What `make quick` tests: the laws of the house, and the library as far as it knows no card of hold'em.
QUICK := tests/architecture tests/conformance \
         $(patsubst %,tests/unit/%,core evolution games metrics runs solvers strategies)

# Looked for in this order unless `make ... PYTHON=/path/to/python` names one.
PYTHONS := $(if $(PYTHON),"$(PYTHON)",python3 python3.13 python3.12 python3.11 python3.14)
FITS    := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))

# What .venv and the compiled kernels were made from; each is made again when its sum changes.
INSTALLED_FROM := { pwd; cat pyproject.toml requirements.lock; } | cksum
COMPILED_FROM  := { pwd; find pokerlab -name '*.py' | LC_ALL=C sort | xargs cat; } | cksum

# A check is hundreds of processes: they share compiled modules and rewritten tests, whatever the shell says.
export PYTHONDONTWRITEBYTECODE :=

# Where the home folder cannot be written, .venv/home takes its place, without a cache of pip's downloads.
ifneq ($(shell test -d "$$HOME" && test -w "$$HOME" && echo writable),writable)
export HOME := $(CURDIR)/$(VENV)/home
export PIP_NO_CACHE_DIR := 1
endif

.DEFAULT_GOAL := help
# One target at a time, whatever -j says, but for the two halves of `make test`.
ifneq ($(MAKECMDGOALS),side-by-side)
.NOTPARALLEL:
endif
.PHONY: help setup installed install warm lab dash test side-by-side waiting working quick lint tests doctests
.PHONY: notebooks rounding browser smoke slow pythons figures outputs moving-picture handout site lite trial bench clean

help:
	@echo "make setup                        install everything into $(VENV) and compile the kernels"
	@echo "make lab                          open the notebooks in JupyterLab; OPTIONS=... go to JupyterLab"
	@echo "make dash                         open tables, explorers and benches as pages without code; OPTIONS=... go to Voila;"
	@echo "                                  OPTIONS=--guesses=FOLDER keeps the class's guesses there, without names"
	@echo "make test                         run every check but the slow tests and the other Pythons"
	@echo "make quick                        lint and the tests of small games, in two minutes; leaves out hold'em, papers,"
	@echo "                                  workbench, classroom, comparisons with slow definitions and other"
	@echo "                                  packages, doctests, notebooks and browser"
	@echo "make lint|tests|doctests|notebooks|rounding|browser|smoke   one part of the checks"
	@echo "make slow                         the tests that take longer, and those against Gambit if it is installed;"
	@echo "                                  the notebooks of \`rounding\` as on this processor"
	@echo "make pythons                      try the library under each other Python, 3.11 to 3.14, that is found"
	@echo "make figures SCALE=quick|lab|paper  run every notebook and write its figures into figures/SCALE;"
	@echo "                                  at paper scale also the gallery of the audits in figures/"
	@echo "make outputs                      what is committed and derived from what, and whether it is current;"
	@echo "                                  OPTIONS=--make makes what is out of date, which can take hours"
	@echo "make moving-picture               record the README's picture of a table and a bench again, in a Chromium"
	@echo "make handout                      copies of the lessons without outputs, for a class, into handout/;"
	@echo "                                  with SOLUTIONS=no those stand in handout-solutions/ only,"
	@echo "                                  and a course of nbgrader in handout-nbgrader/"
	@echo "make site                         lessons, audits and the library as pages to read, into site/"
	@echo "                                  with REPOSITORY=https://github.com/owner/name lessons have buttons for Binder and Colab"
	@echo "make lite                         a JupyterLab that runs in the browser itself, into lite/; make site publishes it, too"
	@echo "make trial                        let a class of browsers run one bench of \`make dash\` and measure this machine;"
	@echo "                                  OPTIONS=\"dash --students 30 --at-once 12\" (these are the defaults; lab: JupyterLab)"
	@echo "make bench                        time the solvers against LiteEFG and OpenSpiel, rewrite the table in figures/"
	@echo "make clean                        remove $(VENV), caches and builds"

setup: installed
	@if [ "$$(cat $(VENV)/compiled-from 2>/dev/null)" = "$$($(COMPILED_FROM))" ]; \
	then echo "setup: the compiled kernels are up to date"; \
	else $(MAKE) --no-print-directory warm; fi

installed:
	@if [ "$$(cat $(VENV)/installed-from 2>/dev/null)" = "$$($(INSTALLED_FROM))" ]; \
	then echo "setup: $(VENV) is up to date"; \
	else $(MAKE) --no-print-directory install; fi

install:
	@rm -f $(VENV)/installed-from
	@if $(PY) -c '$(FITS)' 2>/dev/null; then echo "setup: using the Python of $(VENV)"; exit 0; fi; \
	for python in $(PYTHONS); do \
	    if "$$python" -c '$(FITS)' 2>/dev/null; then \
	        echo "setup: making $(VENV) with $$("$$python" --version) ($$python)"; \
	        exec "$$python" -m venv --clear $(VENV); \
	    fi; \
	done; \
	echo "setup: found no Python 3.11 to 3.14 with its venv module; looked for: $(PYTHONS)."; \
	echo "       Debian, Ubuntu: apt-get install python3-venv.  macOS: brew install python@3.13."; \
	echo "       Or name one: make setup PYTHON=/path/to/python"; \
	exit 1
	@echo "setup: installing the versions of requirements.lock into $(VENV) (the first time: a few minutes, 1.2 GB on disk)"
	@$(PY) -m pip install --disable-pip-version-check --no-compile -r requirements.lock
	@# What pip would do one file after the other, on all cores and without the packages' tests.
	@$(PY) -W ignore -m compileall -qq -j 0 -x '/tests?/' $(VENV)/lib 2>/dev/null || true
	@echo "setup: installing pokerlab itself and checking its ranges"
	@$(PY) -m pip install --disable-pip-version-check --quiet --no-build-isolation -e '.[lab,test,site]'
	@$(INSTALLED_FROM) > $(VENV)/installed-from

warm:
	@echo "setup: compiling the kernels, so that the first run need not wait"
	@$(PY) -m pokerlab.warm
	@$(COMPILED_FROM) > $(VENV)/compiled-from

# The kernels of the first lesson are compiled before it opens, in some 10 seconds; the others while it is read.
lab: installed
	@if [ "$$(cat $(VENV)/compiled-from 2>/dev/null)" != "$$($(COMPILED_FROM))" ]; then \
	    $(PY) -m pokerlab.warm --first-lesson || exit 1; \
	    echo "lab: all other kernels are compiled meanwhile, in some 90 seconds; until then a first run may wait for its own ($(VENV)/warm.log)"; \
	    $(MAKE) --no-print-directory warm >$(VENV)/warm.log 2>&1 & \
	fi
	@$(PY) -m tools.lab $(OPTIONS)

dash: setup
	@$(PY) -m tools.dash $(OPTIONS)

test: setup
	@rm -f $(VENV)/failed.log
	@$(MAKE) --no-print-directory -j 2 side-by-side || { cat $(VENV)/failed.log 2>/dev/null; exit 1; }
	@echo "test: everything passed"

side-by-side: waiting working

# What uses one core at most, as the browser mostly waits. The output of a part comes in one piece at its end, and that
# of a part that fails at the very end.
waiting:
	@for part in lint browser; do \
	    log=$(VENV)/$$part.log; \
	    $(MAKE) --no-print-directory -o setup $$part >$$log 2>&1 \
	    || { echo "test: $$part failed; its output follows at the end"; mv $$log $(VENV)/failed.log; exit 1; }; \
	    cat $$log; \
	done

# What uses both cores; the last parts fill one of them while the browser ends.
working:
	@$(MAKE) --no-print-directory -o setup tests
	@$(MAKE) --no-print-directory -o setup notebooks NOTEBOOKS="$(filter-out $(ROUNDED),$(NOTEBOOKS))"
	@$(MAKE) --no-print-directory -o setup rounding
	@$(MAKE) --no-print-directory -o setup doctests
	@$(MAKE) --no-print-directory -o setup smoke

quick: lint
	@echo "quick: the tests of small games; before a commit, \`make test\` runs every check"
	POKERLAB_SCALE=quick $(PY) -m pytest $(QUICK) -p no:nbval -n 2 --dist worksteal

lint: setup
	@echo "lint: style, format, types, spelling"
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(PY) -m codespell_lib

tests: setup
	@echo "tests: architecture, unit, property, reference, conformance, published numbers, outside witnesses"
	POKERLAB_SCALE=quick $(PY) -m pytest tests -p no:nbval --ignore tests/browser -n 2 --dist worksteal

doctests: setup
	@echo "doctests: the examples in README.md, CONTRIBUTING.md and the package"
	$(PY) -m pytest -p no:nbval --doctest-modules --doctest-glob="*.md" --ignore pokerlab/workbench/dash/opened.py README.md CONTRIBUTING.md pokerlab

notebooks: setup
	@echo "notebooks: from top to bottom at quick scale"
	POKERLAB_SCALE=quick $(PY) -m pytest -p tests.first_failure --nbval-lax $(NOTEBOOKS) $(OPTIONS) -n 2 --dist loadfile --no-loadscope-reorder --nbval-cell-timeout 600 --timeout 900

rounding: setup
	@echo "rounding: notebooks on a processor that rounds otherwise"
	$(PY) -m tests.rounding $(ROUNDED)

browser: setup
	@echo "browser: notebooks driven in a Chromium, where one is found"
	POKERLAB_SCALE=quick $(PY) -m pytest tests/browser --timeout 900

smoke: setup
	@echo "smoke: the benchmark without its peers, on tiny budgets"
	$(PY) -m benchmarks.run --smoke

slow: setup
	@echo "slow: the tests marked slow, and notebooks that make test runs as on another processor only"
	POKERLAB_SCALE=quick $(PY) -m pytest tests -m slow --slow
	@$(MAKE) --no-print-directory -o setup notebooks NOTEBOOKS="$(ROUNDED)"

pythons: installed
	@echo "pythons: each other Python gets the library alone, and runs every solver (the first time: some two minutes each)"
	@$(PY) tests/pythons.py

figures: setup
	@echo "figures: running every notebook at $(SCALE) scale; its figures go into figures/$(SCALE)/"
	@$(PY) -m tools.figures --scale $(SCALE) $(OPTIONS)

outputs: setup
	@$(PY) -m tools.outputs $(OPTIONS)

moving-picture: setup
	@$(PY) -m tools.moving_picture

handout: setup
	@echo "handout: the lessons without outputs and the audits as they are, in handout/"
	@$(PY) -m tools.handout $(if $(filter no,$(SOLUTIONS)),--no-solutions)

site: setup
	@echo "site: pages of what is committed, without a warning and without a dead link"
	@$(PY) -m tools.site --repository "$(REPOSITORY)" $(if $(wildcard lite/jupyter-lite.json),--lite lite)

# Fetches from the package index what Pyodide lacks. JupyterLite itself is installed the first time.
lite: setup
	@if ! $(PY) -c 'import sys, importlib.util; sys.exit(not importlib.util.find_spec("jupyterlite_pyodide_kernel"))'; then \
	    echo "lite: installing JupyterLite beside pokerlab"; \
	    $(PY) -m pip install --disable-pip-version-check --quiet --no-build-isolation -c requirements.lock -e '.[lite]'; \
	fi
	@echo "lite: a JupyterLab with the lessons that runs in the browser itself, in lite/"
	@$(PY) -m tools.lite

trial: setup
	@$(PY) -m tools.class_trial $(OPTIONS)

bench: setup
	@if ! $(PY) -c 'import sys, importlib.util; sys.exit(not importlib.util.find_spec("LiteEFG"))'; then \
	    echo "bench: installing LiteEFG beside pokerlab (some 840 MB)"; \
	    $(PY) -m pip install --disable-pip-version-check --quiet -c requirements.lock -e '.[bench]' \
	    || echo "bench: LiteEFG could not be installed; its columns stay empty"; \
	fi
	@echo "bench: timing on one thread, some minutes; leave the machine alone meanwhile"
	@$(PY) -m benchmarks.run

clean:
	@echo "clean: removing $(VENV), caches and builds; data/, figures/ and what was saved from a bench stay"
	@rm -rf $(VENV) build dist handout handout-solutions handout-nbgrader site lite .mypy_cache .ruff_cache .pytest_cache .import_linter_cache .hypothesis .coverage
	@find pokerlab tests notebooks -name __pycache__ -type d -prune -exec rm -rf {} +
	@find notebooks -name .ipynb_checkpoints -type d -prune -exec rm -rf {} +
