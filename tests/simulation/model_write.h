// What a write should do to a container: the rule for one operation, and for several that succeed or fail together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/status.h"
#include "engine/records/items/item_write.h"
#include "tests/simulation/documents.h"
#include "tests/simulation/model.h"

namespace lapse::simulation {

struct ModelOperation {
  ModelKey key;
  engine::ItemWrite write;
  Patch patch;  // the meaning of the write's patch, if it is one
};
using ModelWrite = std::vector<ModelOperation>;

struct Verdict {
  Code code = Code::kOk;
  size_t failed_at = 0;  // the operation that fails; the number of operations if none does
};

// Whether a read with this condition is told that the reader has the item already.
bool IsKnown(const engine::Precondition& reader_has, const ModelItem& live);

// Returns what the operation, which is neither a delete nor a read, makes of `live` (null: there is no item). Returns
// nullopt for a patch that cannot be applied. The caller sets versions and numbers.
std::optional<ModelItem> Written(const ModelOperation& operation, const ModelItem* live, int64_t now_s);

// Applies all of the write, or nothing. Items that it writes get new versions, and no number yet.
Verdict Apply(const ModelWrite& write, int64_t now_s, ModelContainer* container);

}  // namespace lapse::simulation
