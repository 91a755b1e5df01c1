// The one way in which items of a partition change: user writes, sweeps, the trim of a change log.
//
// It collects changes over what the store holds, each visible to those that come after it, and writes all of them as
// one batch. A savepoint takes back what came after it, without a trace.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "engine/memory/item_cache.h"
#include "engine/partition/transaction/follower.h"
#include "engine/partition/transaction/overlay.h"
#include "engine/partition/view/partition_state.h"
#include "engine/partition/view/read_moment.h"
#include "engine/records/definitions/container_state.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item_records.h"
#include "engine/records/partitions/partition_tally.h"
#include "store/shard.h"

namespace lapse::engine {

class KeySizes;

// No batch is larger. What may come together in one write is far below it (kAtomicWriteBytesMax), and groups end well
// before.
constexpr size_t kTransactionBytesMax = 64 << 20;

// Who wants to see the document before a change.
enum class DocumentBefore : uint8_t {
  kIfFollowed,  // followers, if any
  kAlways,      // the change itself
};

// Threads: one; the partition's leader makes one for each commit.
class Transaction {
 public:
  // `followers`: all of them, in the order in which they follow. What is given must outlive it.
  Transaction(const PartitionState& partition, ItemCache* cache, std::span<const Follower* const> followers);

  // Reads what the commit will look at before it holds up anybody. Only before Begin. Errors are ignored: the
  // commit reads the key again and reports them.
  void Preload(store::FamilyId family, std::string_view key);
  void PreloadItem(std::string_view head_key, const ContainerState& state, DocumentBefore before);

  // From here on it is of this moment. The tally is the partition's before the commit, and so are the sizes of keys;
  // null: none is near its limit. They must outlive the commit.
  void Begin(ReadMoment moment, PartitionTally tally, const KeySizes* key_sizes = nullptr);

  PartitionId partition() const { return partition_->id(); }
  store::Shard* store() const { return partition_->store(); }
  std::span<const Follower* const> followers() const { return followers_; }
  const ReadMoment& moment() const { return *moment_; }
  int64_t now_ms() const { return moment_->now_ms(); }
  const ContainerState& state() const { return moment_->state(); }
  PartitionTally& tally() { return tally_; }
  const PartitionTally& tally() const { return tally_; }

  // --- Any family. kNotFound when there is no such key. The value is valid until the key changes.
  Status Get(store::FamilyId family, std::string_view key, store::PinnedValue* value);
  void Put(store::FamilyId family, std::string_view key, std::string value) {
    overlay_.Put(family, key, std::move(value));
  }
  void Delete(store::FamilyId family, std::string_view key) { overlay_.Delete(family, key); }

  // --- Items.
  // What stands under the key, dead or alive. IsDead goes by the item's own lifetime; ErasureOf tells the rest; IsLive
  // asks both.
  Result<std::optional<HeadRecord>> FindHead(std::string_view head_key);
  bool IsDead(const ttl::Lifetime& lifetime) const;
  // The deletion of the whole partition key that deleted this item, too; null: there is none.
  const Erasure* ErasureOf(std::string_view head_key, const ttl::Lifetime& lifetime) const {
    return tally_.erased == nullptr ? nullptr : tally_.erased->Of(head_key, lifetime);
  }
  bool IsLive(std::string_view head_key, const ttl::Lifetime& lifetime) const {
    return !IsDead(lifetime) && ErasureOf(head_key, lifetime) == nullptr;
  }
  // Under the purged floor: it is accounted for, and its records go by themselves.
  bool IsPurged(const ttl::Lifetime& lifetime) const { return tally_.purged.floors.Covers(lifetime); }

  // Numbers for the next change. A write takes one LSN, each of its changes a sequence number.
  Sequence TakeSequence() { return ++tally_.last_sequence; }
  Lsn TakeLsn() { return ++tally_.last_lsn; }
  // The same for so many changes at once, each a write of its own: the last number of each kind.
  Sequence TakeSequences(uint64_t count) { return tally_.last_sequence += count; }
  Lsn TakeLsns(uint64_t count) { return tally_.last_lsn += count; }

  // The item that the key leads to, as a side of a change; with its document if that is wanted. The document stays
  // valid until the next call.
  Result<ItemImage> ImageBefore(std::string_view head_key, const HeadRecord& head,
                                DocumentBefore before = DocumentBefore::kIfFollowed);
  // Whether the logical partition of this item may hold so many bytes more than now. Fails: kPartitionKeyFull.
  Status CheckKeySize(std::string_view head_key, int64_t growth_bytes) const;
  // Tells all followers, and keeps the item out of the cache around the commit.
  Status Follow(const ItemChange& change);

  // --- Savepoints.
  // What the changes that were followed do to the number of items.
  struct FollowedItems {
    int64_t stored = 0;
    int64_t expired = 0;
  };
  struct Savepoint {
    Overlay::Savepoint overlay;
    PartitionTally tally;
    size_t changed_keys;
    uint64_t replaced_bytes;
    FollowedItems followed;
  };
  Savepoint savepoint() const {
    return {overlay_.savepoint(), tally_, changed_keys_.size(), replaced_bytes_, followed_};
  }
  void RollBackTo(Savepoint savepoint);

  // --- The batch.
  bool empty() const { return overlay_.empty(); }
  // Of the batch so far.
  size_t bytes() const { return overlay_.bytes(); }
  Status CheckBytes() const;
  // Of documents that were replaced, deleted or found dead.
  uint64_t replaced_bytes() const { return replaced_bytes_; }
  // Tells the sizes of keys what was committed.
  void NoteGrowth(KeySizes* key_sizes) const;
  // Writes everything, with the tally. Fails with what the store says; then nothing is known to have happened.
  Status Write(store::Durability durability, store::Room room);

 private:
  bool Wanted(DocumentBefore before, const ContainerState& state) const;
  // Ends the process if the batch would write what no reader may see.
  void CheckInvariants() const;
  int64_t GrowthBy(const ItemChange& change) const;

  const PartitionState* partition_;
  ItemCache* cache_;
  std::span<const Follower* const> followers_;

  std::optional<ReadMoment> moment_;  // from Begin on
  PartitionTally tally_;
  Overlay overlay_;
  std::vector<std::string> changed_keys_;  // of heads
  std::vector<int64_t> grown_bytes_;       // by each of these changes
  const KeySizes* key_sizes_ = nullptr;    // before the commit
  // By what logical partitions have grown since, by the beginning of their head keys. Only where sizes are asked for.
  std::unordered_map<std::string, int64_t> grown_keys_;
  PartitionTally tally_before_;
  FollowedItems followed_;
  uint64_t replaced_bytes_ = 0;
  size_t preloaded_bytes_ = 0;
  // What ImageBefore points into.
  store::PinnedValue body_before_;
  std::string body_copy_;
  std::shared_ptr<const CachedItem> cached_before_;
};

}  // namespace lapse::engine
