// What a compaction may throw away: records under the purged floor of their partition, and nothing else.
//
// Only floors that are durable are published here: the space of a record must not go before it is certain that it
// counts as purged. Until the catalog is loaded there are none, and everything is kept.
#pragma once

#include <cstdint>
#include <memory>
#include <shared_mutex>
#include <string_view>
#include <unordered_map>

#include "engine/container.h"
#include "store/shard.h"
#include "ttl/floors.h"

namespace lapse::engine {

// Threads: any. Must outlive the shard it is given to.
class PurgeFilter {
 public:
  PurgeFilter() : heads_(this), streams_(this) {}
  PurgeFilter(const PurgeFilter&) = delete;
  PurgeFilter& operator=(const PurgeFilter&) = delete;

  // For the family of heads, whose records name their stream in the value, and for those that name it in the key.
  const store::DropPredicate* heads() const { return &heads_; }
  const store::DropPredicate* streams() const { return &streams_; }

  void Publish(ContainerId container, uint32_t stream, const ttl::Floors& purged);

 private:
  class Heads : public store::DropPredicate {
   public:
    explicit Heads(const PurgeFilter* filter) : filter_(filter) {}
    bool MayDrop(std::string_view key, std::string_view value) const override;
    std::unique_ptr<Summary> NewSummary() const override;
    bool MayDropAll(std::string_view summary) const override { return filter_->AllPurged(summary); }

   private:
    const PurgeFilter* const filter_;
  };

  class Streams : public store::DropPredicate {
   public:
    explicit Streams(const PurgeFilter* filter) : filter_(filter) {}
    bool MayDrop(std::string_view key, std::string_view value) const override;
    std::unique_ptr<Summary> NewSummary() const override;
    bool MayDropAll(std::string_view summary) const override { return filter_->AllPurged(summary); }

   private:
    const PurgeFilter* const filter_;
  };

  bool IsPurged(ContainerId container, uint32_t stream, const ttl::Lifetime& lifetime) const;
  bool AllPurged(std::string_view summary) const;

  const Heads heads_;
  const Streams streams_;
  mutable std::shared_mutex mutex_;
  std::unordered_map<uint64_t, ttl::Floors> purged_;  // by container and stream; guarded by mutex_
};

}  // namespace lapse::engine
