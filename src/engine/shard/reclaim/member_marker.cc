#include "engine/shard/reclaim/member_marker.h"

#include <memory>
#include <utility>
#include <vector>

#include "base/log.h"
#include "engine/partition/view/stored_tally.h"
#include "engine/records/expiry/live_items.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/shard/purge/purge_filter.h"
#include "store/shard.h"

namespace lapse::engine {

void MemberMarker::Note(PartitionId partition, const PartitionTally& tally, const std::shared_ptr<OpenPages>& pages) {
  if (tally.purged.total.items == 0) return;
  std::lock_guard lock(mutex_);
  Purged& purged = purged_[partition];
  purged.items = tally.purged.total.items;
  purged.stored = tally.stored.items;
  purged.pages = pages;
}

void MemberMarker::Forget(ContainerId container) {
  std::lock_guard lock(mutex_);
  std::erase_if(purged_, [&](const auto& entry) { return entry.first.container == container; });
}

bool MemberMarker::Run(double dead_share_min) {
  std::vector<std::pair<PartitionId, std::shared_ptr<OpenPages>>> due;
  {
    std::lock_guard lock(mutex_);
    for (auto& [partition, purged] : purged_) {
      const auto dead = static_cast<double>(purged.items - purged.marked);
      if (dead == 0 || dead < dead_share_min * (static_cast<double>(purged.stored) + dead)) continue;
      purged.marked = purged.items;
      due.emplace_back(partition, purged.pages);
    }
  }
  for (const auto& [partition, pages] : due) {
    const Status marked = Mark(partition, pages.get());
    // The dead members stay until more items are purged.
    if (!marked.ok() && marked.code() != Code::kNotFound) {
      Log(LogLevel::kWarn, "members of purged items could not be marked", {{"error", marked.ToString()}});
    }
  }
  return !due.empty();
}

// The snapshot's counter bounds the mark: items created after it are unknown. A record counts as gone when it was
// deleted or is under a floor that compactions go by, never because of the time.
Status MemberMarker::Mark(PartitionId partition, OpenPages* pages) {
  const ttl::Floors floors = filter_->FloorsOf(partition);
  const std::unique_ptr<store::Snapshot> snapshot = store_->NewSnapshot();
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTallyAt(*snapshot, store_, partition));
  store::IterateOptions bounds;
  bounds.lower = RecordKey(partition.container, MakeItemNumber(partition.number, 0));
  bounds.upper = PrefixEnd(RecordKey(partition.container, MakeItemNumber(partition.number, kCreationsMax)));
  bounds.snapshot = snapshot.get();
  bounds.fill_cache = false;
  const std::unique_ptr<store::Iterator> records = store_->NewIterator(kRecordFamily, bounds);
  auto live = std::make_shared<LiveItems>();
  for (records->SeekToFirst(); records->Valid(); records->Next()) {
    HeadRecord head;
    LAPSE_RETURN_IF_ERROR(DecodeHead(records->value(), &head));
    if (!floors.Covers(head.lifetime)) live->Add(CreationOf(head.number));
  }
  LAPSE_RETURN_IF_ERROR(records->status());
  live->KnowsAllUpTo(tally.creations);
  // A page that began earlier may show an item that was deleted since. Its member must stay until that page ends.
  pages->AfterThese([filter = filter_, partition, live] { filter->SetLiveItems(partition, live); });
  return Status::Ok();
}

}  // namespace lapse::engine
