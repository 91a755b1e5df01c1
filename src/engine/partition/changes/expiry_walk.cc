#include "engine/partition/changes/expiry_walk.h"

#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "ttl/saturating.h"

namespace lapse::engine {

ExpiryWalk::ExpiryWalk(store::Shard* shard, const store::Snapshot& snapshot, PartitionId partition,
                       const ExpiredRange& range, Sequence after)
    : partition_(partition), range_(range), bodies_(shard, snapshot, partition.container) {
  const Sequence first = range.FirstItemAfter(after);
  store::IterateOptions bounds;
  if (inherits()) {
    bounds.lower = BodyBound(partition, BodyClass::kInheriting, first);
    bounds.upper = BodyBound(partition, BodyClass::kInheriting, range.last_item) + '\0';
  } else {
    bounds.lower = QueueKey(partition, range.rule, range.base_ms, first);
    bounds.upper = QueueKey(partition, range.rule, range.base_ms, range.last_item) + '\0';
  }
  bounds.snapshot = &snapshot;
  bounds.fill_cache = false;
  items_ = shard->NewIterator(inherits() ? kBodyFamily : kQueueFamily, bounds);
  items_->SeekToFirst();
  FindItem();
}

void ExpiryWalk::Next() {
  items_->Next();
  FindItem();
}

void ExpiryWalk::FindItem() {
  if (!inherits()) return;
  for (; items_->Valid(); items_->Next()) {
    status_ = DecodeBody(items_->value(), &body_);
    if (!status_.ok() || ttl::SaturatingSecondsToMs(body_.lifetime.ts_s) == range_.base_ms) return;
  }
}

Status ExpiryWalk::Read(LoggedChange* change) {
  if (!inherits()) {
    QueueRecord entry;
    LAPSE_RETURN_IF_ERROR(DecodeQueueEntry(items_->value(), &entry));
    HeadRecord head;
    head.lifetime = entry.lifetime;
    head.partition = partition_.number;
    LAPSE_RETURN_IF_ERROR(bodies_.Find(head, &body_));
  }
  *change = {};
  change->kind = ChangeKind::kExpiry;
  change->sequence = range_.SequenceOf(body_.lifetime.sequence);
  change->lsn = range_.LsnOf(body_.lifetime.sequence);
  change->time_ms = range_.died_ms;
  change->logged_ms = range_.logged_ms;
  change->number = body_.number;
  change->previous = VersionOf(body_.lifetime);
  change->previous_lsn = body_.lsn;
  change->head_key = body_.head_key;
  change->previous_doc = body_.document;
  return Status::Ok();
}

}  // namespace lapse::engine
