# make run      installs what is missing, builds b2c and runs the shipped scenarios
# make test     builds and runs the tests, in the same build; FILTER="NAME" runs some, CONFIG=release builds optimized modules
# make check    before a commit: lint, the tests of what changed and of what depends on it, the shipped scenarios
# make build    builds b2c and mock-server
# make release  builds both optimized
# make lint     checks formatting, arithmetic on numbers from outside, labels of parameters, what comments cite, names and imports of tests, and the English of documents, comments, messages and pages
# make format   formats the Swift sources
# make conformance   tries real clients and browsers against the programs
# make mutations     changes each line of the shipped scenarios in turn and lists what no run notices
# make fuzz SECONDS=60 [TARGET=jws]   gives each reader of bytes from outside inputs that reach more and more of its code
# make growth   doubles the inputs of every command, control call and endpoint, and lists what takes more than 2.6 times as much
# make figures  counts what the modules repeat: type names, readers, functions with unlabelled parameters and more
# make bench    prints the benchmark's ratios
# make docs     builds the documents as one site with a search, which needs no network to read
# make dist     links the optimized programs so that they need nothing installed, and writes packages into dist
# make release-check   installs each package of dist on a system without Swift and gets a first token

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.PHONY: help run build build-tests release test check conformance mutations fuzz growth lint figures format bench docs dist release-check setup archives packages toolchain python clean

MINIMUM_SWIFT := 6.2
SWIFT_FLAGS ?=

# A debug build for a person's first two commands: modules are compiled whole, which takes three quarters of the processor time.
# CONFIG=release is optimized, and its tests are several times as fast. Programs and tests share either, so nothing is built twice.
# Neither has debug information, which costs a tenth of the time.
CONFIG ?= debug
ifeq ($(filter debug release,$(CONFIG)),)
  $(error CONFIG is debug or release, not $(CONFIG))
endif
DEBUG := -debug-info-format none -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 2 \
  -Xswiftc -disable-batch-mode $(SWIFT_FLAGS)
RELEASE := -c release -Xswiftc -enable-testing -debug-info-format none $(SWIFT_FLAGS)
CONFIGURATION := $(if $(filter release,$(CONFIG)),$(RELEASE),$(DEBUG))

# $(call built,FLAGS): the driver remarks of each module of a debug build that it is compiled whole.
define built
  swift build $(1) 2>&1 | { grep --line-buffered -v '^remark: Incremental compilation has been disabled' || true; }
endef

# Tests that run side by side: one per core. Without a limit Swift Testing starts all of them at once, and each takes as
# long as all together (Swift 6.3 and later; earlier ones do not read it).
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= $(shell getconf _NPROCESSORS_ONLN)

help:
	@sed -n 's/^# //p' Makefile | sed '/^make /!d'

run: packages
	@$(call built,$(CONFIGURATION) --product b2c)
	.build/$(CONFIG)/b2c run scenarios

build: packages
	@$(call built,$(CONFIGURATION) --product b2c)
	@$(call built,$(CONFIGURATION) --product mock-server)

release: packages
	swift build $(RELEASE) --product b2c
	swift build $(RELEASE) --product mock-server

# Programs and tests in one call: tests compile while the modules above theirs do.
build-tests: packages
	@$(call built,$(CONFIGURATION) --build-tests)

# What passes is not printed, unless VERBOSE=1.
FILTER ?=
test: build-tests
	B2C_COMMAND="$(CURDIR)/.build/$(CONFIG)/b2c" swift test $(CONFIGURATION) --skip-build --disable-xctest \
	  $(if $(FILTER),--filter "$(FILTER)") $(if $(VERBOSE),,| awk -f Tests/quiet.awk)

# A debug build whose modules are optimized: it compiles changed files alone, and its tests are nearly as fast as in a release.
check: packages python
	python3 Tests/check.py

bench: release python
	swift build $(RELEASE) --product Benchmarks
	.build/release/Benchmarks
	.build/release/Benchmarks --loopback .build/release/mock-server
	.build/release/Benchmarks --growth .build/release/mock-server
	python3 packaging/measure.py .build/release dist

# The generator is installed below .build-docs once.
docs: python
	@test -x .build-docs/python/bin/sphinx-build || { \
	  python3 -m venv .build-docs/python && \
	  .build-docs/python/bin/pip install --quiet --disable-pip-version-check -r packaging/site.txt; }
	.build-docs/python/bin/python packaging/site.py .build-docs

# What `make release` compiled is linked once more, with the libraries in it. macOS has Swift's, and its linker takes none in.
# KINDS makes some packages only, such as KINDS="tar deb".
LINKED := $(if $(filter Linux,$(shell uname -s)),.build/package)
KINDS ?=

dist: release python archives
	$(if $(LINKED),python3 packaging/link.py .build/release $(LINKED))
	python3 packaging/dist.py $(or $(LINKED),.build/release) $(KINDS) --output dist

# Needs root, mmdebstrap and dist; what is missing for one package skips that one, and it says why.
release-check: python
	python3 Tests/Conformance/packages.py dist
	python3 Tests/Conformance/run.py examples_swift

# What a part needs is installed first; a part that cannot run here says why.
conformance: release python
	python3 Tests/Conformance/run.py

mutations: release
	.build/release/b2c check --strict scenarios

# A build folder of its own, since every module is built with counters. TARGET names one target; without it all run, each for
# SECONDS.
SECONDS := 60
TARGET ?=

fuzz: setup python
	python3 Tests/Fuzz/fuzz.py --check --seconds "$(SECONDS)" $(TARGET)
	B2C_FUZZ_TARGETS=1 swift build -c release --product Fuzz --scratch-path .build-fuzz $(SWIFT_FLAGS)
	python3 Tests/Fuzz/fuzz.py --program .build-fuzz/release/Fuzz --seconds "$(SECONDS)" $(TARGET)

