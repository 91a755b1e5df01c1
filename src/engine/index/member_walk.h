// Which items are of one logical partition: entries of an index are those of a whole partition.
#pragma once

#include <memory>
#include <vector>

#include "base/status.h"
#include "engine/ids.h"
#include "engine/partition_key/partition_key.h"
#include "store/shard.h"

namespace lapse::engine {

class IndexReader;

// Walks the members of a logical partition in the order of their numbers: those that live and others. Threads: one.
// Must not outlive the reader.
class MemberWalk {
 public:
  MemberWalk(const IndexReader& reader, const LogicalKey& key);

  bool Valid() const { return members_->Valid(); }
  void Next() { members_->Next(); }
  // Not ok: the walk failed.
  Status status() const { return members_->status(); }

 private:
  std::unique_ptr<store::Iterator> members_;
};

// Leaves those that are members of the logical partition, in their order. Ascending numbers are the cheapest.
Status KeepMembers(const IndexReader& reader, const LogicalKey& key, std::vector<ItemNumber>* items);

}  // namespace lapse::engine
