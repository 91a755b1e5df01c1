#include "engine/expiry/sweep_step.h"

#include <algorithm>
#include <utility>

#include "base/fail_point.h"
#include "engine/engine_parts.h"
#include "engine/items/keys.h"
#include "engine/items/records.h"
#include "engine/request_units/prices.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

// The log is trimmed about this often while its first change comes of age, and not more often than every minute.
constexpr int64_t kTrimsPerRetention = 10;
constexpr int64_t kTrimPauseMin_ms = 60'000;

constinit FailPoint before_write("sweep.before_write");
constinit FailPoint after_write("sweep.after_write");

int64_t BaseMs(const CohortId& second) {
  return ttl::SaturatingSecondsToMs(second.base);
}

}  // namespace

SweepStep::SweepStep(Container* container, uint32_t stream, EngineParts* parts)
    : container_(container),
      stream_(stream),
      parts_(parts),
      ledger_(container->id(), stream),
      log_(container->id(), stream, parts->shard) {}

Result<PartitionTally> SweepStep::Commit(const SweepLimit& limit, PartitionTally tally, SweepPosition* position) {
  StoreClock::CommitScope scope(parts_->clock.get());
  left_ = limit;
  now_ms_ = scope.now_ms();
  state_ = container_->state();
  LAPSE_RETURN_IF_ERROR(state_->Check());
  tally_ = std::move(tally);
  log_.Begin(*state_, now_ms_);
  SweepPosition reached = *position;
  for (ttl::RuleId rule : {ttl::kInheritRule, ttl::kOwnRule}) LAPSE_RETURN_IF_ERROR(SweepRule(rule, &reached.Of(rule)));
  LAPSE_RETURN_IF_ERROR(TrimLog());
  if (outcome_.purged.items > 0 || outcome_.log_trimmed) LAPSE_RETURN_IF_ERROR(WriteBatch());
  *position = reached;
  return tally_;
}

// Cohorts come in the order of their base, so the dead ones come first. (After a reset of the clock some that live may
// stand between them, with bases that dead ones had before.)
Status SweepStep::SweepRule(ttl::RuleId rule, int64_t* position) {
  const auto last_dead_ms = ttl::LastDeadBaseMs(rule, state_->policy, state_->dead, now_ms_);
  store::IterateOptions bounds;
  bounds.lower = CohortBound(container_->id(), stream_, CohortLevel::kSecond, rule, *position);
  bounds.upper = PrefixEnd(CohortPrefix(container_->id(), stream_, CohortLevel::kSecond, rule));
  std::unique_ptr<store::Iterator> cohorts = parts_->shard->NewIterator(kCohortFamily, bounds);
  // Whatever is written from now on has a base from this second or later.
  int64_t first_left = now_ms_ / ttl::kMsPerSecond;
  uint64_t first_left_lsn = container_->last_lsn() + 1;
  for (cohorts->SeekToFirst(); cohorts->Valid(); cohorts->Next()) {
    LAPSE_ASSIGN_OR_RETURN(CohortId cohort, DecodeCohortKey(cohorts->key()));
    LAPSE_ASSIGN_OR_RETURN(Count count, DecodeCount(cohorts->value()));
    if (IsDead(cohort)) {
      LAPSE_ASSIGN_OR_RETURN(Go go, SweepCohort(cohort, count));
      if (go == Go::kOn) continue;
      outcome_.more = true;
    } else {
      if (auto due_ms = ttl::DeadlineMs(cohort.rule, BaseMs(cohort), state_->policy)) NoteDue(*due_ms);
    }
    first_left = std::min(first_left, cohort.base);
    first_left_lsn = std::min(first_left_lsn, cohort.first_lsn());
    const bool beyond_the_dead = !last_dead_ms.has_value() || BaseMs(cohort) > *last_dead_ms;
    if (outcome_.more || beyond_the_dead) break;
  }
  *position = first_left;
  // Bases rise with LSNs: where nothing is left of a base, nothing is of its LSNs. Unless times came a second time.
  if (rule == ttl::kInheritRule && !parts_->clock_was_reset) outcome_.bodies_dead_below = first_left_lsn;
  return cohorts->status();
}

void SweepStep::NoteDue(int64_t due_ms) {
  outcome_.next_due_ms = std::min(outcome_.next_due_ms.value_or(due_ms), due_ms);
}

bool SweepStep::IsDead(const CohortId& cohort) const {
  return ttl::IsDead(cohort.rule, BaseMs(cohort), cohort.first_lsn(), state_->policy, state_->dead, now_ms_);
}

