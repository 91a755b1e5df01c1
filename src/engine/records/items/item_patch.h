// A change of parts of an item: what a write of the kind kPatch carries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "doc/edit.h"
#include "engine/records/items/item.h"

namespace lapse::engine {

// What the API that sends patches has to say about them. Threads: any; it has no state.
class PatchRules {
 public:
  virtual ~PatchRules() = default;

  // The error that the user gets when the edits cannot be applied.
  virtual Status Explain(const std::vector<doc::Edit>& edits, const doc::EditError& error) const = 0;
  // Whether the API takes such a document, and the ttl of its own that it has; nullopt: it inherits.
  virtual Result<std::optional<int32_t>> OwnTtlOf(std::string_view document) const = 0;
};

// The work of all conditions of one write, in steps of some 20 ns at the most: all writers of the partition wait
// meanwhile. A commit takes no further write when its conditions have had as many.
inline constexpr uint64_t kConditionStepsMax = uint64_t{1} << 23;

// What must be true of the item for a patch to go ahead. Threads: any.
class ItemCondition {
 public:
  virtual ~ItemCondition() = default;
  // `now_ms` is the moment of the commit. Takes what it needs from `steps`.
  // Fails: what the user gets instead of the patch; kTooLarge when there are too few steps.
  virtual Result<bool> Holds(const ItemMeta& meta, std::string_view document, int64_t now_ms,
                             uint64_t* steps) const = 0;
};

struct ItemPatch {
  std::vector<doc::Edit> edits;
  doc::EditLimits limits;
  const PatchRules* rules = nullptr;                         // must outlive the write
  std::shared_ptr<const ItemCondition> condition = nullptr;  // null: none

  // Of the values that it brings.
  size_t bytes() const {
    size_t sum = 0;
    for (const doc::Edit& edit : edits) sum += edit.value.bytes();
    return sum;
  }
};

}  // namespace lapse::engine
