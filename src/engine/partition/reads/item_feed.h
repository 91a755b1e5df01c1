// Pages over the live items of a container, in the order in which they were created.
//
// A whole partition is walked by its records, in the order of item numbers, or by its bodies where these are in that
// order. Of a part of one (a logical partition, a
// prefix of a hierarchical key, a range of keys) the members are walked: key by key, each in the order of item numbers.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "engine/partition/reads/page_limit.h"
#include "engine/partition/view/read_moment.h"
#include "engine/records/items/item.h"
#include "engine/records/partition_key/partition_key.h"
#include "engine/shard/partitions/commit_parts.h"
#include "store/shard.h"

namespace lapse::engine {

class Container;
class Partition;

struct FeedOptions {
  KeyScope scope;
  std::string after;  // position from an earlier page; empty: from the start
  int items_max = 100;
  bool until_end = false;  // only the reader ends the page, neither time nor what it passes over
  // Called for each of some hundred records, those that are not shown too; not ok: the page ends with this. May be
  // empty.
  std::function<Status()> look = {};
};

struct FeedPage {
  // Empty when there is nothing more; otherwise where the next page starts. Opaque bytes.
  std::string resume_after;
  bool cut_short = false;  // it ended early because of expired records
  int64_t items_milli_ru = 0;
  // The partitions that it looked into, as places in Container::partitions().
  size_t first_partition = 0;
  size_t last_partition = 0;
};

// Puts an item on the page. False: it does not fit any more, and the page ends before it. An item that must be on the
// page is always taken. The item is valid during the call.
using TakeItem = std::function<bool(const Item& item, Place place)>;

// Where in Container::partitions() a feed of this scope begins or goes on. Fails: kInvalidArgument for a position that
// is not within the scope.
Result<size_t> FirstPartitionOf(const Container& container, const KeyScope& scope, std::string_view after);

// One page: what lives by one moment, at one snapshot. Threads: one.
class ItemFeed {
 public:
  ItemFeed(const Container* container, const CommitParts& parts) : container_(container), parts_(parts) {}

  // A chain of pages shows each item at most once, and every item that lives from its beginning to its end. Fails:
  // kInvalidArgument for a position that is not within the scope.
  Result<FeedPage> ReadPage(const FeedOptions& options, const TakeItem& take);

 private:
  const Container* const container_;
  const CommitParts parts_;
};

}  // namespace lapse::engine
