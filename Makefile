# From a fresh clone to a running lesson: `make lab`. `make` alone lists the targets.

PYTHON ?=                # which Python to use; empty: the first suitable one found
LAB_ARGS ?=              # more arguments for JupyterLab, such as --no-browser or --port=9999
LANGUAGE ?= en           # language of the lessons that `make lab` opens: en, pt, ko
ONLY ?= notebooks/*.ipynb
LESSON ?=                # make report LESSON=notebooks/NAME.ipynb: build only this page
REWORDED ?=              # yes: keep the translation of a message if only its English wording changed
LOCK_ARGS ?=             # --upgrade: use the newest version of everything
PROCESSES ?= logical     # number of test processes; logical: one per core
SPARK ?=                 # yes: also run the tests with Spark, which need Java and half a gigabyte
PYODIDE ?=               # an unpacked Pyodide distribution; empty: download it from the package index
BUILT ?=                 # yes: test-lite uses the existing build of the notebooks for the browser
# Each test file runs in one process, files with browser tests first. Each process has its own
# browser, so there are at most four.
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
# --no-compile: Python compiles a module when it is first imported. Compiling all of them takes half
# a minute, and most are never imported. Keep the compiled files, even in a container that forbids
# it: otherwise each kernel and each command compiles the libraries again and takes twice as long.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := -m pip install --no-compile --require-hashes

# Runs under any version of Python, to check whether it is suitable.
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
	@echo "make lab        open the lessons in JupyterLab (LANGUAGE=pt or LANGUAGE=ko: in that language;"
	@echo "                LAB_ARGS=... for more arguments)"
	@echo "make test       run every test, and every cell of every lesson (SPARK=yes: also with Spark)"
	@echo "make ends       run the unit tests with the oldest and the newest allowed libraries (network)"
	@echo "make test-lite  build the notebooks for the browser, and run some of them in Chromium"
	@echo "make setup      only create the environment, .venv; the other targets also create it"
	@echo "make notebooks  run the lessons and save them with clean outputs (ONLY=notebooks/NAME.ipynb)"
	@echo "make report     build the lessons as interactive web pages in every language, in build/"
	@echo "                (LESSON=notebooks/NAME.ipynb: run one lesson and build only its page, in seconds)"
	@echo "make catalogs   update the translation catalogs (REWORDED=yes: only the wording changed)"
	@echo "make lite       make report, plus notebooks that run in the browser, in build/lite (80 MB from PyPI)"
	@echo "make desk       only the page that makes a report from dropped files, in build/report"
	@echo "make docs       build the library's API reference in build/api"
	@echo "make dist       build the library's wheel and sdist in build/dist"
	@echo "make lock       resolve the lock files from pyproject.toml (LOCK_ARGS=--upgrade: newest versions)"
	@echo "make audit      check the lock files for known vulnerabilities, and the workflows for weaknesses (network)"
	@echo "make mutants    run mutation tests: list changes to the code that no test detects"
	@echo "make clean      remove .venv, all caches and builds, except build/lab, where readers edit lessons"

.PHONY: setup
setup: $(READY)
	@echo "==> The environment is ready: .venv"

# The file $(READY) exists if .venv is complete, and contains the folder that it is for. It is
# removed before anything is installed. So the environment is created again after an interrupted
# setup, after the clone was moved, or if its Python is missing.
ifneq ($(shell $(PY) -c "" 2>/dev/null && cat $(READY) 2>/dev/null),$(CURDIR))
.PHONY: $(READY)
NEW_ENV := yes
endif

$(READY): locks/requirements.lock pyproject.toml
ifdef NEW_ENV
	@if [ -L .venv ]; then \
	  echo "The folder .venv is a link, and a new environment would empty the one that it links to." \
	    "Remove the link (rm .venv), then run make again: it creates an environment for this clone." >&2; \
	  exit 1; \
	fi
	@found=; for python in $(or $(strip $(PYTHON)),$(CANDIDATES)); do \
	  answer=$$("$$python" -c "$$CHECK" 2>&1) && [ "$$answer" = suitable ] && break; \
	  case $$answer in Python*) found="$$found$$python: $$answer; ";; esac; \
	  python=; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "No suitable Python: $${found:-none found; }Python 3.11 or newer with venv is required." \
	    "Install it (python.org or your package manager), or pass its path: make PYTHON=/path/to/python3" >&2; \
	  exit 1; \
	fi; \
	echo "==> Creating .venv with $$("$$python" --version)"; \
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

# Libraries for the tests are added to the same environment.
$(READY_TEST): $(READY) locks/requirements-test.lock
	@rm -f $@
	@echo "==> Installing the libraries for the tests (requirements-test.lock)"
	@$(PY) $(INSTALL) -r locks/requirements-test.lock
	@touch $@

$(READY_SPARK): $(READY_TEST) locks/requirements-spark.lock
	@rm -f $@
	@command -v java >/dev/null || { echo "Spark needs Java, which was not found. Install Java 17" \
	  "(Debian, Ubuntu: apt install openjdk-17-jre-headless)." >&2; exit 1; }
	@echo "==> Installing Spark for its tests (requirements-spark.lock; 430 MB the first time)"
	@$(PY) $(INSTALL) -r locks/requirements-spark.lock
	@touch $@

# The lessons need no network, so JupyterLab does not look for news or updates (with NO_NEWS, it does
# not ask for permission either). As root, as in many containers, it runs only with --allow-root.
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

# JupyterLite has its own environment, because it would add extensions to JupyterLab.
$(READY_LITE): $(READY) locks/requirements-lite.lock
	@rm -f $@
	@echo "==> Installing the builder of the notebooks for the browser (requirements-lite.lock)"
	@$(PY) -m venv .venv/lite
	@.venv/lite/bin/python $(INSTALL) -r locks/requirements-lite.lock --quiet
	@touch $@

IN_BROWSER = $(PY) -m lite $(if $(PYODIDE),--pyodide='$(PYODIDE)')

# Without SPARK=yes, the tests report that those with Spark were skipped.
.PHONY: test
test: export SPARK := $(SPARK)
test: $(if $(SPARK),$(READY_SPARK),$(READY_TEST))
	@echo "==> Style of code and lessons"
	@$(PY) -m ruff check --no-cache
	@$(PY) -m ruff format --no-cache --check
	@echo "==> Tests, examples in docstrings, and every cell of every lesson"
	@$(PY) -m pytest $(PARALLEL)

# Old libraries use deprecated names of other libraries, so warnings are not errors here.
UNIT_TESTS := $(addprefix tests/,files tables metrics checks conventions statistics figures reports \
  test_commands.py)
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
	@echo "==> Updating the translation catalogs"
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

# Each lock file is constrained by those before it, because all are installed in one environment.
SOLVE = $(PY) -m uv pip compile --quiet --universal --generate-hashes --no-strip-extras \
  --python-version 3.11 --no-header $(LOCK_ARGS) pyproject.toml

.PHONY: lock
lock: $(READY_TEST)
	@echo "==> Resolving for every platform, Python 3.11 and newer"
	@$(SOLVE) --extra notebook --extra lab --extra build -o locks/requirements.lock
	@$(SOLVE) --extra test --constraint locks/requirements.lock -o locks/requirements-test.lock
	@$(SOLVE) --extra spark --constraint locks/requirements.lock --constraint locks/requirements-test.lock \
	  -o locks/requirements-spark.lock
	@$(PY) -m uv pip compile --quiet --universal --generate-hashes --no-strip-extras \
	  --python-version 3.11 --no-header $(LOCK_ARGS) --group lite --constraint locks/requirements.lock \
	  -o locks/requirements-lite.lock

# pip-audit is not in a lock file; uv runs it from its cache. With --strict, it fails if the database
# has no entry for a package.
AUDIT = $(PY) -m uv tool run pip-audit --strict --progress-spinner off --disable-pip --require-hashes

.PHONY: audit
audit: $(READY_TEST)
	@echo "==> Checking the CI workflows"
	@$(PY) -m uv tool run check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	@$(PY) -m uv tool run zizmor --offline .github
	@echo "==> Checking every locked version for known vulnerabilities"
	@$(AUDIT) -r locks/requirements.lock -r locks/requirements-test.lock -r locks/requirements-spark.lock \
	  -r locks/requirements-lite.lock || { echo \
	  "The check did not pass. If a vulnerability is listed above, run make lock LOCK_ARGS=--upgrade, then make test." \
	  "If not, pip-audit or its database could not be reached: both are at pypi.org, so this needs" \
	  "the network." >&2; exit 1; }

# mutmut makes one change at a time in a copy of the package, mutants/, and lists the changes that no
# test detects. ONLY='byhand.tables.*' tests one package, SAMPLE=200 a random sample of 200 that is
# always the same. All take hours. For a sample, the first line generates the changes to choose from.
MUTMUT = $(PY) -m uv tool run --with-requirements locks/requirements.lock \
  --with-requirements locks/requirements-test.lock 'mutmut>=3.8,<4'
SAMPLED = grep -rhoE '"byhand[^"]*__mutmut_[0-9]+"' mutants --include='*.meta' | tr -d '"' | sort -u \
  | awk 'BEGIN { srand(24) } { print rand(), $$1 }' | sort | head -n $(SAMPLE) | cut -d ' ' -f 2
.PHONY: mutants
mutants: ONLY = *
mutants: $(READY_TEST)
	@$(MUTMUT) run '$(if $(SAMPLE),byhand.metrics.measures.precision.*,$(ONLY))'
	@$(if $(SAMPLE),$(MUTMUT) run $$($(SAMPLED)))
	@$(MUTMUT) results | grep -E 'survived|no tests' || true

.PHONY: clean
clean:
	rm -rf .venv mutants .pytest_cache .ruff_cache .hypothesis
	find build -mindepth 1 -maxdepth 1 ! -name lab -exec rm -rf {} + 2>/dev/null || true
	find . \( -name __pycache__ -o -name .ipynb_checkpoints \) -prune -exec rm -rf {} +
