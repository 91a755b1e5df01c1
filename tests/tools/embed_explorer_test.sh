#!/usr/bin/env bash
# tools/embed-explorer takes a built page and refuses what could not be served.
set -euo pipefail
embed=$PWD/tools/embed-explorer
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

fail() {
  echo "FAILED: $*"
  failures=1
}

mkdir -p "$tree/page/assets"
echo '<!doctype html>' >"$tree/page/index.html"
echo 'let x;' >"$tree/page/assets/a-1.js"
"$embed" "$tree/page" "$tree/page.cc" Files || fail "a good page was refused"
grep -qF '{"assets/a-1.js", "text/javascript; charset=utf-8", "' "$tree/page.cc" || fail "a file is not listed"

"$embed" "" "$tree/none.cc" Files || fail "no page was refused"
grep -qF 'return {};' "$tree/none.cc" || fail "without a page there are files"

# refuses FILE WORDS: a page with that file must be refused with these words, and leave no source.
refuses() {
  local output
  mkdir -p "$tree/bad"
  echo '<!doctype html>' >"$tree/bad/index.html"
  echo x >"$tree/bad/$1"
  if output=$("$embed" "$tree/bad" "$tree/bad.cc" Files 2>&1) || [[ $output != *"$2"* ]]; then
    fail "$1 was not refused with '$2' but: $output"
  fi
  [ ! -e "$tree/bad.cc" ] || fail "$1 has left a source"
  rm -rf "$tree/bad"
}
refuses 'a b.js' 'would have to be encoded'
refuses 'a"b.js' 'would have to be encoded'
refuses 'page.exe' 'no content type'

mkdir -p "$tree/empty"
if output=$("$embed" "$tree/empty" "$tree/empty.cc" Files 2>&1) || [[ $output != *'no index.html'* ]]; then
  fail "a folder without a page was not refused: $output"
fi
if output=$("$embed" "$tree/page" "$tree/page.cc" 'f(); evil' 2>&1) || [[ $output != *'no name of a function'* ]]; then
  fail "a bad name was not refused: $output"
fi
exit $failures
