// Finds which items belong to a part of a partition, and their order in it. Index entries cover the whole partition.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/status.h"
#include "engine/records/ids/ids.h"
#include "engine/records/partition_key/partition_key.h"
#include "store/shard.h"

namespace lapse::engine {

class IndexReader;

// Walks the members of the scope's logical partitions, key by key, live or not. If keys share an effective key, members
// of other keys may be among them. Threads: one. Must not outlive the reader.
class MemberWalk {
 public:
  MemberWalk(const IndexReader& reader, const KeyScope& scope);

  bool Valid() const { return members_->Valid(); }
  void Next() { members_->Next(); }
  // Returns an error if the walk has failed.
  Status status() const { return members_->status(); }

 private:
  std::unique_ptr<store::Iterator> members_;
};

// Keeps only the members of the logical partition, in their order. Ascending numbers are the cheapest.
Status KeepMembers(const IndexReader& reader, const LogicalKey& key, std::vector<ItemNumber>* items);

// A live item and its logical partition.
struct KeyedItem {
  LogicalKey key;
  ItemNumber item = 0;
};
// Returns the items that are live and in the scope, in the order of a feed: key by key. Reads their bodies, since
// nothing else names an item's key.
Result<std::vector<KeyedItem>> FindInScope(IndexReader* reader, const KeyScope& scope,
                                           std::span<const ItemNumber> items);
// Returns true if `one` comes before `other` in that order.
bool IsBefore(const KeyedItem& one, const KeyedItem& other);

}  // namespace lapse::engine
