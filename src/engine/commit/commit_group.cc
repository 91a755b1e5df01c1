#include "engine/commit/commit_group.h"

#include <utility>

#include "engine/engine_parts.h"
#include "engine/items/keys.h"

namespace lapse::engine {
namespace {

bool Holds(const Precondition& condition, const HeadRecord& live) {
  switch (condition.kind) {
    case Precondition::Kind::kNone:
    case Precondition::Kind::kExists: return true;
    case Precondition::Kind::kMatches: return condition.version == MetaOf(live).version;
    case Precondition::Kind::kDiffers: return condition.version != MetaOf(live).version;
    case Precondition::Kind::kAbsent: return false;
  }
  return false;
}

}  // namespace

CommitGroup::CommitGroup(Container* container, uint32_t stream, EngineParts* parts)
    : container_(container),
      stream_(stream),
      parts_(parts),
      cohorts_(container->id(), stream),
      log_(container->id(), stream, parts->shard) {}

Result<PartitionTally> CommitGroup::Commit(std::vector<PendingWrite>& pending, PartitionTally tally) {
  StoreClock::CommitScope scope(parts_->clock.get());
  now_ms_ = scope.now_ms();
  state_ = container_->state();
  LAPSE_RETURN_IF_ERROR(state_->Check());
  tally_ = std::move(tally);
  log_.Begin(*state_, now_ms_);
  verdicts_.reserve(pending.size());
  for (PendingWrite& one : pending) verdicts_.push_back(Apply(one.write));
  if (!batch_.empty()) LAPSE_RETURN_IF_ERROR(WriteBatch());
  return tally_;
}

void CommitGroup::Answer(std::vector<PendingWrite>& pending, const Result<PartitionTally>& committed) {
  for (size_t i = 0; i < pending.size(); ++i) {
    ItemWriteDone done = std::move(pending[i].done);
    if (!committed.ok()) {
      done(committed.status());
      continue;
    }
    Verdict& verdict = verdicts_[i];
    if (verdict.ok()) {
      verdict->partition_lsn = committed->last_lsn;
      verdict->document = std::move(pending[i].write.document);
    }
    done(std::move(verdict));
  }
}

CommitGroup::Verdict CommitGroup::Apply(ItemWrite& write) {
  std::string head_key = HeadKey(container_->id(), write.address);
  LAPSE_ASSIGN_OR_RETURN(std::optional<HeadRecord> stored, Load(head_key));
  std::optional<HeadRecord> live = stored;
  if (stored.has_value() && IsDead(*stored)) live.reset();
  LAPSE_RETURN_IF_ERROR(Judge(write, live));

  // What is there goes, alive or dead.
  std::string before;
  if (stored.has_value() && !IsPurged(*stored)) {
    LAPSE_ASSIGN_OR_RETURN(before, log_.DocumentOf(stored->lifetime));
    RemoveStored(head_key, *stored, before);
  }
  ItemWritten written;
  written.created = !live.has_value();
  if (write.kind == ItemWrite::Kind::kDelete) {
    batch_.Delete(kHeadFamily, head_key);
    log_.Deleted(TakeLsn(), *live, head_key, before, &batch_);
    overlay_[head_key] = std::nullopt;
    written.meta = MetaOf(*live);
  } else {
    HeadRecord head = Store(head_key, write, live);
    if (live.has_value()) {
      log_.Written(head, head_key, write.document, &*live, before, &batch_);
    } else {
      log_.Written(head, head_key, write.document, nullptr, {}, &batch_);
    }
    written.meta = MetaOf(head);
    overlay_[head_key] = std::move(head);
  }
  changed_keys_.push_back(std::move(head_key));
  return written;
}

Status CommitGroup::Judge(const ItemWrite& write, const std::optional<HeadRecord>& live) const {
  switch (write.kind) {
    case ItemWrite::Kind::kCreate:
      if (live.has_value()) return {Code::kAlreadyExists, "the item exists"};
      return Status::Ok();
    case ItemWrite::Kind::kUpsert:
      if (!live.has_value()) return Status::Ok();
      break;
    case ItemWrite::Kind::kReplace:
    case ItemWrite::Kind::kDelete:
      if (!live.has_value()) return {Code::kNotFound, "no such item"};
      break;
  }
  return Holds(write.precondition, *live) ? Status::Ok() : Status(Code::kPreconditionFailed, "the item has changed");
}

Result<std::optional<HeadRecord>> CommitGroup::Load(const std::string& head_key) {
  if (auto pending = overlay_.find(head_key); pending != overlay_.end()) return pending->second;
  uint64_t ticket = 0;
  if (auto cached = parts_->cache->Find(head_key, &ticket)) return std::optional(cached->head);
  store::PinnedValue value;
  Status found = parts_->shard->Get(kHeadFamily, head_key, &value);
  if (found.code() == Code::kNotFound) return std::optional<HeadRecord>();
  LAPSE_RETURN_IF_ERROR(found);
  HeadRecord head;
  LAPSE_RETURN_IF_ERROR(DecodeHead(value.view(), &head));
  return std::optional(std::move(head));
}

bool CommitGroup::IsDead(const HeadRecord& stored) const {
  return ttl::IsDead(stored.lifetime, state_->policy, state_->dead, tally_.purged.floors, now_ms_);
}

// Under the purged floor it is accounted for, and its records go by themselves.
bool CommitGroup::IsPurged(const HeadRecord& stored) const {
  return tally_.purged.floors.Covers(stored.lifetime);
}

void CommitGroup::RemoveStored(const std::string& head_key, const HeadRecord& stored, std::string_view document) {
  const ttl::Lifetime& lifetime = stored.lifetime;
  batch_.Delete(kBodyFamily, BodyKey(container_->id(), stored.stream, lifetime));
  if (lifetime.ServerRule() == ttl::kOwnRule) {
    batch_.Delete(kQueueFamily,
                  QueueKey(container_->id(), stored.stream, ttl::kOwnRule, lifetime.ServerBaseMs(), lifetime.lsn));
  }
  const Count one{1, stored.document_bytes};
  replaced_bytes_ += stored.document_bytes;
  tally_.stored -= one;
  cohorts_.Remove(lifetime, stored.document_bytes);
  if (!IsDead(stored)) return;
  // The sweeper has not come by yet: its expiry is accounted for and logged here, at no charge.
  tally_.purged.total += one;
  if (log_.on())
    log_.Expired(TakeLsn(), state_->DiedAtMs(lifetime, now_ms_), MetaOf(stored), head_key, document, &batch_);
}

// An inheriting item needs no queue entry: its body lies in commit order, which is the order of `_ts`.
HeadRecord CommitGroup::Store(const std::string& head_key, const ItemWrite& write,
                              const std::optional<HeadRecord>& live) {
  HeadRecord head;
  head.lifetime.ts_s = now_ms_ / 1000;
  head.lifetime.lsn = TakeLsn();
  head.lifetime.own_ttl = write.own_ttl;
  head.rid = live.has_value() ? live->rid : head.lifetime.lsn;
  head.stream = stream_;
  head.document_bytes = static_cast<uint32_t>(write.document.size());

  std::string value;
  EncodeHead(head, &value);
  batch_.Put(kHeadFamily, head_key, value);
  value.clear();
  EncodeBody({.lifetime = head.lifetime, .rid = head.rid, .head_key = head_key, .document = write.document}, &value);
  batch_.Put(kBodyFamily, BodyKey(container_->id(), stream_, head.lifetime), value);
  if (head.lifetime.ServerRule() == ttl::kOwnRule) {
    value.clear();
    EncodeQueueEntry({.lifetime = head.lifetime, .document_bytes = head.document_bytes, .head_key = head_key}, &value);
    batch_.Put(kQueueFamily,
               QueueKey(container_->id(), stream_, ttl::kOwnRule, head.lifetime.ServerBaseMs(), head.lifetime.lsn),
               value);
  }
  tally_.stored += {1, head.document_bytes};
  cohorts_.Add(head.lifetime, head.document_bytes);
  return head;
}

Status CommitGroup::WriteBatch() {
  LAPSE_RETURN_IF_ERROR(cohorts_.WriteTo(parts_->shard, &batch_));
  batch_.Put(kMetaFamily, PartitionTallyKey(container_->id(), stream_), EncodeTally(tally_));
  parts_->cache->BeginCommit(changed_keys_);
  Status written = parts_->shard->Write(batch_, parts_->options.durability);
  parts_->cache->EndCommit(changed_keys_);
  if (replaced_bytes_ > 0) parts_->reclaimer->NoteReplaced(replaced_bytes_);
  return written;
}

}  // namespace lapse::engine
