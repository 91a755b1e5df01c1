// Which items belong to a part of a partition, and where they stand in it. Index entries cover the whole partition.
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

// Walks the members of the scope's logical partitions, key by key: those that live and others. Where keys share an
// effective key, others may be among them. Threads: one. Must not outlive the reader.
class MemberWalk {
 public:
  MemberWalk(const IndexReader& reader, const KeyScope& scope);

  bool Valid() const { return members_->Valid(); }
  void Next() { members_->Next(); }
  // Not ok: the walk failed.
  Status status() const { return members_->status(); }

 private:
  std::unique_ptr<store::Iterator> members_;
};

// Leaves those that are members of the logical partition, in their order. Ascending numbers are the cheapest.
Status KeepMembers(const IndexReader& reader, const LogicalKey& key, std::vector<ItemNumber>* items);

// A living item, and of which logical partition it is.
struct KeyedItem {
  LogicalKey key;
  ItemNumber item = 0;
};
// Those of the items that live and are in the scope, in the order in which a feed shows it: key by key. It reads their
// bodies, since nothing else says of which key an item is.
Result<std::vector<KeyedItem>> FindInScope(IndexReader* reader, const KeyScope& scope,
                                           std::span<const ItemNumber> items);
// Whether one comes before the other in that order.
bool IsBefore(const KeyedItem& one, const KeyedItem& other);

}  // namespace lapse::engine
