// What a compaction may throw away: records under a floor of their partition, records of containers that were dropped,
// and nothing else.
//
// Only what is durable is published here: the space of a record must not go before it is certain that it counts as
// gone. Until the catalog is loaded nothing is, and everything is kept.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "engine/catalog/container.h"
#include "engine/commit/partition_tally.h"
#include "store/shard.h"
#include "ttl/floors.h"

namespace lapse::engine {

// Threads: any. Must outlive the shard it is given to.
class PurgeFilter {
 public:
  PurgeFilter();
  PurgeFilter(const PurgeFilter&) = delete;
  PurgeFilter& operator=(const PurgeFilter&) = delete;

  // For the family of heads, whose records name their stream in the value; for bodies and queues, which name it in the
  // key; for change logs; for cohorts, of which nothing goes before their container does.
  const store::DropPredicate* heads() const { return &heads_; }
  const store::DropPredicate* streams() const { return &streams_; }
  const store::DropPredicate* logs() const { return &logs_; }
  const store::DropPredicate* cohorts() const { return &cohorts_; }

  // Of a partition that is there. Before anything is written to it, and when its floors have risen.
  void Publish(ContainerId container, uint32_t stream, const PartitionTally& tally);
  // All containers up to this one that are there were published: the others are gone for ever.
  void KnowsAllUpTo(ContainerId last);
  // It is gone for ever, and all up to it that are there were published.
  void Forget(ContainerId container);

 private:
  using PartitionId = std::pair<ContainerId, uint32_t>;

  // Whose a record is, and what it says of its lifetime.
  struct Owned {
    PartitionId partition;
    ttl::Lifetime lifetime;
  };
  // What is dead in one partition.
  struct Dead {
    ttl::Floors items;
    ttl::Floors changes;
    ttl::Floors cohorts;  // always empty
  };
  using FloorsOfKind = ttl::Floors Dead::*;
  using Read = std::optional<Owned> (*)(std::string_view key, std::string_view value);

  // Records of one kind.
  class Kind : public store::DropPredicate {
   public:
    Kind(const PurgeFilter* filter, Read read, FloorsOfKind floors) : filter_(filter), read_(read), floors_(floors) {}
    bool MayDrop(std::string_view key, std::string_view value) const override;
    std::unique_ptr<Summary> NewSummary() const override;
    bool MayDropAll(std::string_view summary) const override;
    bool MayDropBetween(std::string_view first_key, std::string_view last_key) const override;

   private:
    const PurgeFilter* const filter_;
    const Read read_;
    const FloorsOfKind floors_;
  };
  class LatestOfKind;

  static PartitionId ReadPartition(ByteReader* key);
  // A record that cannot be read is kept: whoever reads it will report it.
  static std::optional<Owned> ReadHead(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadOfStream(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadChange(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadCohort(std::string_view key, std::string_view value);

  // `covers(floors)`, or true for a container that is gone. Called with mutex_ held.
  template <typename Covers>
  bool IsDead(PartitionId partition, FloorsOfKind floors, const Covers& covers) const;
  bool AllGone(ContainerId first, ContainerId last) const;

  const Kind heads_;
  const Kind streams_;
  const Kind logs_;
  const Kind cohorts_;
  mutable std::shared_mutex mutex_;
  std::map<PartitionId, Dead> dead_;  // of the partitions that are there; guarded by mutex_
  ContainerId known_up_to_ = 0;       // guarded by mutex_
};

}  // namespace lapse::engine
