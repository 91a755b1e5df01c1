#include "engine/changes/change_feed.h"

#include <algorithm>

#include "engine/catalog/container_view.h"
#include "engine/changes/change_log.h"
#include "engine/items/body_walk.h"
#include "engine/items/keys.h"
#include "engine/items/page_fill.h"

namespace lapse::engine {
namespace {

bool InScope(const ChangesOptions& options, std::string_view head_key) {
  std::string epk;
  if (!EpkOfHeadKey(head_key, &epk)) return false;
  return options.exact_epk.has_value() ? epk == *options.exact_epk : options.range.Contains(epk);
}

Status NoLongerKept() {
  return {Code::kInvalidArgument, "the position is older than what the container keeps"};
}

}  // namespace

// The position from which on everything was written in this second or later. `_ts` rises with the LSN.
Result<uint64_t> Container::LsnBefore(int64_t since_s, const Partition& partition) const {
  uint64_t before = 0;
  uint64_t not_before = partition.last_lsn();
  while (before < not_before) {
    const uint64_t middle = before + (not_before - before) / 2;
    BodyWalk walk(parts_->shard, id_, partition.stream(), middle);
    LAPSE_RETURN_IF_ERROR(walk.status());
    BodyRecord body;
    if (walk.Valid()) LAPSE_RETURN_IF_ERROR(walk.Read(&body));
    if (walk.Valid() && walk.lsn() <= not_before && body.lifetime.ts_s < since_s) {
      before = walk.lsn();
    } else {
      not_before = middle;
    }
  }
  return before;
}

Result<ChangesPage> Container::ReadChanges(const ChangesOptions& options,
                                           const std::function<void(const Item&)>& visit) const {
  const Partition* partition = PartitionOf(options.stream);
  if (partition == nullptr) return Status(Code::kInvalidArgument, "the container has no such partition");
  // Read before the walk begins: what is committed later gets a later LSN and belongs to a later page.
  LAPSE_ASSIGN_OR_RETURN(const uint64_t last_lsn, partition->LastLsnForCertain());
  if (options.after_lsn > last_lsn) return Status(Code::kInvalidArgument, "the position is ahead of the partition");
  View view(*this);
  LAPSE_RETURN_IF_ERROR(view.state->Check());

  ChangesPage page;
  page.last_lsn = options.after_lsn;
  if (options.since_s.has_value() && options.after_lsn == 0) {
    LAPSE_ASSIGN_OR_RETURN(page.last_lsn, LsnBefore(*options.since_s, *partition));
  }
  PageFill fill(options.items_max, options.bytes_max);
  BodyWalk walk(parts_->shard, id_, options.stream, page.last_lsn);
  for (; walk.Valid() && walk.lsn() <= last_lsn; walk.Next()) {
    page.more = fill.EndsEarly();
    page.cut_short = fill.EndsEarlyByExpiry();
    if (page.more) return page;
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(walk.Read(&body));
    const bool recent = !options.since_s.has_value() || body.lifetime.ts_s >= *options.since_s;
    if (!view.IsLive(body.lifetime, options.stream)) {
      fill.PassOverExpired();
    } else if (recent && InScope(options, body.head_key)) {
      page.more = !fill.Fits(body.document.size());
      if (page.more) return page;
      Item item;
      item.meta = MetaOf(body.lifetime, body.rid);
      item.document = body.document;
      visit(item);
      fill.Add(body.document.size());
    } else {
      fill.PassOverOther();
    }
    page.last_lsn = walk.lsn();
  }
  LAPSE_RETURN_IF_ERROR(walk.status());
  page.last_lsn = last_lsn;
  return page;
}

Result<ChangesPage> Container::ReadLog(const ChangesOptions& options,
                                       const std::function<void(const LoggedChange&)>& visit) const {
  const Partition* partition = PartitionOf(options.stream);
  if (partition == nullptr) return Status(Code::kInvalidArgument, "the container has no such partition");
  // One moment for the log and for what the partition says of it.
  const std::unique_ptr<store::Snapshot> snapshot = parts_->shard->NewSnapshot();
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally, LoadTallyAt(*snapshot, parts_->shard, id_, options.stream));
  if (options.after_lsn > tally.last_lsn) {
    return Status(Code::kInvalidArgument, "the position is ahead of the partition");
  }
  const std::shared_ptr<const ContainerState> now = state();
  LAPSE_RETURN_IF_ERROR(now->Check());
  if (now->definition.change_log_retention_s == 0) {
    return Status(Code::kUnsupported, "the container does not keep all versions and deletes");
  }
  if (options.after_lsn < std::max(now->log_since_lsn, tally.log_floor)) return NoLongerKept();
  LAPSE_ASSIGN_OR_RETURN(ChangesPage page, WalkLog(options, *snapshot, tally.last_lsn, visit));
  // Compaction takes what is trimmed meanwhile, from under snapshots too.
  LAPSE_ASSIGN_OR_RETURN(const PartitionTally tally_after, LoadTally(parts_->shard, id_, options.stream));
  if (options.after_lsn < tally_after.log_floor) return NoLongerKept();
  return page;
}

Result<ChangesPage> Container::WalkLog(const ChangesOptions& options, const store::Snapshot& snapshot,
                                       uint64_t last_lsn, const std::function<void(const LoggedChange&)>& visit) const {
  store::IterateOptions bounds;
  bounds.lower = LogKey(id_, options.stream, options.after_lsn) + '\0';
  bounds.upper = LogKey(id_, options.stream, last_lsn) + '\0';
  bounds.snapshot = &snapshot;
  bounds.fill_cache = false;
  std::unique_ptr<store::Iterator> changes = parts_->shard->NewIterator(kLogFamily, bounds);
  ChangesPage page;
  page.last_lsn = options.after_lsn;
  PageFill fill(options.items_max, options.bytes_max);
  for (changes->SeekToFirst(); changes->Valid(); changes->Next()) {
    page.more = fill.EndsEarly();
    if (page.more) return page;
    LoggedChange change;
    LAPSE_RETURN_IF_ERROR(DecodeLoggedChange(changes->key(), changes->value(), &change));
    if (InScope(options, change.head_key)) {
      const size_t change_bytes = change.current.size() + change.previous_doc.size();
      page.more = !fill.Fits(change_bytes);
      if (page.more) return page;
      visit(change);
      fill.Add(change_bytes);
    } else {
      fill.PassOverOther();
    }
    page.last_lsn = change.lsn;
  }
  LAPSE_RETURN_IF_ERROR(changes->status());
  page.last_lsn = last_lsn;
  return page;
}

}  // namespace lapse::engine
