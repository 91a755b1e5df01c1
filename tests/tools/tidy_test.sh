#!/usr/bin/env bash
# tools/tidy passes a good tree and finds each kind of offence.
set -euo pipefail
tidy=$PWD/tools/tidy
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

mkdir -p "$tree"/{src/base,src/net,tools,tests,build}
printf '#pragma once\nint good;  // TOD%s(#12): a name\n' O >"$tree/src/net/good.h"
printf 'auto now = std::chrono::system_clock::now();\n' >"$tree/src/base/clock.cc"
printf 'int main() { std::printf("hello"); }\n' >"$tree/src/net/hello_main.cc"
printf 'void Wait() { sleep_for(1); }  // NOLINT(lapse-tidy): the kernel gives no event\n' >"$tree/src/net/wait.cc"
printf 'const char* text = "printf(";  // printf( is fine here\nint n = snprintf(b, 1, "");\n' >"$tree/src/net/text.cc"
printf 'all:\n\ttrue\n' >"$tree/Makefile"
printf '\t' >"$tree/build/generated.cc"

if ! "$tidy" "$tree"; then
  echo "FAILED: a good tree was refused"
  failures=1
fi

# refuses FILE TEXT WORDS: the text (for printf), in that file, must be refused with these words.
refuses() {
  local file=$tree/$1 output
  # shellcheck disable=SC2059
  printf "$2" >"$file"
  if output=$("$tidy" "$tree") || [[ $output != *"$1:"*"$3"* ]]; then
    echo "FAILED: '$2' in $1 was not refused with '$3' but: $output"
    failures=1
  fi
  rm "$file"
}

long=$(printf 'x%.0s' {1..121})
refuses src/net/a.cc "$long\n" 'longer than 120 columns'
refuses src/net/a.cc '\tint a;\n' 'tab'
refuses src/net/a.cc 'int a; \n' 'trailing blank'
refuses src/net/a.cc 'int a;\r\n' 'carriage return'
refuses src/net/a.cc 'int a;' 'no newline at the end'
refuses tools/a 'true' 'no newline at the end'
refuses src/net/a.h 'int a;\n' 'no #pragma once'
refuses src/net/a.cc "// TOD""O: later\n" 'without an issue'
refuses src/net/a.cc 'auto now = std::chrono::system_clock::now();\n' 'WallClock'
refuses tests/a_test.cc 'auto now = time(nullptr);\n' 'WallClock'
refuses src/net/a.cc 'auto now = std::chrono::steady_clock::now();\n' 'SteadyClock'
refuses src/net/a_test.cc 'std::this_thread::sleep_for(1ms);\n' 'nothing sleeps'
refuses src/net/a.cc 'int a = std::rand();\n' 'seeded engine'
refuses src/net/a.cc 'std::printf("");\n' 'only programs print'
refuses src/net/a.cc 'std::cout << 1;\n' 'only programs print'
refuses src/net/a.cc "$(printf 'int a;\\n%.0s' {1..801})" 'longer than 800 lines'

width=$(printf 'é%.0s' {1..120})
printf '// %s\n' "${width:3}" >"$tree/src/net/width.cc"
if ! "$tidy" "$tree"; then
  echo "FAILED: 120 columns of two bytes each were refused"
  failures=1
fi
exit $failures
