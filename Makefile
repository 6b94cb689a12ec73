# make run   installs what is missing, builds a release and runs the shipped scenarios
# make test  the same for the tests; tests of the command run the release build
# make lint  checks the formatting, arithmetic on numbers from outside, and the English of the documents
# make bench builds a release and prints the benchmark's ratios
# make conformance tries real clients and a real browser against the release build
# make dist  builds with Swift's libraries linked in and writes packages into dist
# make release-check installs each package of dist on a system without Swift and gets a first token
# make mutations changes each expectation, fault and setting of the shipped scenarios and lists what no run notices

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.PHONY: help run test conformance mutations lint format bench build dist release-check setup toolchain python clean

MINIMUM_SWIFT := 6.2
SWIFT_FLAGS ?=

# Tests that run side by side: one per core. Without a limit Swift Testing starts all of them at once, and each takes as
# long as all together (Swift 6.3 and later; earlier ones do not read it).
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH ?= $(shell getconf _NPROCESSORS_ONLN)

help:
	@sed -n 's/^# //p' Makefile | head -8

run: build
	.build/release/b2c run scenarios

build: setup
	swift build -c release --product b2c $(SWIFT_FLAGS)

test: setup
	swift build -c release --product b2c $(SWIFT_FLAGS)
	swift build --build-tests $(SWIFT_FLAGS)
	B2C_COMMAND="$(CURDIR)/.build/release/b2c" swift test --skip-build --disable-xctest $(SWIFT_FLAGS)

bench: setup python
	swift build -c release --product Benchmarks $(SWIFT_FLAGS)
	swift build -c release --product b2c $(SWIFT_FLAGS)
	swift build -c release --product mock-server $(SWIFT_FLAGS)
	.build/release/Benchmarks
	.build/release/Benchmarks --loopback .build/release/mock-server
	python3 packaging/measure.py .build/release dist

# A build folder of its own, since the flag builds everything again. macOS has Swift's libraries, and its compiler refuses
# the flag. KINDS makes some packages only, such as KINDS="tar deb".
STATIC := $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
KINDS ?=

dist: setup python
	swift build -c release $(STATIC) --scratch-path .build-static --product b2c $(SWIFT_FLAGS)
	swift build -c release $(STATIC) --scratch-path .build-static --product mock-server $(SWIFT_FLAGS)
	python3 packaging/dist.py .build-static/release $(KINDS) --output dist

# Needs root, mmdebstrap and dist; what is missing for one package skips that one, and it says why.
release-check: python
	python3 Tests/Conformance/packages.py dist
	Tests/Conformance/run.sh examples_swift

# What a part needs beside python3 it installs for itself; a part that cannot run here says why.
conformance: build
	swift build -c release --product mock-server $(SWIFT_FLAGS)
	Tests/Conformance/run.sh

mutations: build python
	python3 Tests/Mutations/mutations.py --b2c .build/release/b2c

lint: toolchain python
	swift format lint --strict --recursive --parallel Package.swift Sources Tests mock-server Benchmarks
	python3 Tests/Lint/outside_numbers.py Sources mock-server/Sources
	python3 Tests/Lint/english.py

format: toolchain
	swift format --in-place --recursive --parallel Package.swift Sources Tests mock-server Benchmarks

# The scripts of lint and mutations need Python 3, without further packages.
python:
	@if ! command -v python3 >/dev/null 2>&1; then \
	  if ! command -v apt-get >/dev/null 2>&1; then \
	    echo "make needs python3 here: install it, then run make again." >&2; exit 2; \
	  fi; \
	  sudo=""; if [ "$$(id -u)" -ne 0 ]; then sudo="sudo"; fi; \
	  echo "installing python3"; \
	  $$sudo apt-get update -qq; \
	  $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3 >/dev/null; \
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

# System packages, with headers: libcurl and jansson for b2c, SQLite for mock-server and the tests. sudo is used only by
# somebody who is not root; macOS has SQLite.
setup: toolchain
	@missing=""; \
	if command -v apt-get >/dev/null 2>&1; then \
	  for package in libcurl4-openssl-dev libjansson-dev libsqlite3-dev; do \
	    dpkg -s "$$package" 2>/dev/null | grep -q '^Status: install ok installed' || missing="$$missing $$package"; \
	  done; \
	  if [ -n "$$missing" ]; then \
	    sudo=""; if [ "$$(id -u)" -ne 0 ]; then sudo="sudo"; fi; \
	    echo "installing$$missing"; \
	    $$sudo apt-get update -qq; \
	    $$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $$missing >/dev/null; \
	  fi; \
	elif command -v brew >/dev/null 2>&1; then \
	  for package in curl jansson; do brew list --formula "$$package" >/dev/null 2>&1 || missing="$$missing $$package"; done; \
	  if [ -n "$$missing" ]; then echo "installing$$missing"; brew install --quiet $$missing; fi; \
	elif ! pkg-config --exists libcurl jansson sqlite3 2>/dev/null; then \
	  echo "b2c-harness needs the headers of libcurl, jansson and SQLite, and this machine has neither apt-get nor brew: install them, then run make again." >&2; exit 2; \
	fi

clean:
	swift package clean
