#!/usr/bin/env bash
# tools/twice runs a listed test once more, notes what then passes, and leaves everything else alone.
set -euo pipefail
twice=$PWD/tools/twice
node_tests=$PWD/tools/node-tests
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0
export REPEATABLE=$tree/list
export SECOND_TRIES=$tree/tries

cat >"$REPEATABLE" <<'END'
# a comment
listed          a reason
folder/*        another one
program:Fast.*  tests of a GoogleTest program
END

# Fails with code 3 for the first $1 runs, then passes.
cat >"$tree/fails" <<'END'
#!/usr/bin/env bash
echo run >>"$TREE/runs"
if [ "$(wc -l <"$TREE/runs")" -le "$1" ]; then exit 3; fi
END
# The same, and says as GoogleTest does that the tests of the other arguments have failed.
cat >"$tree/google" <<'END'
#!/usr/bin/env bash
echo "${*: -1}" >"$TREE/last"
echo run >>"$TREE/runs"
if [ "$(wc -l <"$TREE/runs")" -gt "$1" ]; then exit 0; fi
shift
echo "[  FAILED  ] Early.Line (1 ms)"
echo "[  PASSED  ] 7 tests."
echo "[  FAILED  ] $# tests, listed below:"
for test in "$@"; do echo "[  FAILED  ] $test"; done
exit 1
END
chmod +x "$tree/fails" "$tree/google"
export TREE=$tree

# expect WHAT CODE RUNS NOTED COMMAND...: exit code, how often it ran, what the file of names holds.
expect() {
  local what=$1 code=$2 runs=$3 noted=$4 got=0 ran names
  shift 4
  rm -f "$tree/runs" "$tree/tries"
  "$@" >"$tree/output" 2>&1 || got=$?
  touch "$tree/runs" "$tree/tries"
  ran=$(wc -l <"$tree/runs")
  names=$(cat "$tree/tries")
  if [ "$got" != "$code" ] || [ "$ran" != "$runs" ] || [ "$names" != "$noted" ]; then
    echo "FAILED: $what: code $got, $ran runs, noted '$names'; wanted $code, $runs, '$noted'"
    cat "$tree/output"
    failures=1
  fi
}

expect 'a pass' 0 1 '' "$twice" listed "$tree/fails" 0
expect 'one failure' 0 2 listed "$twice" listed "$tree/fails" 1
expect 'two failures' 3 2 '' "$twice" listed "$tree/fails" 2
expect 'a pattern' 0 2 folder/sub/x "$twice" folder/sub/x "$tree/fails" 1
expect 'a test that is not listed' 3 1 '' "$twice" other "$tree/fails" 1
expect 'no file for the names' 3 1 '' env -u SECOND_TRIES "$twice" listed "$tree/fails" 1
expect 'a first try elsewhere' 0 1 listed "$twice" --failed listed "$tree/fails" 0
expect 'a first try elsewhere, and a second failure' 3 1 '' "$twice" --failed listed "$tree/fails" 1
expect 'a first try elsewhere, not listed' 1 0 '' "$twice" --failed other "$tree/fails" 0
expect 'a listed part' 0 2 program:Fast.A:Fast.B/0 \
  "$twice" program "$tree/google" 1 Fast.A 'Fast.B/0, where GetParam() = 1'
if [ "$(cat "$tree/last")" != --gtest_filter=Fast.A:Fast.B/0 ]; then
  echo "FAILED: repeated $(cat "$tree/last")"
  failures=1
fi
expect 'a part that is not listed' 1 1 '' "$twice" program "$tree/google" 1 Fast.A Slow.B
expect 'a program that crashed' 3 1 '' "$twice" program "$tree/fails" 1

printf 'b\na\nb\n' >"$tree/tries"
report=$("$twice" --report)
if [ "$report" != $'passed on the second try:\n  a\n  b (2 times)' ]; then
  echo "FAILED: the report is $report"
  failures=1
fi
rm "$tree/tries"
if [ -n "$("$twice" --report)" ]; then
  echo "FAILED: a report of nothing"
  failures=1
fi

# The tests of Node: the files that failed alone are run again. Without installed packages there is nothing to try.
if [ -d tests/sdk/js/node_modules ]; then
  mkdir -p "$tree/page"
  cat >"$tree/page/once.test.mjs" <<'END'
import { appendFileSync, existsSync } from 'node:fs';
import test from 'node:test';
const runs = `${process.env.TREE}/runs`;
const again = existsSync(runs);
appendFileSync(runs, 'run\n');
test('outer', async (t) => {
  await t.test('inner', () => {
    if (!again) throw new Error('the first run fails');
  });
});
END
  echo "import test from 'node:test'; test('passes', () => {});" >"$tree/page/good.test.mjs"
  name=$(realpath --relative-to="$PWD" "$tree/page/once.test.mjs")
  echo "*/page/once.test.mjs a reason" >>"$REPEATABLE"
  expect 'a file of Node' 0 2 "$name" "$node_tests" "$tree/page/good.test.mjs" "$tree/page/once.test.mjs"
  sed -i '$d' "$REPEATABLE"
  expect 'a file of Node that is not listed' 1 1 '' "$node_tests" "$tree/page/good.test.mjs" "$tree/page/once.test.mjs"
fi

# What the list of this repository must never name.
unset REPEATABLE
for name in tests/crash/crash.test.mjs tests/crash/model.test.mjs lapse_engine_test json_fuzz \
  lapse_integration_test lapse_integration_test:{Simulation,QueryFuzz,All/LinearizabilityTest,PowerCutTest}.Any; do
  expect "$name of the real list" 3 1 '' "$twice" "$name" "$tree/fails" 1
done
expect 'a page test of the real list' 0 2 tests/explorer/items.test.mjs \
  "$twice" tests/explorer/items.test.mjs "$tree/fails" 1
exit $failures
