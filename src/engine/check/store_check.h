// Looks at everything that an engine's stores hold: the catalog, all items, all index entries (`lapse check`).
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "engine/check/findings.h"
#include "engine/records/ids/count.h"
#include "store/shard.h"

namespace lapse::engine {

class Derivation;

struct StoreReport {
  int64_t containers = 0;
  Count items;                        // that live, or have expired and are not purged
  int64_t index_entries = 0;          // of these items
  int64_t entries_of_gone_items = 0;  // no harm: the next purge takes them
  Findings findings;                  // what is wrong
};

// Reads all of it, and changes nothing. Nothing may be written meanwhile. Fails where the store does, and with
// kCorruption for a catalog that cannot be read at all. The catalog is in the first of the stores. The derivation is
// that of the engine.
Result<StoreReport> CheckStore(const std::vector<store::Shard*>& stores, const Derivation* derivation);

}  // namespace lapse::engine