Result<SweepStep::Go> SweepStep::SweepCohort(const CohortId& cohort, const Count& count) {
  if (left_.cohorts_max-- <= 0) return Go::kStop;
  if (log_.on()) return SweepItems(cohort);
  if (count.items > left_.items_max) {
    if (cohort.rule == ttl::kOwnRule) return SweepItems(cohort);
    outcome_.items_needed = count.items;
    return Go::kStop;
  }
  Purge(cohort, count);
  // The LSN keeps apart what has the same base: cohorts of this second that are still there, and what a clock that was
  // reset brings a second time.
  tally_.purged.floors.Raise(cohort.rule, {BaseMs(cohort), cohort.last_lsn()});
  return Go::kOn;
}

// One by one, in the order of their LSN, as far as the limits go.
Result<SweepStep::Go> SweepStep::SweepItems(const CohortId& cohort) {
  Count part;
  uint64_t last_lsn = cohort.last_lsn();
  Go go = Go::kOn;
  auto take = [&](const Goner& goner) -> Result<Go> {
    if (part.items == left_.items_max || (log_.on() && left_.logged_max-- <= 0)) return go = Go::kStop;
    LAPSE_RETURN_IF_ERROR(LogExpiry(goner));
    part += {1, goner.document_bytes};
    last_lsn = goner.lifetime.lsn;
    return Go::kOn;
  };
  LAPSE_RETURN_IF_ERROR(cohort.rule == ttl::kOwnRule ? ForEachOfOwn(cohort, take) : ForEachOfInherit(cohort, take));
  if (go == Go::kOn) last_lsn = cohort.last_lsn();
  if (part.items > 0) {
    Purge(cohort, part);
    tally_.purged.floors.Raise(cohort.rule, {BaseMs(cohort), last_lsn});
  }
  return go;
}

// The queue has the items of one second in the order of their LSN.
Status SweepStep::ForEachOfOwn(const CohortId& cohort, const VisitGoner& visit) const {
  store::IterateOptions bounds;
  bounds.lower = QueueKey(container_->id(), stream_, cohort.rule, BaseMs(cohort), FirstUnpurgedLsn(cohort));
  bounds.upper = QueueKey(container_->id(), stream_, cohort.rule, BaseMs(cohort), cohort.last_lsn()) + '\0';
  std::unique_ptr<store::Iterator> entries = parts_->shard->NewIterator(kQueueFamily, bounds);
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    QueueRecord entry;
    LAPSE_RETURN_IF_ERROR(DecodeQueueEntry(entries->value(), &entry));
    LAPSE_ASSIGN_OR_RETURN(Go go, visit({entry.lifetime, entry.document_bytes}));
    if (go == Go::kStop) break;
  }
  return entries->status();
}

// The bodies of inheriting items are their own queue.
Status SweepStep::ForEachOfInherit(const CohortId& cohort, const VisitGoner& visit) const {
  store::IterateOptions bounds;
  bounds.lower = BodyBound(container_->id(), stream_, BodyClass::kInheriting, FirstUnpurgedLsn(cohort));
  bounds.upper = BodyBound(container_->id(), stream_, BodyClass::kInheriting, cohort.last_lsn()) + '\0';
  bounds.fill_cache = false;
  std::unique_ptr<store::Iterator> bodies = parts_->shard->NewIterator(kBodyFamily, bounds);
  for (bodies->SeekToFirst(); bodies->Valid(); bodies->Next()) {
    BodyRecord body;
    LAPSE_RETURN_IF_ERROR(DecodeBody(bodies->value(), &body));
    if (body.lifetime.ts_s != cohort.base) continue;
    const auto bytes = static_cast<int64_t>(body.document.size());
    LAPSE_ASSIGN_OR_RETURN(Go go, visit({body.lifetime, bytes, &body}));
    if (go == Go::kStop) break;
  }
  return bodies->status();
}

Status SweepStep::LogExpiry(const Goner& goner) {
  if (!log_.on()) return Status::Ok();
  if (goner.body != nullptr) {
    LogExpiryOf(*goner.body);
    return Status::Ok();
  }
  store::PinnedValue value;
  LAPSE_RETURN_IF_ERROR(parts_->shard->Get(kBodyFamily, BodyKey(container_->id(), stream_, goner.lifetime), &value));
  BodyRecord body;
  LAPSE_RETURN_IF_ERROR(DecodeBody(value.view(), &body));
  LogExpiryOf(body);
  return Status::Ok();
}

void SweepStep::LogExpiryOf(const BodyRecord& body) {
  tally_.last_lsn = container_->TakeLsn();
  log_.Expired(tally_.last_lsn, state_->DiedAtMs(body.lifetime, now_ms_), MetaOf(body.lifetime, body.rid),
               body.head_key, body.document, &batch_);
}

