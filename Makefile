# `make demo` and `make test` work as the first command on a machine with python3 (3.11 or later, with venv), make and a
# package index. PYTHON chooses the interpreter, VENV the place of the environment.

.DEFAULT_GOAL := help
.PHONY: help setup demo run test test-all test-unittest test-home-assistant test-javascript test-llama site types dist sbom check format bench properties fuzz fuzz-decoders test-ray bench-ray soak hostile audit eval vocabulary train-dialogue train-wishes train-turns train-hearing train-commands figures clean

VENV ?= .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed
PYTHON ?= $(shell for python in python3.13 python3.12 python3.11 python3; do \
	"$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1 \
	&& echo "$$python" && break; done)

help: ## Show the targets
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 16

PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check

define venv
@$(BIN)/python -c pass 2>/dev/null || { \
	python="$(PYTHON)"; \
	test -n "$$python" || { echo "make: no Python 3.11 or later with venv (Debian: apt-get install python3-venv)" >&2; exit 1; }; \
	echo "creating $(VENV) with $$python"; "$$python" -m venv --clear $(VENV); }
endef

setup: $(STAMP) ## Create the environment with what tests and checks need

# pip 25.1 is the first that reads dependency groups.
$(STAMP): pyproject.toml constraints.txt
	$(venv)
	$(PIP) install 'pip>=25.1'
	$(PIP) install -c constraints.txt -e '.[cli,server,llm,redis,auth,otel,mcp,voice]' --group test --group check
	@$(BIN)/python -m compileall -q src  # as an installed package is, also where PYTHONDONTWRITEBYTECODE is set
	@touch $@

# What only some targets need is installed when they are first called for.
$(VENV)/.served: pyproject.toml constraints.txt
	$(venv)
	$(PIP) install -c constraints.txt -e '.[cli,server]'
	@$(BIN)/python -m compileall -q src
	@touch $@

$(VENV)/.whole: $(STAMP)
	$(PIP) install -c constraints.txt -e '.[onnx]' --group browser
	@touch $@

$(VENV)/.plots: $(STAMP)
	$(PIP) install -c constraints.txt --group plots
	@touch $@

$(VENV)/.docs: $(STAMP)
	$(PIP) install -c constraints.txt --group docs
	@touch $@

demo: $(VENV)/.served ## Hold the example conversation through a real WebSocket, on the embedded parser
	$(BIN)/python examples/demo.py

run: $(VENV)/.served ## Serve on 127.0.0.1:8765
	$(BIN)/tingdong serve --host 127.0.0.1 --port 8765

test: test-unittest ## Run the tests with both runners, less what is slow (two minutes on two cores)
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile -m "not slow"

test-all: $(VENV)/.whole test-unittest ## Run everything: browsers, faults, packaging, whole sets, JavaScript, Home Assistant
	$(BIN)/python -m pytest --numprocesses=auto --dist=loadfile
	@$(MAKE) --no-print-directory test-javascript
	@$(MAKE) --no-print-directory test-home-assistant

properties: $(STAMP) ## Look for examples that break a property: other ones in every run, ten times as many
	$(BIN)/python -m pytest --numprocesses=auto --hypothesis-profile=search -m hypothesis

test-unittest: setup
	PYTHONPATH=src $(BIN)/python -m unittest discover -s tests

# Home Assistant is large and wants Python 3.13: it gets an environment of its own, which stays.
HA_VENV ?= .venv-home-assistant
HA_PYTHON ?= $(shell for python in python3.13 python3 $(wildcard $(HOME)/.pyenv/versions/3.13.*/bin/python3); do \
	"$$python" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, 13))' >/dev/null 2>&1 \
	&& echo "$$python" && break; done)
HA := integrations/home_assistant

