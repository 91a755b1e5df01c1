// The latest of many records: when a floor covers it, it covers all of them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/records/ids/ids.h"
#include "ttl/lifetime.h"

namespace lapse::engine {

// Threads: one.
class LifetimeSummary {
 public:
  // Records of one rule in one partition: the greatest base and the greatest sequence among them.
  struct Group {
    PartitionId partition;
    ttl::RuleId rule = 0;
    int64_t base_ms = 0;
    Sequence sequence = 0;
  };

  void Add(PartitionId partition, const ttl::Lifetime& lifetime);
  // One of the records cannot be told about: nothing can be told about all of them.
  void AddUnknown() { known_ = false; }

  // Empty when nothing can be told. Otherwise, integers little-endian: version 1 (1 byte), number of groups (4), and
  // each: container (4), partition (4), rule (4), base in milliseconds (8), sequence (8).
  std::string Encode() const;
  // Nullopt when nothing can be told, or the bytes are of another kind.
  static std::optional<std::vector<Group>> Decode(std::string_view bytes);

 private:
  std::vector<Group> groups_;
  bool known_ = true;
};

}  // namespace lapse::engine