// Of a cohort that an earlier step may have purged in part.
uint64_t SweepStep::FirstUnpurgedLsn(const CohortId& cohort) const {
  uint64_t first = cohort.first_lsn();
  for (const ttl::Floors::Entry& entry : tally_.purged.floors.entries()) {
    const bool same_second = entry.rule == cohort.rule && entry.floor.base_ms == BaseMs(cohort);
    if (same_second) first = std::max(first, entry.floor.lsn + 1);
  }
  return first;
}

// Gives up what is older than it is to be kept. Not each change for itself as it comes of age: a log that is always
// trimmed is always compacted.
Status SweepStep::TrimLog() {
  store::IterateOptions bounds;
  bounds.lower = LogKey(container_->id(), stream_, tally_.log_floor) + '\0';
  bounds.upper = LogKey(container_->id(), stream_, tally_.last_lsn) + '\0';
  bounds.fill_cache = false;
  std::unique_ptr<store::Iterator> changes = parts_->shard->NewIterator(kLogFamily, bounds);
  const int64_t slack_ms = log_.on() ? std::max(RetentionMs() / kTrimsPerRetention, kTrimPauseMin_ms) : 0;

  LAPSE_ASSIGN_OR_RETURN(std::optional<KeptChange> first, FirstChange(tally_.log_floor + 1, changes.get()));
  if (first && ttl::SaturatingAdd(first->until_ms, slack_ms) <= now_ms_) {
    // Changes came in the order of their LSN. So the last one that goes is found by halves, however long the log is.
    uint64_t last_gone = first->lsn;
    first.reset();
    for (uint64_t end = tally_.last_lsn; last_gone < end;) {
      const uint64_t middle = last_gone + (end - last_gone + 1) / 2;
      LAPSE_ASSIGN_OR_RETURN(const std::optional<KeptChange> change, FirstChange(middle, changes.get()));
      if (change && change->until_ms <= now_ms_) {
        last_gone = change->lsn;
      } else {
        end = middle - 1;
        first = change;
      }
    }
    tally_.log_floor = last_gone;
    outcome_.log_trimmed = true;
  }
  const int64_t new_until_ms = ttl::SaturatingAdd(now_ms_, RetentionMs());
  if (first || log_.on()) {
    outcome_.next_trim_ms = ttl::SaturatingAdd(first ? first->until_ms : new_until_ms, slack_ms);
  }
  if (first) NoteDue(*outcome_.next_trim_ms);
  return Status::Ok();
}

Result<std::optional<SweepStep::KeptChange>> SweepStep::FirstChange(uint64_t from_lsn, store::Iterator* changes) const {
  changes->Seek(LogKey(container_->id(), stream_, from_lsn));
  LAPSE_RETURN_IF_ERROR(changes->status());
  if (!changes->Valid()) return std::optional<KeptChange>();
  LoggedChange change;
  LAPSE_RETURN_IF_ERROR(DecodeLoggedChange(changes->key(), changes->value(), &change));
  return std::optional(KeptChange{change.lsn, ttl::SaturatingAdd(change.logged_ms, RetentionMs())});
}

int64_t SweepStep::RetentionMs() const {
  return ttl::SaturatingSecondsToMs(state_->definition.change_log_retention_s);
}

void SweepStep::Purge(const CohortId& cohort, const Count& count) {
  ledger_.Remove(cohort, count);
  tally_.stored -= count;
  tally_.purged.total += count;
  tally_.purged.milli_ru += count.items * kPurgeMilliRu;
  left_.items_max -= count.items;
  outcome_.purged += count;
}

Status SweepStep::WriteBatch() {
  // Files of bodies will go up to there, and with them deletions that hide bodies in files below. Those are in no
  // cohort, and must be under the floor all the same.
  if (outcome_.bodies_dead_below > 0) {
    const int64_t now_s = now_ms_ / ttl::kMsPerSecond;
    tally_.purged.floors.Raise(ttl::kInheritRule, {now_s * ttl::kMsPerSecond, outcome_.bodies_dead_below - 1});
  }
  LAPSE_RETURN_IF_ERROR(ledger_.WriteTo(parts_->shard, &batch_));
  batch_.Put(kMetaFamily, PartitionTallyKey(container_->id(), stream_), EncodeTally(tally_));
  LAPSE_RETURN_IF_ERROR(before_write.Check());
  // Synced whatever the user chose: compaction destroys what is under the floor. On the reserve of a full disk, since
  // this is what makes room; though not all of it where each item that goes is a change that comes.
  const bool large = log_.on() && outcome_.purged.items > 0;
  const store::Room room = large ? store::Room::kHalfReserve : store::Room::kReserve;
  LAPSE_RETURN_IF_ERROR(parts_->shard->Write(batch_, store::Durability::kSync, room));
  LAPSE_RETURN_IF_ERROR(after_write.Check());
  parts_->purge_filter->Publish(container_->id(), stream_, tally_);
  return Status::Ok();
}

}  // namespace lapse::engine