test-home-assistant: setup ## Test the integration inside a real Home Assistant (needs Python 3.13)
	@test -n "$(HA_PYTHON)" || { echo "test-home-assistant: passed over, no Python 3.13 with venv here"; exit 0; }; \
	cmp -s $(HA)/requirements.txt $(HA_VENV)/.installed || { \
		echo "test-home-assistant: installing Home Assistant with $(HA_PYTHON), some minutes"; \
		"$(HA_PYTHON)" -m venv --clear $(HA_VENV) && \
		$(HA_VENV)/bin/python -m pip install --quiet --disable-pip-version-check --no-deps -r $(HA)/requirements.txt && \
		cp $(HA)/requirements.txt $(HA_VENV)/.installed; } || { \
		echo "test-home-assistant: passed over, Home Assistant could not be installed here" >&2; exit 0; }; \
	cd $(HA) && TINGDONG="$(abspath $(BIN))/tingdong" $(abspath $(HA_VENV))/bin/python -m pytest -q

test-javascript: ## Check the types of the JavaScript client (needs npm)
	@command -v npm >/dev/null && node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)' 2>/dev/null || { \
		echo "test-javascript: passed over, no npm with Node 20 here"; exit 0; }; \
	cd integrations/javascript && npm install --no-package-lock --no-audit --no-fund --silent || { \
		echo "test-javascript: passed over, TypeScript could not be installed here"; exit 0; }; \
	npm run --silent check

# llama-cpp-python is compiled on the spot (ten minutes of a core): an environment of its own, which stays.
LLAMA_VENV ?= .venv-llama

$(LLAMA_VENV)/.installed: $(STAMP)
	$(BIN)/python -m venv --clear $(LLAMA_VENV)
	CMAKE_ARGS="-DGGML_NATIVE=ON -DLLAVA_BUILD=OFF" $(LLAMA_VENV)/bin/python -m pip install --quiet --disable-pip-version-check 'llama-cpp-python[server]==0.3.36' 'gguf>=0.17'
	@touch $@

test-llama: $(LLAMA_VENV)/.installed ## Talk to a real llama.cpp server that runs a tiny random model (compiles it first)
	TINGDONG_LLAMA_PYTHON=$(abspath $(LLAMA_VENV))/bin/python $(BIN)/python -m pytest tests/llm/test_llama_server.py

site: $(VENV)/.docs ## Build the documentation site into site/ and check that it fetches nothing
	$(BIN)/python docs/build_site.py

types: setup ## Check that the public surface says all of its types (pyright; needs the network once)
	$(PIP) install -c constraints.txt pyright
	$(BIN)/python deploy/completeness.py

dist: setup ## Build wheel and sdist twice, compare them, and try the wheel in a clean environment
	$(PIP) install -c constraints.txt hatchling
	$(BIN)/python deploy/release.py

sbom: setup ## The same, and list what the wheel installs in dist/sbom.cdx.json (CycloneDX)
	$(PIP) install -c constraints.txt hatchling cyclonedx-bom
	$(BIN)/python deploy/release.py --sbom

check: setup ## Format, lint, types, import layers, data and docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python docs/refresh.py --check
	$(BIN)/python -m pytest tests/house
	@$(MAKE) --no-print-directory audit

format: setup ## Format and mend what the linter can
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: setup ## Measure speed, each figure a ratio to something in the same run; each part ends with its limits
	$(BIN)/python -m bench
	@status=0; for part in bench_retrieval wire scale; do $(BIN)/python -m bench.$$part || status=1; done; exit $$status

fuzz: setup ## Feed a million mutated frames to the pipe's rules
	$(BIN)/python tests/service/test_service_fuzz.py 1000000

fuzz-decoders: ## Fuzz the decoders by coverage for a minute (atheris; SECONDS=600 for more)
	$(BIN)/python -c pass 2>/dev/null || $(MAKE) setup
	test -x $(VENV)-fuzz/bin/python || $(BIN)/python -m venv $(VENV)-fuzz
	$(VENV)-fuzz/bin/python -m pip install --quiet --disable-pip-version-check -e '.[server,fuzz]'
	$(VENV)-fuzz/bin/python tests/service/atheris_decoders.py -max_total_time=$(or $(SECONDS),60)

