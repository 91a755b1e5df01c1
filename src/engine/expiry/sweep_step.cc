#include "engine/expiry/sweep_step.h"

#include <algorithm>
#include <utility>

#include "base/fail_point.h"
#include "engine/changes/change_log.h"
#include "engine/changes/log_trim.h"
#include "engine/expiry/cohort_follower.h"
#include "engine/families.h"
#include "engine/items/item_keys.h"
#include "engine/key_bytes.h"
#include "engine/request_units/prices.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

// A step that logs expiries ends when its batch has got this large: each item's document goes into it.
constexpr size_t kStepBatchBytes = 8 << 20;

constinit FailPoint before_write("sweep.before_write");
constinit FailPoint after_write("sweep.after_write");

int64_t BaseMs(const CohortId& second) {
  return ttl::SaturatingSecondsToMs(second.base);
}

}  // namespace

SweepStep::SweepStep(PartitionId partition, const CommitParts& parts)
    : partition_(partition), parts_(parts), transaction_(partition, parts.shards->Of(partition), parts.cache) {}

void SweepStep::Begin(int64_t now_ms, std::shared_ptr<const ContainerState> state_now, PartitionTally tally_before) {
  transaction_.Begin(now_ms, std::move(state_now), std::move(tally_before));
}

Result<PartitionTally> SweepStep::Commit(const SweepLimit& limit, SweepPosition* position) {
  left_ = limit;
  SweepPosition reached = *position;
  for (ttl::RuleId rule : {ttl::kInheritRule, ttl::kOwnRule}) LAPSE_RETURN_IF_ERROR(SweepRule(rule, &reached.Of(rule)));
  LAPSE_ASSIGN_OR_RETURN(const LogTrim trim, TrimLog(&transaction_));
  outcome_.log_trimmed = trim.trimmed;
  outcome_.next_trim_ms = trim.next_ms;
  if (trim.due_ms.has_value()) NoteDue(*trim.due_ms);
  if (changed()) LAPSE_RETURN_IF_ERROR(WriteBatch());
  *position = reached;
  return tally();
}

// Cohorts come in the order of their base, so the dead ones come first. (After a reset of the clock some that live may
// stand between them, with bases that dead ones had before.)
Status SweepStep::SweepRule(ttl::RuleId rule, int64_t* position) {
  const ttl::Floors& dead = state().Of(partition_.number).dead;
  const auto last_dead_ms = ttl::LastDeadBaseMs(rule, state().policy, dead, transaction_.now_ms());
  store::IterateOptions bounds;
  bounds.lower = CohortBound(partition_, CohortLevel::kSecond, rule, *position);
  bounds.upper = PrefixEnd(CohortPrefix(partition_, CohortLevel::kSecond, rule));
  std::unique_ptr<store::Iterator> cohorts = transaction_.shard()->NewIterator(kCohortFamily, bounds);
  // Whatever is written from now on has a base from this second or later.
  int64_t first_left = transaction_.now_ms() / ttl::kMsPerSecond;
  Sequence first_left_sequence = tally().last_sequence + 1;
  for (cohorts->SeekToFirst(); cohorts->Valid(); cohorts->Next()) {
    LAPSE_ASSIGN_OR_RETURN(CohortId cohort, DecodeCohortKey(cohorts->key()));
    LAPSE_ASSIGN_OR_RETURN(Count count, DecodeCount(cohorts->value()));
    if (IsDead(cohort)) {
      LAPSE_ASSIGN_OR_RETURN(Go go, SweepCohort(cohort, count));
      if (go == Go::kOn) continue;
      outcome_.more = true;
    } else {
      if (auto due_ms = ttl::DeadlineMs(cohort.rule, BaseMs(cohort), state().policy)) NoteDue(*due_ms);
    }
    first_left = std::min(first_left, cohort.base);
    first_left_sequence = std::min(first_left_sequence, cohort.first_sequence());
    const bool beyond_the_dead = !last_dead_ms.has_value() || BaseMs(cohort) > *last_dead_ms;
    if (outcome_.more || beyond_the_dead) break;
  }
  *position = first_left;
  // Bases rise with sequences: where nothing is left of a base, nothing is of its sequences. Unless times came a second
  // time.
  if (rule == ttl::kInheritRule && !parts_.clock_was_reset) outcome_.bodies_dead_below = first_left_sequence;
  return cohorts->status();
}

void SweepStep::NoteDue(int64_t due_ms) {
  outcome_.next_due_ms = std::min(outcome_.next_due_ms.value_or(due_ms), due_ms);
}

bool SweepStep::IsDead(const CohortId& cohort) const {
  return ttl::IsDead(cohort.rule, BaseMs(cohort), cohort.first_sequence(), state().policy,
                     state().Of(partition_.number).dead, transaction_.now_ms());
}

Result<SweepStep::Go> SweepStep::SweepCohort(const CohortId& cohort, const Count& count) {
  if (left_.cohorts_max-- <= 0) return Go::kStop;
  if (state().keeps_changes()) return SweepItems(cohort);
  if (count.items > left_.items_max) {
    if (cohort.rule == ttl::kOwnRule) return SweepItems(cohort);
    outcome_.items_needed = count.items;
    return Go::kStop;
  }
  LAPSE_RETURN_IF_ERROR(Purge(cohort, count));
  // The sequence keeps apart what has the same base: cohorts of this second that are still there, and what a clock that
  // was reset brings a second time.
  tally().purged.floors.Raise(cohort.rule, {BaseMs(cohort), cohort.last_sequence()});
  return Go::kOn;
}

