// Reads one item: the cache, or head and body.
#pragma once

#include "base/status.h"
#include "engine/commit/commit_parts.h"
#include "engine/items/item.h"

namespace lapse::engine {

class Container;

struct ReadItemOptions {
  store::Reach reach = store::Reach::kDisk;
  // What the reader has already: kDiffers with a version, or kAbsent for any; Item::unchanged says that it still holds.
  Precondition unless;
};

// With Reach::kMemory it waits for no disk, neither for data nor for the clock; event loops read so. Fails: kNotFound;
// kWouldBlock with Reach::kMemory; what the store says.
Result<Item> ReadItem(const Container& container, const ItemAddress& address, const CommitParts& parts,
                      const ReadItemOptions& options);

}  // namespace lapse::engine
