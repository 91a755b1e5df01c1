// The only way to change items of a partition: user writes, sweeps, and trims of the change log all use it.
//
// A transaction collects changes over the contents of the store, and each change sees the earlier ones. All are written
// as one batch. Rolling back to a savepoint undoes everything after it, without a trace.
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

// Maximum size of a batch. The largest single write is far below it (kAtomicWriteBytesMax), and groups end well before.
constexpr size_t kTransactionBytesMax = 64 << 20;

// Which readers need the document before a change.
enum class DocumentBefore : uint8_t {
  kIfFollowed,  // followers, if any wants it
  kAlways,      // the change itself
};

// Threads: one; the partition's leader makes one for each commit.
class Transaction {
 public:
  // `followers`: all of them, in the order in which they are called. The arguments must outlive the transaction.
  Transaction(const PartitionState& partition, ItemCache* cache, std::span<const Follower* const> followers);

  // Reads ahead what the commit will need, before it blocks other writers. Only before Begin. Errors are ignored: the
  // commit reads the key again and reports them.
  void Preload(store::FamilyId family, std::string_view key);
  void PreloadItem(std::string_view head_key, const ContainerState& state, DocumentBefore before);

  // Begins the commit at this moment. `tally` is the partition's before the commit, and so are the sizes in `key_sizes`
  // (null: no key is near its limit). They must outlive the commit.
  void Begin(ReadMoment moment, PartitionTally tally, const KeySizes* key_sizes = nullptr);

  PartitionId partition() const { return partition_->id(); }
  store::Shard* store() const { return partition_->store(); }
  std::span<const Follower* const> followers() const { return followers_; }
  const ReadMoment& moment() const { return *moment_; }
  int64_t now_ms() const { return moment_->now_ms(); }
  const ContainerState& state() const { return moment_->state(); }
  PartitionTally& tally() { return tally_; }
  const PartitionTally& tally() const { return tally_; }

  // --- Any family. Get fails with kNotFound if there is no such key. The value is valid until the key changes.
  Status Get(store::FamilyId family, std::string_view key, store::PinnedValue* value);
  void Put(store::FamilyId family, std::string_view key, std::string value) {
    overlay_.Put(family, key, std::move(value));
  }
  void Delete(store::FamilyId family, std::string_view key) { overlay_.Delete(family, key); }

  // --- Items.
  // Returns the head under the key, dead or alive. IsDead judges by the item's own lifetime, ErasureOf by deletions of
  // its partition key, and IsLive by both.
  Result<std::optional<HeadRecord>> FindHead(std::string_view head_key);
  bool IsDead(const ttl::Lifetime& lifetime) const;
  // Returns the deletion of the whole partition key that covers this item, or null.
  const Erasure* ErasureOf(std::string_view head_key, const ttl::Lifetime& lifetime) const {
    return tally_.erased == nullptr ? nullptr : tally_.erased->Of(head_key, lifetime);
  }
  bool IsLive(std::string_view head_key, const ttl::Lifetime& lifetime) const {
    return !IsDead(lifetime) && ErasureOf(head_key, lifetime) == nullptr;
  }
  // Returns true if the item is under the purged floor: it is accounted for, and compaction drops its records.
  bool IsPurged(const ttl::Lifetime& lifetime) const { return tally_.purged.floors.Covers(lifetime); }

  // Numbers for the next change. A write takes one LSN, and each of its changes takes one sequence number.
  Sequence TakeSequence() { return ++tally_.last_sequence; }
  Lsn TakeLsn() { return ++tally_.last_lsn; }
  // The same for `count` changes at once, each a write of its own. Return the last number taken.
  Sequence TakeSequences(uint64_t count) { return tally_.last_sequence += count; }
  Lsn TakeLsns(uint64_t count) { return tally_.last_lsn += count; }

  // Returns the item under the key as one side of a change, with its document if that is wanted. The document is valid
  // until the next call.
  Result<ItemImage> ImageBefore(std::string_view head_key, const HeadRecord& head,
                                DocumentBefore before = DocumentBefore::kIfFollowed);
  // Checks that the item's logical partition may grow by this many bytes. Fails: kPartitionKeyFull.
  Status CheckKeySize(std::string_view head_key, int64_t growth_bytes) const;
  // Calls all followers, and keeps the item out of the cache during the commit.
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
  // Size of the batch so far.
  size_t bytes() const { return overlay_.bytes(); }
  Status CheckBytes() const;
  // Bytes of the documents that were replaced, deleted or found dead.
  uint64_t replaced_bytes() const { return replaced_bytes_; }
  // Updates the sizes of keys with what was committed.
  void NoteGrowth(KeySizes* key_sizes) const;
  // Writes all changes and the tally. Fails: what the store says. After a failure it is unknown what was written.
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
  std::vector<int64_t> grown_bytes_;       // by each change in changed_keys_
  const KeySizes* key_sizes_ = nullptr;    // before the commit
  // Growth of each logical partition since then, by the prefix of its head keys. Only with key_sizes_.
  std::unordered_map<std::string, int64_t> grown_keys_;
  PartitionTally tally_before_;
  FollowedItems followed_;
  uint64_t replaced_bytes_ = 0;
  size_t preloaded_bytes_ = 0;
  // Referenced by the result of ImageBefore.
  store::PinnedValue body_before_;
  std::string body_copy_;
  std::shared_ptr<const CachedItem> cached_before_;
};

}  // namespace lapse::engine
