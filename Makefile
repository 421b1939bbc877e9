# From a fresh clone to a running lesson: `make lab`. `make` alone lists the targets.

PYTHON ?=                # which Python to use; empty: the first suitable one found
LAB_ARGS ?=              # more arguments for JupyterLab, say --no-browser or --port=9999
LANGUAGE ?= en           # of the lessons that `make lab` opens: en, pt, ko
ONLY ?= notebooks/*.ipynb
LESSON ?=                # make report LESSON=notebooks/NAME.ipynb: the page of this one alone
REWORDED ?=              # yes: of a message whose English alone was changed, keep the translations
LOCK_ARGS ?=             # --upgrade: the newest version of everything
PROCESSES ?= logical     # how many processes the tests run in; logical: one a core
SPARK ?=                 # yes: the tests with Spark too, which needs Java and half a gigabyte
PYODIDE ?=               # an unpacked distribution of Pyodide; empty: from the Python index
BUILT ?=                 # yes: test-lite takes the notebooks for the browser that are there
# Each file in one process, those with a browser first; a browser in each process, so not more
# than four.
PARALLEL := --numprocesses=$(strip $(PROCESSES)) --maxprocesses=4 --dist=loadfile --no-loadscope-reorder

CANDIDATES := python3 python3.14 python3.13 python3.12 python3.11 python
PY := .venv/bin/python
READY := .venv/ready
READY_TEST := .venv/ready-test
READY_SPARK := .venv/ready-spark
READY_LITE := .venv/lite/ready

LAB_SETTINGS := .venv/share/jupyter/lab/settings
NO_NEWS := {"@jupyterlab/apputils-extension:notification": {"fetchNews": "false"}}

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Python compiles a module when it is first imported; to compile all of them takes half a minute,
# and most are never imported. What it has compiled it keeps, also in a container that forbids it:
# each kernel and each command would compile the libraries again, which doubles its time.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := -m pip install --no-compile --require-hashes

# Runs under any Python, to find out whether it will do.
define CHECK
import sys
found = "%d.%d" % sys.version_info[:2]
if sys.version_info < (3, 11):
    sys.exit("Python " + found + " is too old")
try:
    import ensurepip, venv
except ImportError:
    sys.exit("Python " + found + " lacks venv (Debian, Ubuntu: apt install python" + found + "-venv)")
print("suitable")
endef
export CHECK

.PHONY: help
help:
	@echo "make lab        open the lessons in JupyterLab (LANGUAGE=pt, LANGUAGE=ko: in that language;"
	@echo "                LAB_ARGS=... for more arguments)"
	@echo "make test       run every test, and every cell of every lesson (SPARK=yes: Spark's, too)"
	@echo "make ends       run the unit tests with the oldest and with the newest libraries (network)"
	@echo "make test-lite  build the notebooks for the browser, and run some of them in Chromium"
	@echo "make setup      only make the environment, .venv; the other targets do so by themselves"
	@echo "make notebooks  run the lessons anew and write them back clean (ONLY=notebooks/NAME.ipynb)"
	@echo "make report     render the lessons, in every language, as live pages for any browser, into build/"
	@echo "                (LESSON=notebooks/NAME.ipynb: run this one, and make its page alone, in seconds)"
	@echo "make catalogs   bring the catalogs of the other languages up to what is said now"
	@echo "make lite       … and as notebooks with Python in them, into build/lite (80 MB from PyPI)"
	@echo "make desk       of that only the page that makes a report of dropped files, into build/report"
	@echo "make docs       the library's public names as pages, into build/api"
	@echo "make dist       the library's wheel and the sdist, into build/dist"
	@echo "make lock       solve the locks from pyproject.toml (LOCK_ARGS=--upgrade: newest)"
	@echo "make audit      look for known vulnerabilities in the locks, and for weak spots in the workflows (network)"
	@echo "make mutants    change the code one place at a time; a change no test notices is listed"
	@echo "make clean      remove .venv, every cache and what was built, but no lesson that a reader works in (build/lab)"

.PHONY: setup
setup: $(READY)
	@echo "==> The environment is ready: .venv"

# $(READY) says that .venv is complete, and for which folder. It is removed before anything is
# installed, so what an interrupted set-up leaves behind is made anew, and so is the environment
# of a clone that was moved or whose Python has gone.
ifneq ($(shell $(PY) -c "" 2>/dev/null && cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
NEW_ENV := yes
endif

$(READY): locks/requirements.lock pyproject.toml
ifdef NEW_ENV
	@if [ -L .venv ]; then \
	  echo "The folder .venv is a link, and a new environment here would empty the one it leads to." \
	    "Remove the link (rm .venv), then run make again: it makes this clone its own." >&2; \
	  exit 1; \
	fi
	@found=; for python in $(or $(strip $(PYTHON)),$(CANDIDATES)); do \
	  answer=$$("$$python" -c "$$CHECK" 2>&1) && [ "$$answer" = suitable ] && break; \
	  case $$answer in Python*) found="$$found$$python: $$answer; ";; esac; \
	  python=; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "No suitable Python: $${found:-none found; }needed is Python 3.11 or newer with venv." \
	    "Install it (python.org or your package manager) or name it: make PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi; \
	echo "==> Making .venv with $$("$$python" --version)"; \
	"$$python" -m venv --clear .venv
endif
	@rm -f $@
	@echo "==> Installing the exact versions in locks/requirements.lock (two to three minutes the first time)"
	@$(PY) $(INSTALL) -r locks/requirements.lock
	@$(PY) -m pip install --quiet --no-deps --no-build-isolation -e .
	@mkdir -p $(LAB_SETTINGS) && echo '$(NO_NEWS)' > $(LAB_SETTINGS)/overrides.json
	@echo "==> Preparing the fonts for the figures"
	@$(PY) -c "import matplotlib.font_manager"
	@pwd -P > $@

# What only the tests need comes on top, into the same environment.
$(READY_TEST): $(READY) locks/requirements-test.lock
	@rm -f $@
	@echo "==> Adding what the tests need (requirements-test.lock)"
	@$(PY) $(INSTALL) -r locks/requirements-test.lock
	@touch $@

$(READY_SPARK): $(READY_TEST) locks/requirements-spark.lock
	@rm -f $@
	@command -v java >/dev/null || { echo "Spark runs on Java, and there is none: install Java 17" \
	  "(Debian, Ubuntu: apt install openjdk-17-jre-headless)." >&2; exit 1; }
	@echo "==> Adding Spark for its tests (requirements-spark.lock; 430 MB the first time)"
	@$(PY) $(INSTALL) -r locks/requirements-spark.lock
	@touch $@

# The lessons need nothing from the net, so JupyterLab looks for neither news nor updates (NO_NEWS
# keeps it from asking whether it may). It refuses to run as root, as in many a container, unless
# told that this is meant.
LESSONS := $(if $(filter en,$(LANGUAGE)),notebooks,build/lab/$(strip $(LANGUAGE)))
.PHONY: lab
lab: $(READY)
ifneq ($(strip $(LANGUAGE)),en)
	@$(PY) -m helpers lessons $(LANGUAGE) $(LESSONS)
endif
	@echo "==> Starting JupyterLab; Ctrl+C twice stops it"
	@$(PY) -m jupyterlab --ServerApp.root_dir=. --log-level=WARN \
	  $(if $(findstring ip=,$(LAB_ARGS)),,--ServerApp.ip=127.0.0.1) \
	  --LabApp.default_url=/lab/tree/$(LESSONS)/00-start-here.ipynb --LabApp.news_url=None \
	  --LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate \
	  $$(test "$$(id -u)" -ne 0 || echo --allow-root) $(LAB_ARGS)

# JupyterLite builds the site from an environment of its own: it would add to JupyterLab, too.
$(READY_LITE): $(READY) locks/requirements-lite.lock
	@rm -f $@
	@echo "==> Installing the builder of the notebooks for the browser (requirements-lite.lock)"
	@$(PY) -m venv .venv/lite
	@.venv/lite/bin/python $(INSTALL) -r locks/requirements-lite.lock --quiet
	@touch $@

IN_BROWSER = $(PY) -m lite $(if $(PYODIDE),--pyodide='$(PYODIDE)')

# Without SPARK=yes the tests say whether those with Spark were left out.
.PHONY: test
test: export SPARK := $(SPARK)
test: $(if $(SPARK),$(READY_SPARK),$(READY_TEST))
	@echo "==> Style of code and lessons"
	@$(PY) -m ruff check --no-cache
	@$(PY) -m ruff format --no-cache --check
	@echo "==> Tests, examples in docstrings, and every cell of every lesson"
	@$(PY) -m pytest $(PARALLEL)

# Old libraries use each other by names of yesterday, so what they warn of is no error here.
UNIT_TESTS := $(addprefix tests/,files tables metrics checks conventions statistics figures reports \
  test_commands.py test_schema.py)
.PHONY: ends
ends: $(READY_TEST)
	@for end in lowest-direct highest; do \
	  echo "==> Unit tests with the libraries that pyproject.toml allows: $$end"; \
	  $(PY) -m uv venv --quiet --clear --python $(PY) build/ends && \
	  $(PY) -m uv pip install --quiet --only-binary :all: --python build/ends/bin/python \
	    --resolution $$end -r pyproject.toml --extra notebook --extra lab --extra test && \
	  PYTHONPATH=. build/ends/bin/python -m pytest -q --numprocesses=logical \
	    -Wdefault::DeprecationWarning -Wdefault::FutureWarning $(UNIT_TESTS) || exit 1; \
	done

.PHONY: catalogs
catalogs: $(READY_TEST)
	@echo "==> Bringing the catalogs up to what the library and the lessons say"
	@$(PY) tools/catalogs.py $(if $(REWORDED),--reworded)

.PHONY: notebooks
notebooks: $(READY)
	@echo "==> Running the lessons from top to bottom"
	@$(PY) -m helpers notebooks $(ONLY)

.PHONY: report
report: $(READY)
	@$(PY) -m helpers pages build $(if $(LESSON),"$(LESSON)")

.PHONY: dist
dist: $(READY)
	@rm -rf build/dist
	@$(PY) -m hatchling build --directory build/dist

DOCUMENTED := byhand byhand.statistics byhand.figures byhand.widgets byhand.metrics.measures byhand.errors
.PHONY: docs
docs: $(READY_TEST)
	@$(PY) -m pdoc --docformat google --no-show-source --output-directory build/api $(DOCUMENTED)
	@echo "==> build/api/index.html"

.PHONY: lite
lite: $(READY_LITE)
	@echo "==> Building the notebooks for the browser"
	@$(IN_BROWSER) site build/lite
	@$(IN_BROWSER) report build/report
	@$(PY) -m helpers pages build

.PHONY: desk
desk: $(READY)
	@$(IN_BROWSER) report build/report

.PHONY: test-lite
test-lite: $(READY_TEST) $(if $(BUILT),,lite)
	@echo "==> Lessons in the browser, with every other host out of reach"
	@LITE=build/lite $(PY) -m pytest -q tests/browser/lite

# Each lock takes its versions from those before it, as all end up in one environment.
SOLVE = $(PY) -m uv pip compile --quiet --universal --generate-hashes --no-strip-extras \
  --python-version 3.11 --no-header $(LOCK_ARGS) pyproject.toml

.PHONY: lock
lock: $(READY_TEST)
	@echo "==> Solving for every platform, Python 3.11 and newer"
	@$(SOLVE) --extra notebook --extra lab --extra build -o locks/requirements.lock
	@$(SOLVE) --extra test --constraint locks/requirements.lock -o locks/requirements-test.lock
	@$(SOLVE) --extra spark --constraint locks/requirements.lock --constraint locks/requirements-test.lock \
	  -o locks/requirements-spark.lock
	@$(PY) -m uv pip compile --quiet --universal --generate-hashes --no-strip-extras \
	  --python-version 3.11 --no-header $(LOCK_ARGS) --group lite --constraint locks/requirements.lock \
	  -o locks/requirements-lite.lock

# pip-audit is run from a cache of its own: no lock has it. Strict, it does not pass a package over
# of which the database says nothing.
AUDIT = $(PY) -m uv tool run pip-audit --strict --progress-spinner off --disable-pip --require-hashes

.PHONY: audit
audit: $(READY_TEST)
	@echo "==> Checking the workflows of continuous integration"
	@$(PY) -m uv tool run check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(PY) -m uv tool run zizmor --offline .github
	@echo "==> Looking every version of the locks up among the known vulnerabilities"
	@$(AUDIT) -r locks/requirements.lock -r locks/requirements-test.lock -r locks/requirements-spark.lock \
	  -r locks/requirements-lite.lock || { echo \
	  "The locks were not found clean. If a vulnerability is named above: make lock LOCK_ARGS=--upgrade, then make test." \
	  "If not, pip-audit or its database could not be reached: both are at pypi.org, so run it" \
	  "where there is a network." >&2; exit 1; }

# mutmut changes the package in a copy, mutants/, one place at a time, and says which changes no
# test notices. ONLY='byhand.tables.*' runs some of them, SAMPLE=200 as many, chosen at random but
# always the same. All take hours. The first line of a sample makes the changes to choose from.
MUTMUT = $(PY) -m uv tool run --with-requirements locks/requirements.lock \
  --with-requirements locks/requirements-test.lock 'mutmut>=3.8,<4'
SAMPLED = grep -rhoE '"byhand[^"]*__mutmut_[0-9]+"' mutants --include='*.meta' | tr -d '"' | sort -u \
  | awk 'BEGIN { srand(24) } { print rand(), $$1 }' | sort | head -n $(SAMPLE) | cut -d ' ' -f 2
.PHONY: mutants
mutants: ONLY = *
mutants: $(READY_TEST)
	@$(MUTMUT) run '$(if $(SAMPLE),byhand.metrics.measures.success.*,$(ONLY))'
	@$(if $(SAMPLE),$(MUTMUT) run $$($(SAMPLED)))
	@$(MUTMUT) results | grep -E 'survived|no tests' || true

.PHONY: clean
clean:
	rm -rf .venv mutants .pytest_cache .ruff_cache .hypothesis
	find build -mindepth 1 -maxdepth 1 ! -name lab -exec rm -rf {} + 2>/dev/null || true
	find . \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +
