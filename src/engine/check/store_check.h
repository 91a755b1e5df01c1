// Checks everything that an engine's stores hold: the catalog, all items, all index entries (`lapse check`).
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
  Count items;                        // live ones, and those that have expired and are not purged
  int64_t index_entries = 0;          // of these items
  int64_t entries_of_gone_items = 0;  // harmless: the next purge removes them
  Findings findings;                  // the defects
};

// Reads everything and changes nothing. Nothing may be written meanwhile. Fails with the store's errors, and with
// kCorruption for a catalog that cannot be read at all. The catalog is in the first of the stores. The derivation is
// that of the engine.
Result<StoreReport> CheckStore(const std::vector<store::Shard*>& stores, const Derivation* derivation);

}  // namespace lapse::engine
