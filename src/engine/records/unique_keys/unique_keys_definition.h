// Which values of a container's items are unique in each logical partition, independent of an API's syntax.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "doc/path.h"

namespace lapse::engine {

struct UniqueKeysDefinition {
  // The combination of the values at all its paths is unique.
  struct Key {
    std::vector<doc::Path> paths;

    bool operator==(const Key&) const = default;
  };

  // An entry identifies its key by one byte. APIs allow far less than both limits.
  static constexpr size_t kKeysMax = 255;
  static constexpr size_t kPathsMax = 255;

  std::vector<Key> keys;

  bool empty() const { return keys.empty(); }
  // Fails: kInvalidArgument beyond the limits, or if a key has no path.
  Status Check() const;

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version, 1
  //   1       4     number of keys
  //   then          each: number of paths (4), each: number of names (4), each a length (4) and bytes
  //
  // Decode removes them from the front of `bytes`. Returns false if the bytes are something else.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, UniqueKeysDefinition* definition);

  bool operator==(const UniqueKeysDefinition&) const = default;
};

}  // namespace lapse::engine
