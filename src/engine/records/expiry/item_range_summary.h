// The first and the last of many items, partition by partition: when all between them are gone, all of them are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/records/ids/ids.h"

namespace lapse::engine {

// Threads: one.
class ItemRangeSummary {
 public:
  struct Group {
    PartitionId partition;
    uint64_t first = 0;  // by their counter of creation
    uint64_t last = 0;
  };

  void Add(ContainerId container, ItemNumber item);
  // One of the records cannot be told about: nothing can be told about all of them.
  void AddUnknown() { known_ = false; }

  // Empty when nothing can be told. Otherwise, integers little-endian: version 1 (1 byte), number of groups (4), and
  // each: container (4), partition (4), first (8), last (8).
  std::string Encode() const;
  // Nullopt when nothing can be told, or the bytes are of another kind.
  static std::optional<std::vector<Group>> Decode(std::string_view bytes);

 private:
  std::vector<Group> groups_;
  bool known_ = true;
};

}  // namespace lapse::engine