// One by one, in the order of their sequence, as far as the limits go.
Result<SweepStep::Go> SweepStep::SweepItems(const CohortId& cohort) {
  const bool logged = state().keeps_changes();
  Count part;
  Sequence last = cohort.last_sequence();
  Go go = Go::kOn;
  auto take = [&](const ExpiredItem& item) -> Result<Go> {
    const bool enough =
        part.items == left_.items_max || (logged && left_.logged_max-- <= 0) || transaction_.bytes() >= kStepBatchBytes;
    if (enough) return go = Go::kStop;
    LAPSE_RETURN_IF_ERROR(LogExpiry(item));
    part += {1, item.document_bytes};
    last = item.lifetime.sequence;
    return Go::kOn;
  };
  LAPSE_RETURN_IF_ERROR(cohort.rule == ttl::kOwnRule ? ForEachOfOwn(cohort, take) : ForEachOfInherit(cohort, take));
  if (go == Go::kOn) last = cohort.last_sequence();
  if (part.items > 0) {
    LAPSE_RETURN_IF_ERROR(Purge(cohort, part));
    tally().purged.floors.Raise(cohort.rule, {BaseMs(cohort), last});
  }
  return go;
}

// The queue has the items of one second in the order of their sequence.
Status SweepStep::ForEachOfOwn(const CohortId& cohort, const VisitExpired& visit) const {
  store::IterateOptions bounds;
  bounds.lower = QueueKey(partition_, cohort.rule, BaseMs(cohort), FirstUnpurged(cohort));
  bounds.upper = QueueKey(partition_, cohort.rule, BaseMs(cohort), cohort.last_sequence()) + '\0';
  std::unique_ptr<store::Iterator> entries = transaction_.shard()->NewIterator(kQueueFamily, bounds);
  for (entries->SeekToFirst(); entries->Valid(); entries->Next()) {
    QueueRecord entry;
    LAPSE_RETURN_IF_ERROR(DecodeQueueEntry(entries->value(), &entry));
    LAPSE_ASSIGN_OR_RETURN(Go go, visit({entry.lifetime, entry.document_bytes}));
    if (go == Go::kStop) break;
  }
  return entries->status();
}

// The bodies of inheriting items are their own queue.
Status SweepStep::ForEachOfInherit(const CohortId& cohort, const VisitExpired& visit) const {
  store::IterateOptions bounds;
  bounds.lower = BodyBound(partition_, BodyClass::kInheriting, FirstUnpurged(cohort));
  bounds.upper = BodyBound(partition_, BodyClass::kInheriting, cohort.last_sequence()) + '\0';
  bounds.fill_cache = false;
  std::unique_ptr<store::Iterator> bodies = transaction_.shard()->NewIterator(kBodyFamily, bounds);
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

Status SweepStep::LogExpiry(const ExpiredItem& item) {
  if (!state().keeps_changes()) return Status::Ok();
  if (item.body != nullptr) {
    LogExpiryOf(*item.body);
    return Status::Ok();
  }
  store::PinnedValue value;
  LAPSE_RETURN_IF_ERROR(transaction_.shard()->Get(kBodyFamily, BodyKey(partition_, item.lifetime), &value));
  BodyRecord body;
  LAPSE_RETURN_IF_ERROR(DecodeBody(value.view(), &body));
  LogExpiryOf(body);
  return Status::Ok();
}

void SweepStep::LogExpiryOf(const BodyRecord& body) {
  LoggedChange change;
  change.kind = ChangeKind::kExpiry;
  change.sequence = transaction_.TakeSequence();
  change.lsn = transaction_.TakeLsn();
  change.time_ms = state().DiedAtMs(body.lifetime, transaction_.now_ms());
  change.logged_ms = transaction_.now_ms();
  change.number = body.number;
  change.previous = VersionOf(body.lifetime);
  change.previous_lsn = body.lsn;
  change.head_key = body.head_key;
  change.previous_doc = body.document;
  std::string value;
  EncodeLoggedChange(change, &value);
  transaction_.Put(kLogFamily, LogKey(partition_, change.sequence), std::move(value));
}

// Of a cohort that an earlier step may have purged in part.
Sequence SweepStep::FirstUnpurged(const CohortId& cohort) const {
  Sequence first = cohort.first_sequence();
  for (const ttl::Floors::Entry& entry : tally().purged.floors.entries()) {
    const bool same_second = entry.rule == cohort.rule && entry.floor.base_ms == BaseMs(cohort);
    if (same_second) first = std::max(first, entry.floor.sequence + 1);
  }
  return first;
}

Status SweepStep::Purge(const CohortId& cohort, const Count& count) {
  tally().stored -= count;
  tally().purged.total += count;
  tally().purged.milli_ru += count.items * kPurgeMilliRu;
  left_.items_max -= count.items;
  outcome_.purged += count;
  return RemoveFromCohort(cohort, count, &transaction_);
}

Status SweepStep::WriteBatch() {
  // Files of bodies will go up to there, and with them deletions that hide bodies in files below. Those are in no
  // cohort, and must be under the floor all the same.
  if (outcome_.bodies_dead_below > 0) {
    const int64_t now_s = transaction_.now_ms() / ttl::kMsPerSecond;
    tally().purged.floors.Raise(ttl::kInheritRule, {now_s * ttl::kMsPerSecond, outcome_.bodies_dead_below - 1});
  }
  LAPSE_RETURN_IF_ERROR(before_write.Check());
  // Synced whatever the user chose: compaction destroys what is under the floor. On the reserve of a full disk, since
  // this is what makes room; though not all of it where each item that goes is a change that comes.
  const bool large = state().keeps_changes() && outcome_.purged.items > 0;
  const store::Room room = large ? store::Room::kHalfReserve : store::Room::kReserve;
  LAPSE_RETURN_IF_ERROR(transaction_.Write(store::Durability::kSync, room));
  return after_write.Check();
}

}  // namespace lapse::engine
