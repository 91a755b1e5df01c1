// The first and the last of many items, by partition: if all items between them are gone, all of these are.
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
    uint64_t first = 0;  // by creation counter
    uint64_t last = 0;
  };

  void Add(ContainerId container, ItemNumber item);
  // Notes a record that cannot be summarized. The whole summary is then unknown.
  void AddUnknown() { known_ = false; }

  // Returns an empty string if the summary is unknown. Otherwise, integers little-endian: version 1 (1 byte), number of
  // groups (4), and each: container (4), partition (4), first (8), last (8).
  std::string Encode() const;
  // Returns nullopt if the summary is unknown or the bytes are of another kind.
  static std::optional<std::vector<Group>> Decode(std::string_view bytes);

 private:
  std::vector<Group> groups_;
  bool known_ = true;
};

}  // namespace lapse::engine
