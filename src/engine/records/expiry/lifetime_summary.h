// The latest of many records: a floor that covers it covers all of them.
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
  // The maximum base and the maximum sequence of the records of one rule in one partition.
  struct Group {
    PartitionId partition;
    ttl::RuleId rule = 0;
    int64_t base_ms = 0;
    Sequence sequence = 0;
  };

  void Add(PartitionId partition, const ttl::Lifetime& lifetime);
  // Notes a record that cannot be summarized. The whole summary is then unknown.
  void AddUnknown() { known_ = false; }

  // Returns an empty string if the summary is unknown. Otherwise, integers little-endian: version 1 (1 byte), number of
  // groups (4), and each: container (4), partition (4), rule (4), base in milliseconds (8), sequence (8).
  std::string Encode() const;
  // Returns nullopt if the summary is unknown or the bytes are of another kind.
  static std::optional<std::vector<Group>> Decode(std::string_view bytes);

 private:
  std::vector<Group> groups_;
  bool known_ = true;
};

}  // namespace lapse::engine
