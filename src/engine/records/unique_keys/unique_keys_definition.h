// Which values of a container's items are unique in each logical partition, whatever syntax an API has for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "doc/path.h"

namespace lapse::engine {

struct UniqueKeysDefinition {
  // The values at all of its paths together are unique.
  struct Key {
    std::vector<doc::Path> paths;

    bool operator==(const Key&) const = default;
  };

  // An entry names its key by one byte. What an API allows is far below both.
  static constexpr size_t kKeysMax = 255;
  static constexpr size_t kPathsMax = 255;

  std::vector<Key> keys;

  bool empty() const { return keys.empty(); }
  // Fails: kInvalidArgument beyond the limits, or when a key has no path.
  Status Check() const;

  // Integers are little-endian.
  //
  //   offset  size  field
  //   0       1     version, 1
  //   1       4     number of keys
  //   then          each: number of paths (4), each: number of names (4), each a length (4) and bytes
  //
  // Decode takes them off the front of `bytes`. False when the bytes are something else.
  void Encode(std::string* out) const;
  static bool Decode(std::string_view* bytes, UniqueKeysDefinition* definition);

  bool operator==(const UniqueKeysDefinition&) const = default;
};

}  // namespace lapse::engine
