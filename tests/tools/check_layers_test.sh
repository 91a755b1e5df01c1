#!/usr/bin/env bash
# tools/check-layers passes a good tree and fails on each kind of bad include and of bad line in the table of rooms.
set -euo pipefail
check=$PWD/tools/check-layers
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
failures=0

mkdir -p "$tree"/{tools,src/{base,doc,api/cosmos/wire,api/mongo}}
cat >"$tree/CMakeLists.txt" <<'END'
lapse_layer(base LIBRARIES spdlog)
lapse_layer(doc USES base)
lapse_layer(api USES base  # not doc
            LIBRARIES doc)
END
echo '#include "base/status.h"' >"$tree/src/doc/json.cc"
echo '#include <boost/asio.hpp>' >"$tree/src/base/log.cc"
cat >"$tree/tools/rooms" <<'END'
# The rooms of api; other layers have no rules.

api:
api/cosmos/wire: api
api/cosmos: api  # and, on the next line,
  api/cosmos/wire
api/mongo: api
api/shell: api/cosmos/*
END
cp "$tree/tools/rooms" "$tree/good_rooms"
echo '#include "base/status.h"' >"$tree/src/api/errors.h"
echo '#include "api/errors.h"' >"$tree/src/api/cosmos/wire/errors.cc"
printf '#include "%s"\n' api/errors.h api/cosmos/wire/errors.h api/cosmos/start.h >"$tree/src/api/cosmos/server.cc"
echo '#include "api/errors.h"' >"$tree/src/api/mongo/server.cc"
mkdir "$tree/src/api/shell"
echo '#include "api/cosmos/wire/errors.h"' >"$tree/src/api/shell/shell.cc"
# Tests may include any room.
for file in wire/errors_test.cc wire/errors_fuzz.cc wire/errors_fixture.h wire/test_errors.h; do
  echo '#include "api/cosmos/server.h"' >"$tree/src/api/cosmos/$file"
done
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
refuses src/doc/a.cc '"json.h"' 'names no layer'
refuses src/doc/a.cc '"../base/status.h"' 'names no layer'
refuses bench/a.h '<rocksdb/db.h>' 'a heavy header in a header'
refuses tests/server/a.h '<boost/asio.hpp>' 'a heavy header in a header'
for heavy in boost/asio.hpp rocksdb/db.h openssl/ssl.h simdjson.h spdlog/spdlog.h fmt/format.h bson/bson.h re2/re2.h \
  GeographicLib/Geodesic.hpp; do
  refuses src/doc/a.h "<$heavy>" 'a heavy header in a header'
done

# Rooms.
refuses src/api/cosmos/a.cc '"api/mongo/errors.h"' 'api/cosmos may not include api/mongo'
refuses src/api/cosmos/wire/a.h '"api/cosmos/server.h"' 'api/cosmos/wire may not include api/cosmos'
refuses src/api/a.cc '"api/cosmos/server.h"' 'api may not include api/cosmos'
refuses src/api/cosmos/wire/latest.cc '"api/cosmos/server.h"' 'api/cosmos/wire may not include api/cosmos'
refuses src/api/cosmos/wire/a_test.cc '"doc/json.h"' 'api may not include doc'

# refuses_rooms WORDS [LINE...]: the tree with these lines at the end of the table must be refused with these words.
refuses_rooms() {
  local words=$1 output
  shift
  [ $# = 0 ] || printf '%s\n' "$@" >>"$tree/tools/rooms"
  for layer in "" api; do
    if output=$("$check" ${layer:+--layer "$layer"} "$tree") || [[ $output != *"$words"* ]]; then
      echo "FAILED: the table was not refused with '$words' but: $output"
      failures=1
    fi
  done
  cp "$tree/good_rooms" "$tree/tools/rooms"
}

mkdir "$tree/src/api/admin"
touch "$tree/src/api/admin/a_test.cc"
"$check" "$tree" || { echo "FAILED: a room of tests alone needs a line"; failures=1; }
touch "$tree/src/api/admin/a.cc"
refuses_rooms 'src/api/admin/a.cc: api/admin has no line in tools/rooms'
refuses_rooms 'tools/rooms:9: api/admin lists api, which it does not include' 'api/admin: api'
rm -r "$tree/src/api/admin"
refuses_rooms 'tools/rooms:9: api/admin is no room' 'api/admin:'
sed -i 's|^api/mongo: api|& api/admin|' "$tree/tools/rooms"
refuses_rooms 'tools/rooms:7: api/admin is no room'
sed -i 's|^api/mongo: api|& api/cosmos/*|' "$tree/tools/rooms"
refuses_rooms 'tools/rooms:7: api/mongo lists api/cosmos/*, of which it includes none'
refuses src/api/shell/a.cc '"api/errors.h"' 'api/shell may not include api'
sed -i 's|^api/mongo: api|& base|' "$tree/tools/rooms"
refuses_rooms 'tools/rooms:7: base is a room of another layer than api/mongo'
sed -i 's|^api/mongo: api|& api|' "$tree/tools/rooms"
refuses_rooms 'tools/rooms:7: api/mongo lists api twice'
sed -i 's|^api/mongo: api|& api/mongo|' "$tree/tools/rooms"
refuses_rooms 'tools/rooms:7: api/mongo lists itself'
refuses_rooms 'tools/rooms:9: api/mongo has a line before, 7' 'api/mongo: api'
refuses_rooms 'tools/rooms:9: a line is a room, a colon' 'api/mongo api'
refuses_rooms 'tools/rooms:9: app is no layer' 'app/cosmos: app'
# The circle is one of includes, too.
echo '#include "api/cosmos/server.h"' >"$tree/src/api/start.cc"
sed -i 's|^api:|& api/cosmos|' "$tree/tools/rooms"
refuses_rooms 'a circle: api -> api/cosmos -> api'
rm "$tree/src/api/start.cc"
"$check" "$tree" || { echo "FAILED: the tree is no longer good"; failures=1; }

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