# ONLY=NAME or ONLY=NAME/SHAPE measures some cases; SHORT=1 those that .ci/run has.
growth: release python
	python3 Tests/Growth/growth.py $(if $(SHORT),--short) $(foreach name,$(ONLY),--only "$(name)")

lint: toolchain python
	swift format lint --strict --recursive --parallel Package.swift Sources Tests mock-server Benchmarks packaging/program.swift
	python3 Tests/Lint/outside_numbers.py Sources mock-server/Sources
	python3 Tests/Lint/labels.py
	python3 Tests/Lint/citations.py
	python3 Tests/Lint/test_names.py
	python3 Tests/Lint/testable.py
	python3 Tests/Lint/english.py

# JSON=1 prints JSON with every place; PLACES=NAME prints the places of one figure.
figures: python
	@python3 Tests/Figures/figures.py $(if $(JSON),--json) $(if $(PLACES),--places "$(PLACES)")

format: toolchain
	swift format --in-place --recursive --parallel Package.swift Sources Tests mock-server Benchmarks packaging/program.swift

# The scripts of lint and figures need Python 3, without further packages.
python:
	@if ! command -v python3 >/dev/null 2>&1; then \
	  $(call install,python3); \
	fi

# A toolchain is the one thing that is not installed for you.
toolchain:
	@if ! command -v swift >/dev/null 2>&1; then \
	  echo "b2c-harness needs Swift $(MINIMUM_SWIFT) or later and found no 'swift' on the PATH: install it from https://www.swift.org/install (on macOS: Xcode 26 or later)." >&2; exit 2; \
	fi; \
	found=$$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+\.[0-9]+).*/\1/p' | head -n 1); \
	if [ -z "$$found" ] || [ "$$(printf '%s\n' $(MINIMUM_SWIFT) "$$found" | sort -V | head -n 1)" != "$(MINIMUM_SWIFT)" ]; then \
	  echo "b2c-harness needs Swift $(MINIMUM_SWIFT) or later and found $${found:-an unknown version}: install a newer one from https://www.swift.org/install (on macOS: Xcode 26 or later)." >&2; exit 2; \
	fi

# $(call install,PACKAGES): by apt-get, as root or with sudo, in one call that waits for another one.
define install
  sudo=""; \
  if ! command -v apt-get >/dev/null 2>&1; then \
    echo "b2c-harness needs $(1), and this machine has no apt-get: install it, then run make again." >&2; exit 2; \
  fi; \
  if [ "$$(id -u)" -ne 0 ]; then \
    sudo="sudo"; \
    if ! command -v sudo >/dev/null 2>&1; then \
      echo "b2c-harness needs $(1), and this user may not install: run apt-get install $(1) as root, then make again." >&2; exit 2; \
    fi; \
  fi; \
  echo "installing $(1)"; \
  { $$sudo apt-get -o DPkg::Lock::Timeout=300 update -qq && \
    $$sudo env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -qq --no-install-recommends $(1) >/dev/null; } || { \
    echo "b2c-harness needs $(1), and apt-get could not install it: check the network, or run apt-get install $(1), then make again." >&2; exit 2; }
endef

# System packages, with headers: libcurl and jansson for b2c, SQLite for mock-server and the tests. macOS has SQLite.
setup: toolchain
	@missing=""; \
	if command -v apt-get >/dev/null 2>&1; then \
	  for package in libcurl4-openssl-dev libjansson-dev libsqlite3-dev; do \
	    dpkg -s "$$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing="$$missing $$package"; \
	  done; \
	  missing=$${missing# }; \
	  if [ -n "$$missing" ]; then $(call install,$$missing); fi; \
	elif command -v brew >/dev/null 2>&1; then \
	  for package in curl jansson; do brew list --formula "$$package" >/dev/null 2>&1 || missing="$$missing $$package"; done; missing=$${missing# }; \
	  if [ -n "$$missing" ]; then echo "installing $$missing"; brew install --quiet $$missing; fi; \
	elif ! pkg-config --exists libcurl jansson sqlite3 2>/dev/null; then \
	  echo "b2c-harness needs the headers of libcurl, jansson and SQLite, and this machine has neither apt-get nor brew: install them, then run make again." >&2; exit 2; \
	fi

# libxml2, which Foundation uses, and what it needs.
archives: toolchain
	@missing=""; \
	if command -v apt-get >/dev/null 2>&1; then \
	  for package in libxml2-dev liblzma-dev zlib1g-dev; do \
	    dpkg -s "$$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing="$$missing $$package"; \
	  done; \
	  missing=$${missing# }; \
	  if [ -n "$$missing" ]; then $(call install,$$missing); fi; \
	fi

# The first build needs the network and 4 GB; a build that ends halfway for want of them says it in fifty lines.
packages: setup
	@if [ ! -e .build/workspace-state.json ]; then \
	  free=$$(df -Pk . | awk 'NR == 2 { print int($$4 / 1024 / 1024) }'); \
	  if [ "$$free" -lt 4 ]; then \
	    echo "b2c-harness needs 4 GB to build in, and $(CURDIR) has $$free GB left: free some, then run make again." >&2; exit 2; \
	  fi; \
	  log=$$(mktemp); \
	  if ! swift package resolve $(SWIFT_FLAGS) >"$$log" 2>&1; then \
	    reason=$$(grep -m 1 -iE '(fatal|error):' "$$log" | cut -c1-200 || tail -n 1 "$$log"); rm -f "$$log"; \
	    echo "b2c-harness could not fetch the Swift packages that it uses: connect to the network, then run make again. ($$reason)" >&2; exit 2; \
	  fi; \
	  rm -f "$$log"; \
	fi

clean:
	swift package clean
