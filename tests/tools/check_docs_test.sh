#!/usr/bin/env bash
# tools/check-docs passes a good tree and finds each kind of name that leads nowhere.
set -euo pipefail
check=$PWD/tools/check-docs
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

mkdir -p "$tree"/{src/net/wire,docs/design,tests,bench}
touch "$tree"/src/net/{server.h,server.cc,wire/auth.cc} "$tree/bench/query.cc"
cat >"$tree/README.md" <<'END'
# Readme
`src/net/server.h`, `net/server.*`, `server.cc`, `wire/auth.cc`, `src/**.cc`, `net/wire`, `wire/`, `bench/query` and
`x_test.cc`; not `application/json`, `/_lapse/stats`, `build/release/lapsed`, `GET /a/b.json`, nor `address/city`.
[a page](docs/design/a.md), [its heading](docs/design/a.md#two-words-and-code), [here](#readme),
[by name](docs/design/a.md#named), [elsewhere](https://example.com/a.md), [a folder](docs/design/)

    a walk     src/net/server.cc, auth.cc

## Not built yet
`net/later.h`
END
printf '# A\n<a id="named"></a>\n## Two words, and `code`\n' >"$tree/docs/design/a.md"
printf '# Changes\n## [2]\n`server.h`\n## [1]\n`gone.h`\n' >"$tree/CHANGELOG.md"
echo '// docs/design/a.md says why.' >"$tree/src/net/why.cc"

if ! "$check" "$tree"; then
  echo "FAILED: a good tree was refused"
  failures=1
fi

# refuses FILE TEXT WORDS: the text, in that file, must be refused with these words.
refuses() {
  local output
  printf '%s\n' "$2" >"$tree/$1"
  if output=$("$check" "$tree") || [[ $output != *"$1:1: $3"* ]]; then
    echo "FAILED: '$2' in $1 was not refused with '$3' but: $output"
    failures=1
  fi
  if ! "$check" --reported "$1" "$tree" >/dev/null; then
    echo "FAILED: '$2' in $1 was refused, and should have been reported alone"
    failures=1
  fi
  rm "$tree/$1"
}

refuses docs/b.md '`src/net/gone.h`' 'there is no file src/net/gone.h'
refuses docs/b.md '`gone.cc`' 'there is no file gone.cc'
refuses docs/b.md '`ire/auth.cc`' 'there is no file ire/auth.cc'
refuses docs/b.md '`net/gone.*`' 'there is no file net/gone.*'
refuses docs/b.md '`net/gone`' 'there is no folder or file net/gone'
refuses docs/b.md '`gone/`' 'there is no folder or file gone'
refuses docs/b.md 'see `server.h, gone.ts`' 'there is no file gone.ts'
refuses docs/b.md '    -> step   net/gone.cc' 'there is no file net/gone.cc'
refuses docs/b.md '[a](a.md)' 'the link a.md leads nowhere'
refuses docs/b.md '[a](design/a.md#three)' 'the link design/a.md#three leads to no heading'
refuses docs/b.md '[a](#three)' 'the link #three leads to no heading'
refuses src/net/a.cc '// docs/design/gone.md says why' 'there is no page docs/design/gone.md'
exit $failures
