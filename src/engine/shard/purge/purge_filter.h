// What a compaction may drop: records under a floor of their partition, and records of dropped containers or of indexes
// that were given up. Nothing else.
//
// Only durable facts are published here: a record must not be dropped before its removal is certain. Until the catalog
// is loaded nothing is published, and every record is kept.
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

// Threads: any. Must outlive the shard that uses it.
class PurgeFilter {
 public:
  PurgeFilter();
  PurgeFilter(const PurgeFilter&) = delete;
  PurgeFilter& operator=(const PurgeFilter&) = delete;

  // One predicate for each kind of record. Heads and records name their partition in the value, bodies and queues in
  // the key. Members, entries of unique keys and index entries carry no lifetime. Cohorts and erasures are dropped only
  // with their container.
  const store::DropPredicate* heads() const { return &heads_; }
  const store::DropPredicate* bodies() const { return &bodies_; }
  const store::DropPredicate* members() const { return &members_; }
  const store::DropPredicate* unique_entries() const { return &unique_entries_; }
  const store::DropPredicate* index_entries() const { return &index_entries_; }
  const store::DropPredicate* logs() const { return &logs_; }
  const store::DropPredicate* cohorts() const { return &cohorts_; }
  const store::DropPredicate* erasures() const { return &cohorts_; }

  // Adds a partition that exists, before anything is written to it.
  void Add(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies);
  // Publishes raised floors of the partition. Does nothing if it was removed meanwhile.
  void Raise(PartitionId partition, const PartitionTally& tally, const ttl::Floors& released_bodies);
  // Adds an index that exists, before anything is written to it.
  void AddIndex(IndexId index, ContainerId container);
  // Removes an index that is gone for ever.
  void ForgetIndex(IndexId index);
  // Declares that all existing containers and indexes with an id up to `last` were added. Every other id up to it is
  // gone for ever.
  void KnowsAllUpTo(ContainerId last);
  // Sets which items of the partition are live. Compactions may then drop the members and index entries of all others,
  // and entries of unique keys that name only others.
  void SetLiveItems(PartitionId partition, std::shared_ptr<const LiveItems> live);
  // The floors that compactions go by.
  ttl::Floors FloorsOf(PartitionId partition) const;
  // Removes a container that is gone for ever, with its indexes. All existing ones with an id up to it must have been
  // added.
  void Forget(ContainerId container);

 private:
  // The partition that a record belongs to, and the record's lifetime.
  struct Owned {
    PartitionId partition;
    ttl::Lifetime lifetime;
  };
  // What is dead in one partition.
  struct Dead {
    ttl::Floors items;
    ttl::Floors bodies;  // and queue entries; the change log may hold bodies of dead items
    ttl::Floors changes;
    ttl::Floors nothing;                    // always empty
    std::shared_ptr<const LiveItems> live;  // null: unknown
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

  // What the first number of a key identifies.
  enum class Owner : uint8_t { kContainer, kIndex };

  // Records that name items and may be dropped once all of these are dead: members, entries of unique keys and of
  // indexes.
  class OfItems : public store::DropPredicate {
   public:
    // Returns the items that a record names; none if it cannot be read.
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
  // A record that cannot be read is kept, so that its next reader reports it.
  static std::optional<Owned> ReadHead(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadOfPartition(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadChange(std::string_view key, std::string_view value);
  static std::optional<Owned> ReadCohort(std::string_view key, std::string_view value);
  static std::vector<ItemNumber> ItemsOfMember(std::string_view key, std::string_view value);
  static std::vector<ItemNumber> ItemsOfUniqueEntry(std::string_view key, std::string_view value);
  static std::vector<ItemNumber> ItemsOfIndexEntry(std::string_view key, std::string_view value);

  // Returns `covers(floors)`, or true for a container that is gone. Called with mutex_ held.
  template <typename Covers>
  bool IsDead(PartitionId partition, FloorsOfKind floors, const Covers& covers) const;
  // `partition.container` is the number that the keys start with.
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
  std::map<PartitionId, Dead> dead_;        // of the partitions that exist; guarded by mutex_
  std::map<IndexId, ContainerId> indexes_;  // the indexes that exist, with their containers; guarded by mutex_
  ContainerId known_up_to_ = 0;             // guarded by mutex_
};

}  // namespace lapse::engine
