#!/usr/bin/env bash
# tools/check-layers passes a good tree and fails on each kind of bad include.
set -euo pipefail
check=$PWD/tools/check-layers
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

mkdir -p "$tree"/src/{base,doc,api/cosmos,api/mongo}
cat >"$tree/CMakeLists.txt" <<'END'
lapse_layer(base LIBRARIES spdlog)
lapse_layer(doc USES base)
lapse_layer(api USES base  # not doc
            LIBRARIES doc
            APART cosmos mongo)
END
echo '#include "base/status.h"' >"$tree/src/doc/json.cc"
echo '#include <boost/asio.hpp>' >"$tree/src/base/log.cc"
echo '#include "api/errors.h"' >"$tree/src/api/cosmos/errors.cc"
echo '#include "api/cosmos/errors.h"' >"$tree/src/api/cosmos/server.cc"
echo '#include "api/mongo/server.h"' >"$tree/src/api/start.cc"
mkdir -p "$tree"/{bench/measure,tests/sdk/js/node_modules}
echo '#include <rocksdb/db.h>' >"$tree/bench/measure/bare.cc"
echo '#include "bench/measure/bare.h"' >"$tree/bench/measure/bare.h"
echo '#include <rocksdb/db.h>' >"$tree/tests/sdk/js/node_modules/theirs.h"

if ! "$check" "$tree"; then
  echo "FAILED: a good tree was refused"
  failures=1
fi

# refuses FILE INCLUDE WORDS: the include, in that file, must be refused with these words.
refuses() {
  local file=$tree/$1 output
  mkdir -p "$(dirname "$file")"
  printf '\n#include %s\n' "$2" >"$file"
  if output=$("$check" "$tree") || [[ $output != *"$1:2: "*"$3"* ]]; then
    echo "FAILED: $2 in $1 was not refused with '$3' but: $output"
    failures=1
  fi
  rm "$file"
}

refuses src/base/a.cc '"doc/json.h"' 'base may not include doc'
refuses src/doc/a.h '"api/errors.h"' 'doc may not include api'
refuses src/api/a.cc '"doc/json.h"' 'api may not include doc'
refuses src/api/cosmos/a.cc '"api/mongo/errors.h"' 'api/cosmos may not include api/mongo'
refuses src/api/mongo/deep/a.h '"api/cosmos/errors.h"' 'api/mongo may not include api/cosmos'
refuses src/doc/a.cc '"json.h"' 'names no layer'
refuses src/doc/a.cc '"../base/status.h"' 'names no layer'
refuses bench/a.h '<rocksdb/db.h>' 'a heavy header in a header'
refuses tests/server/a.h '<boost/asio.hpp>' 'a heavy header in a header'
for heavy in boost/asio.hpp rocksdb/db.h openssl/ssl.h simdjson.h spdlog/spdlog.h fmt/format.h bson/bson.h re2/re2.h \
  GeographicLib/Geodesic.hpp; do
  refuses src/doc/a.h "<$heavy>" 'a heavy header in a header'
done

if "$check" --layer nowhere "$tree" >/dev/null; then
  echo "FAILED: a layer that does not exist passed"
  failures=1
fi
mkdir "$tree/src/stray"
touch "$tree/src/stray/a.cc"
if [[ $("$check" "$tree") != *"src/stray has no lapse_layer() call"* ]]; then
  echo "FAILED: a folder without a layer passed"
  failures=1
fi
echo 'lapse_layer(net USES server)' >>"$tree/CMakeLists.txt"
if [[ $("$check" "$tree") != *"net uses server, which is no layer before it"* ]]; then
  echo "FAILED: a layer that uses one below passed"
  failures=1
fi
exit $failures
