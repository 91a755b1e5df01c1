// A change of parts of an item, as a write of kind kPatch carries it.
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

// The rules of the API that sends patches. Threads: any; it has no state.
class PatchRules {
 public:
  virtual ~PatchRules() = default;

  // Returns the error for the user if the edits cannot be applied.
  virtual Status Explain(const std::vector<doc::Edit>& edits, const doc::EditError& error) const = 0;
  // Returns the document's own ttl (nullopt: inherited), or an error if the API does not accept the document.
  virtual Result<std::optional<int32_t>> OwnTtlOf(std::string_view document) const = 0;
};

// Maximum work for all conditions of one write, in steps of at most about 20 ns. All writers of the partition wait
// meanwhile. A commit takes no further write once its conditions have used this many steps.
inline constexpr uint64_t kConditionStepsMax = uint64_t{1} << 23;

// A condition on the item that a patch requires. Threads: any.
class ItemCondition {
 public:
  virtual ~ItemCondition() = default;
  // Returns whether the condition holds. `now_ms` is the moment of the commit. Subtracts the work from `steps`. Fails:
  // what the user gets instead of the patch; kTooLarge if there are too few steps.
  virtual Result<bool> Holds(const ItemMeta& meta, std::string_view document, int64_t now_ms,
                             uint64_t* steps) const = 0;
};

struct ItemPatch {
  std::vector<doc::Edit> edits;
  doc::EditLimits limits;
  const PatchRules* rules = nullptr;                         // must outlive the write
  std::shared_ptr<const ItemCondition> condition = nullptr;  // null: none

  // Size of the values in the edits.
  size_t bytes() const {
    size_t sum = 0;
    for (const doc::Edit& edit : edits) sum += edit.value.bytes();
    return sum;
  }
};

}  // namespace lapse::engine
