// What one commit changes in the cohorts of a partition.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/status.h"
#include "engine/catalog/container.h"
#include "engine/expiry/cohort.h"
#include "store/shard.h"
#include "ttl/lifetime.h"

namespace lapse::engine {

// Threads: one; the partition's leader makes one per commit.
class CohortLedger {
 public:
  CohortLedger(ContainerId container, uint32_t stream) : container_(container), stream_(stream) {}

  // An item with this lifetime comes or goes.
  void Add(const ttl::Lifetime& lifetime, int64_t bytes) { Change(lifetime, {1, bytes}); }
  void Remove(const ttl::Lifetime& lifetime, int64_t bytes) { Change(lifetime, {-1, -bytes}); }
  // A part of a cohort of seconds goes, or all of it.
  void Remove(const CohortId& second, const Count& count);

  // Puts into the batch what the cohorts hold after all this, given what they hold in the store.
  Status WriteTo(store::Shard* shard, store::Batch* batch) const;

 private:
  void Change(const ttl::Lifetime& lifetime, const Count& by);

  const ContainerId container_;
  const uint32_t stream_;
  std::unordered_map<std::string, Count> changes_;  // by key
};

}  // namespace lapse::engine
