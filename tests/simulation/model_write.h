// What a write should do to a container: the rule for one operation, and for several that stand or fall together.
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
  Patch patch;  // what the write's patch means, where it is one
};
using ModelWrite = std::vector<ModelOperation>;

struct Verdict {
  Code code = Code::kOk;
  size_t failed_at = 0;  // the operation that fails; the number of operations when none does
};

// Whether a read with this condition is told that the reader has the item already.
bool IsKnown(const engine::Precondition& reader_has, const ModelItem& live);

// What the operation, which is neither a delete nor a read, leaves where `live` is; null: where nothing is. Nothing
// when it is a patch that cannot be applied. The versions and numbers are the caller's.
std::optional<ModelItem> Written(const ModelOperation& operation, const ModelItem* live, int64_t now_s);

// Does all of it, or nothing. Items that it writes have versions that nobody else has, and no number yet.
Verdict Apply(const ModelWrite& write, int64_t now_s, ModelContainer* container);

}  // namespace lapse::simulation