$(VENV)-ray/.installed: pyproject.toml
	$(BIN)/python -c pass 2>/dev/null || $(MAKE) setup
	test -x $(VENV)-ray/bin/python || $(BIN)/python -m venv $(VENV)-ray
	$(VENV)-ray/bin/python -m pip install --quiet --disable-pip-version-check -e '.[ray]' pytest pytest-asyncio hypothesis
	@touch $@

bench-ray: $(VENV)-ray/.installed ## Lines a second of the Ray Data transform by workers
	OPENBLAS_NUM_THREADS=1 $(VENV)-ray/bin/python -m bench.ray_curve

test-ray: $(VENV)-ray/.installed ## Run the Ray Data transform on a local Ray
	$(VENV)-ray/bin/python -m pytest -W ignore -p no:unraisableexception tests/cli/test_cli_ray.py

soak: setup ## Ten minutes, 500 connections, good and hostile; SECONDS=60 for less
	$(BIN)/python -m bench.soak $(or $(SECONDS),600)

hostile: setup ## What strangers may try, one after the other, against one server; HOMES=2000 for the long run
	$(BIN)/python -m bench.hostile $(or $(HOMES),200)

audit: setup ## Ask the advisory database about every pinned package; passes over what it cannot be asked
	@test -x $(VENV)-audit/bin/pip-audit || { $(BIN)/python -m venv --clear $(VENV)-audit \
		&& $(VENV)-audit/bin/python -m pip install --quiet --disable-pip-version-check pip-audit; } \
		|| { echo "audit: pip-audit cannot be had here; nothing was looked at"; rm -rf $(VENV)-audit; }
	@test ! -x $(VENV)-audit/bin/pip-audit || $(VENV)-audit/bin/python deploy/audit.py

eval: setup ## Score the labelled sets and write reports/
	$(BIN)/tingdong eval commands $(wildcard tests/corpus/commands_*.jsonl)
	$(BIN)/tingdong eval retrieval $(wildcard tests/corpus/retrieval_*.jsonl)
	$(BIN)/tingdong eval service $(wildcard tests/corpus/service_*.jsonl tests/corpus/live_*.jsonl)
	$(BIN)/tingdong eval hospital $(wildcard tests/corpus/hospital_*.jsonl)

vocabulary: $(VENV)/.served ## Compile vocabulary, vetoes and guards after an edit of their YAML files
	$(BIN)/python -m context_retrieval.lexicon
	$(BIN)/python -m tingdong.home
	$(BIN)/python -m tingdong.commands
	$(BIN)/python -m tingdong.hearing

train-dialogue: setup ## Train the hospital's local models on the project's own sentences
	$(BIN)/python -m bench.train_dialogue
	$(BIN)/python -m bench.train_desk

train-wishes: setup ## Train the model of wishes at home on the project's own sentences
	$(BIN)/python -m bench.train_wishes

train-turns: setup ## Train the model of what each clause of a turn at home does, on the project's own turns
	$(BIN)/python -m bench.train_turns

train-hearing: setup ## Count what people say, for the hearing's language model (seconds)
	$(BIN)/python -m bench.train_hearing

train-commands: setup ## Train the learned reader of home requests (PyTorch; two hours of one core)
	$(PIP) install -c constraints.txt -e '.[train]'
	MALLOC_MMAP_THRESHOLD_=4000000000 MALLOC_TRIM_THRESHOLD_=8000000000 OMP_WAIT_POLICY=PASSIVE OMP_NUM_THREADS=1 \
		$(BIN)/python -m bench.train_reader tests/corpus/commands_train.jsonl tests/corpus/commands_dev.jsonl \
		--partial $(wildcard tests/corpus/commands_more_*.jsonl) --unasked $(wildcard tests/corpus/wishes_train*.yaml)
	$(BIN)/python -m bench.fit_arbiter tests/corpus/commands_second.jsonl $(wildcard tests/corpus/commands_more_*.jsonl)

figures: $(VENV)/.plots eval bench ## Measure everything and write the figures into the documents
	$(BIN)/python docs/figures.py

clean: ## Remove the environment and what runs leave behind
	rm -rf $(VENV) reports .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
