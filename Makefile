# The front door: one command per need, the same for people and for CI. Every target installs what it needs first.
#
#   make build        build/release/lapsed and build/release/lapse             EXPLORER=OFF: without the web page
#   make run          build, then run the server               ARGS="--port 9000"
#   make test         build, C++ tests, the SDKs of JavaScript and Python, the web page: its modules, and in a browser
#   make test-sdks    build, then the SDKs of all languages             RUNS=2 GO=required (fail without a Go of 1.25)
#   make test-explorer  build, then the web page in a browser alone
#   make screenshots  pictures of the web page, in docs/images
#   make bench        benchmarks; bench-long: the same for longer, for figures that are published
#   make lint         format, style, clang-tidy on what changed (LINT_BASE=commit); lint-all: on everything
#   make format       let clang-format rewrite the sources
#   make asan         all tests under AddressSanitizer + UBSan
#   make tsan         tests of the layers with threads of their own under ThreadSanitizer
#   make fuzz         every fuzzer for FUZZ_SECONDS each (60)
#   make simulate     the engine against its model, many seeds                   SEEDS=200
#   make linearizability  many connections, faults and restarts: are the answers true together?   ROUNDS=200
#   make query-fuzz   random queries against a plain reference, whole and by pages  CASES=1000000
#   make crash        kill -9 the server many times and look at what it kept      CRASH_ROUNDS=200
#   make clean        remove build/

SHELL := /bin/bash
.DEFAULT_GOAL := build
.NOTPARALLEL:

ARGS ?=
EXPLORER ?= ON
FUZZ_SECONDS ?= 60
CRASH_ROUNDS ?= 200
SEEDS ?= 200
ROUNDS ?= 200
CASES ?= 1000000
GO ?= optional
RUNS ?= 1
JOBS := $(shell nproc)
EXPLORER_TESTS = $(wildcard tests/explorer/*.test.mjs)
TSAN_TESTS := lapse_base_test lapse_store_test lapse_engine_test lapse_net_test

# The Data Explorer is built before the server that holds it.
ifeq ($(EXPLORER),ON)
EXPLORER_DEPS := web
BROWSER_DEPS := browser
build_explorer = tools/build-explorer

# The page's own modules, then the page of the real server in a browser.
define test_page
cd web && ../tools/node node_modules/vitest/vitest.mjs run
$(test_in_browser)
endef
endif

# One file after another: each has a server and a browser of its own.
test_in_browser = LAPSED=$(CURDIR)/build/release/lapsed tools/node-tests --test-concurrency=1 $(EXPLORER_TESTS)

# Tests that .ci/repeatable lists get a second try (tools/twice). The names of those that passed it are said at the end;
# a caller that names a file in SECOND_TRIES collects them over several runs.
ifndef SECOND_TRIES
test test-sdks test-explorer: export SECOND_TRIES := $(CURDIR)/build/second-tries
forget_second_tries = @mkdir -p build && rm -f build/second-tries
endif
say_second_tries = @tools/twice --report

# $(call build,preset,target...)
define build
cmake --preset $(1) --log-level=WARNING -DLAPSE_EXPLORER=$(EXPLORER)
cmake --build --preset $(1) --target $(2)
endef

# $(call test,preset,environment): unit and integration tests, then JavaScript's SDK against this build's server.
define test
$(2) ctest --test-dir build/$(1) --output-on-failure --no-tests=error -j$(JOBS)
$(2) LAPSED=$(CURDIR)/build/$(1)/lapsed tests/sdk/js/run
endef

.PHONY: build run test test-sdks test-explorer screenshots bench bench-long lint lint-all format asan tsan fuzz \
  simulate linearizability query-fuzz crash clean help

help:
	@sed -n '3,/^$$/s/^# \{0,1\}//p' Makefile

build:
	@tools/install-deps build $(EXPLORER_DEPS)
	$(build_explorer)
	$(call build,release,programs)

run: build
	build/release/lapsed $(ARGS)

test:
	$(forget_second_tries)
	@tools/install-deps build test $(EXPLORER_DEPS) $(BROWSER_DEPS)
	$(build_explorer)
	$(call build,release,all)
	$(call test,release)
	LAPSED=$(CURDIR)/build/release/lapsed tests/sdk/python/run
	$(test_page)
	$(say_second_tries)

test-explorer: build
	$(forget_second_tries)
	@tools/install-deps test browser
	$(test_in_browser)
	$(say_second_tries)

screenshots: build
	@tools/install-deps test browser screenshots
	LAPSED=$(CURDIR)/build/release/lapsed tools/node tests/explorer/screenshots.mjs docs/images

test-sdks:
	$(forget_second_tries)
	@tools/install-deps build test sdks
	$(call build,release,programs)
	for language in js python go java; do \
	  for run in $$(seq $(RUNS)); do \
	    LAPSED=$(CURDIR)/build/release/lapsed GO=$(GO) tests/sdk/$$language/run || exit 1; \
	  done; \
	done
	$(say_second_tries)

bench bench-long:
	@tools/install-deps build bench
	$(build_explorer)
	cmake --preset release --log-level=WARNING -DLAPSE_BUILD_BENCH=ON
	cmake --build --preset release --target programs benchmarks
	tools/bench $(if $(filter bench-long,$@),--long)

lint lint-all:
	@tools/install-deps build lint
	@cmake --preset lint --log-level=WARNING >/dev/null
	tools/lint $(if $(filter lint-all,$@),--all)

format:
	@tools/install-deps lint
	tools/lint --format

asan:
	@tools/install-deps build test
	$(build_explorer)
	$(call build,asan,all)
	$(call test,asan,SECOND_TRIES= ASAN_OPTIONS=detect_stack_use_after_return=1 UBSAN_OPTIONS=print_stacktrace=1)

# Address randomisation of recent kernels is wider than gcc 12's TSan knows: setarch -R turns it off. A long history
# lets TSan name the frames of an older access, by which suppressions go.
TSAN_SETTINGS = suppressions=$(CURDIR)/cmake/tsan.supp second_deadlock_stack=1 history_size=7
tsan:
	@tools/install-deps build
	$(call build,tsan,$(TSAN_TESTS))
	TSAN_OPTIONS="$(TSAN_SETTINGS)" setarch -R ctest --test-dir build/tsan \
	  --output-on-failure --no-tests=error -j$(JOBS) -R "^($$(echo $(TSAN_TESTS) | tr ' ' '|'))\$$"

fuzz:
	@tools/install-deps build fuzz
	$(call build,fuzz,all)
	tools/fuzz $(FUZZ_SECONDS)

simulate:
	@tools/install-deps build test
	$(call build,release,lapse_integration_test)
	LAPSE_SIM_SEEDS=$(SEEDS) build/release/lapse_integration_test --gtest_filter='Simulation.*'

linearizability:
	@tools/install-deps build test
	$(call build,release,programs lapse_integration_test)
	LAPSED=$(CURDIR)/build/release/lapsed LAPSE_LINEAR_ROUNDS=$(ROUNDS) \
	  build/release/lapse_integration_test --gtest_filter='*LinearizabilityTest.*'

query-fuzz:
	@tools/install-deps build test
	$(call build,release,lapse_integration_test)
	LAPSE_QUERY_CASES=$(CASES) build/release/lapse_integration_test --gtest_filter='QueryFuzz.*'

crash: build
	@tools/install-deps test
	LAPSED=$(CURDIR)/build/release/lapsed tests/crash/run --rounds $(CRASH_ROUNDS)

clean:
	rm -rf build
