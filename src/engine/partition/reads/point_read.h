// Reads one item: by key and id from the cache, or head and body; by number record and body.
#pragma once

#include <string>

#include "base/status.h"
#include "engine/records/items/item.h"
#include "engine/shard/partitions/commit_parts.h"

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

// The same by number. Also kNotFound when the item has another key.
Result<Item> ReadItem(const Container& container, const NumberedItem& numbered, const CommitParts& parts,
                      const ReadItemOptions& options);
// The typed id of the live item. An item keeps it for as long as it lives.
Result<std::string> FindItemId(const Container& container, const NumberedItem& numbered, const CommitParts& parts,
                               store::Reach reach);

}  // namespace lapse::engine
