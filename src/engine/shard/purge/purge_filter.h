// What a compaction may throw away: records under a floor of their partition, records of containers that were dropped,
// or of indexes that were given up, and nothing else.
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
#include <vector>

#include "base/bytes.h"
#include "engine/records/ids/ids.h"
#include "engine/records/index/index_key.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"
#include "ttl/floors.h"

namespace lapse::engine {

class LiveItems;

// Threads: any. Must outlive the shard it is given to.
class PurgeFilter {
 public:
  PurgeFilter();
  PurgeFilter(const PurgeFilter&) = delete;
  PurgeFilter& operator=(const PurgeFilter&) = delete;

  // For heads and records, which name their partition in the value; for bodies and queues, which name it in the key;
  // for change logs; for members, entries of unique keys and entries of indexes, which carry no lifetime; for cohorts
  // and erasures, of which nothing goes before their container does.
  const store::DropPredicate* heads() const { return &heads_; }
  const store::DropPredicate* bodies() const { return &bodies_; }
  const store::DropPredicate* members() const { return &members_; }
  const store::DropPredicate* unique_entries() const { return &unique_entries_; }
  const store::DropPredicate* index_entries() const { return &index_entries_; }
  const store::DropPredicate* logs() const { return &logs_; }
  const store::DropPredicate* cohorts() const { return &cohorts_; }
  const store::DropPredicate* erasures() const { return &cohorts_; }

  // A partition that is there, before anything is written to it.
  void Add(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies);
  // Its floors have risen. Nothing happens when it is gone meanwhile.
  void Raise(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies);
  // An index that is there, before anything is written to it.
  void AddIndex(IndexId index, ContainerId container);
  // It is gone for ever.
  void ForgetIndex(IndexId index);
  // All containers and indexes that exist and have an id up to this one were added: every other id up to it is gone for
  // ever.
  void KnowsAllUpTo(ContainerId last);
  // Which of its items live: members and index entries of all others may go, and entries of unique keys that name only
  // others.
  void SetLiveItems(PartitionId partition, std::shared_ptr<const LiveItems> live);
  // The floors that compactions go by.
  ttl::Floors FloorsOf(PartitionId partition) const;
  // It is gone for ever with its indexes. All others that exist and have an id up to it were added.
  void Forget(ContainerId container);

 private:
  // Whose a record is, and what it says of its lifetime.
  struct Owned {
    PartitionId partition;
    ttl::Lifetime lifetime;
  };
  // What is dead in one partition.
  struct Dead {
    ttl::Floors items;
    ttl::Floors bodies;  // and queue entries; the change log may hold some of dead items
    ttl::Floors changes;
    ttl::Floors nothing;                    // always empty
    std::shared_ptr<const LiveItems> live;  // null: not known
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

  // What the first number of a key is of.
  enum class Owner : uint8_t { kContainer, kIndex };

  // Records that name items, and die with the last of them: members of keys, entries of unique keys and of indexes.
  class OfItems : public store::DropPredicate {
   public:
    // The items that a record names; none: it cannot be read.
    using ReadItems = std::vector<ItemNumber> (*)(std::string_view key, std::string_view value);

    OfItems(const PurgeFilter* filter, ReadItems read, Owner owner) : filter_(filter), read_(read), owner_(owner) {}
    bool MayDrop(std::string_view key, std::string_view value) const override;
    std::unique_ptr<Summary> NewSummary() const override;
    bool MayDropAll(std::string_view summary) const override;
    bool MayDropBetween(std::string_view first_key, std::string_view last_key) const override;

   private:
    const PurgeFilter* const filter_;
    const ReadItems read_;
    const Owner owner_;
  };
  class ItemsOfTable;

  static Dead DeadBy(const PartitionTally& tally, const ttl::Floors& released_bodies);
  static PartitionId ReadPartition(ByteReader* key);
  // A record that cannot be read is kept: whoever reads it will report it.
  static std::optional<Owned> ReadHead(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadOfPartition(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadChange(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadCohort(std::string_view key, std::string_view value);
  static std::vector<ItemNumber> ItemsOfMember(std::string_view key, std::string_view value);
  static std::vector<ItemNumber> ItemsOfUniqueEntry(std::string_view key, std::string_view value);
  static std::vector<ItemNumber> ItemsOfIndexEntry(std::string_view key, std::string_view value);

  // `covers(floors)`, or true for a container that is gone. Called with mutex_ held.
  template <typename Covers>
  bool IsDead(PartitionId partition, FloorsOfKind floors, const Covers& covers) const;
  // `partition.container` is the number that the keys begin with.
  bool AreGone(Owner owner, PartitionId partition, uint64_t first_creation, uint64_t last_creation) const;
  bool AllGone(Owner owner, uint32_t first, uint32_t last) const;
  bool AllGoneBetween(Owner owner, std::string_view first_key, std::string_view last_key) const;  // takes mutex_

  const Kind heads_;
  const Kind bodies_;
  const OfItems members_;
  const OfItems unique_entries_;
  const OfItems index_entries_;
  const Kind logs_;
  const Kind cohorts_;
  mutable std::shared_mutex mutex_;
  std::map<PartitionId, Dead> dead_;        // of the partitions that are there; guarded by mutex_
  std::map<IndexId, ContainerId> indexes_;  // those that are there, and whose they are; guarded by mutex_
  ContainerId known_up_to_ = 0;             // guarded by mutex_
};

}  // namespace lapse::engine
