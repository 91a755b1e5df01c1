#include "engine/partition/expiry/sweep_step.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/fail_point.h"
#include "engine/partition/changes/held_bodies.h"
#include "engine/partition/changes/log_trim.h"
#include "engine/partition/expiry/cohort_follower.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/changes/expired_range.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/prices/prices.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

// Heads that one erasing step looks at. Each costs far more than a cohort, and writers wait to commit meanwhile.
constexpr int kErasedHeadsMax = 512;

constinit FailPoint before_write("sweep.before_write");
constinit FailPoint after_write("sweep.after_write");

int64_t BaseMs(const CohortId& second) {
  return ttl::SaturatingSecondsToMs(second.base);
}

}  // namespace

SweepStep::SweepStep(Transaction transaction, const SweepOptions& options)
    : options_(options), transaction_(std::move(transaction)) {}

void SweepStep::Begin(ReadMoment moment, PartitionTally tally_before) {
  purged_before_ = tally_before.purged.floors;
  transaction_.Begin(std::move(moment), std::move(tally_before));
}

Result<PartitionTally> SweepStep::Commit(const SweepLimit& limit, SweepPosition* position) {
  left_ = limit;
  SweepPosition reached = *position;
  if (tally().erased != nullptr) {
    LAPSE_RETURN_IF_ERROR(Erase(&reached.erasure));
  } else {
    for (ttl::RuleId rule : {ttl::kInheritRule, ttl::kOwnRule}) {
      LAPSE_RETURN_IF_ERROR(SweepRule(rule, &reached.Of(rule)));
    }
  }
  LAPSE_ASSIGN_OR_RETURN(const LogTrim trim, TrimLog(&transaction_));
  outcome_.log_trimmed = trim.trimmed;
  outcome_.next_trim_ms = trim.next_ms;
  if (trim.due_ms.has_value()) NoteDue(*trim.due_ms);
  if (changed()) LAPSE_RETURN_IF_ERROR(WriteBatch());
  outcome_.worked |= outcome_.purged.items > 0;
  *position = std::move(reached);
  return tally();
}

Status SweepStep::Erase(ErasurePosition* position) {
  const ErasureLimit limit{.items_max = left_.items_max,
                           .heads_max = std::min(left_.cohorts_max, kErasedHeadsMax),
                           .batch_bytes_max = options_.batch_bytes_max};
  LAPSE_ASSIGN_OR_RETURN(outcome_.erased_items, EraseSome(limit, position, &transaction_));
  tally().purged.milli_ru += outcome_.erased_items * kPurgeMilliRu;
  outcome_.worked = limit.items_max > 0;
  // More erased items, or expired ones.
  outcome_.more = true;
  return Status::Ok();
}

// Cohorts are sorted by base, so the dead ones come first. (After a clock reset, live cohorts may be among them, with
// bases that dead ones had before.)
Status SweepStep::SweepRule(ttl::RuleId rule, int64_t* position) {
  const ttl::Floors& dead = transaction_.moment().dead();
  const auto last_dead_ms = ttl::LastDeadBaseMs(rule, state().policy, dead, transaction_.now_ms());
  store::IterateOptions bounds;
  bounds.lower = CohortBound(partition(), CohortLevel::kSecond, rule, *position);
  bounds.upper = PrefixEnd(CohortPrefix(partition(), CohortLevel::kSecond, rule));
  std::unique_ptr<store::Iterator> cohorts = transaction_.store()->NewIterator(kCohortFamily, bounds);
  // Everything written from now on has a base in this second or later.
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
  // Bases rise with sequences, so if no cohort of a base is left, none of its sequences are. This fails if timestamps
  // have recurred.
  if (rule == ttl::kInheritRule && !options_.clock_was_reset) bodies_dead_below_ = first_left_sequence;
  return cohorts->status();
}

void SweepStep::NoteDue(int64_t due_ms) {
  outcome_.next_due_ms = std::min(outcome_.next_due_ms.value_or(due_ms), due_ms);
}

bool SweepStep::IsDead(const CohortId& cohort) const {
  return ttl::IsDead(cohort.rule, BaseMs(cohort), cohort.first_sequence(), state().policy, transaction_.moment().dead(),
                     transaction_.now_ms());
}

Result<SweepStep::Go> SweepStep::SweepCohort(const CohortId& cohort, const Count& count) {
  if (left_.cohorts_max-- <= 0) return Go::kStop;
  if (count.items > left_.items_max) {
    if (cohort.rule == ttl::kOwnRule) return SweepPartOfQueue(cohort);
    outcome_.items_needed = count.items;
    return Go::kStop;
  }
  LAPSE_RETURN_IF_ERROR(Purge(cohort, count, cohort.last_sequence()));
  return Go::kOn;
}

// Purges as many of the cohort's first items as the limit pays for. Within one second, the queue is sorted by sequence.
Result<SweepStep::Go> SweepStep::SweepPartOfQueue(const CohortId& cohort) {
  Count part;
  Sequence last = 0;
  const std::unique_ptr<store::Iterator> entries = QueueOf(cohort, cohort.last_sequence());
  for (entries->SeekToFirst(); entries->Valid() && part.items < left_.items_max; entries->Next()) {
    QueueRecord entry;
    LAPSE_RETURN_IF_ERROR(DecodeQueueEntry(entries->value(), &entry));
    part += {1, entry.document_bytes};
    last = entry.lifetime.sequence;
  }
  LAPSE_RETURN_IF_ERROR(entries->status());
  if (part.items > 0) LAPSE_RETURN_IF_ERROR(Purge(cohort, part, last));
  return Go::kStop;
}

std::unique_ptr<store::Iterator> SweepStep::QueueOf(const CohortId& cohort, Sequence last) const {
  store::IterateOptions bounds;
  bounds.lower = QueueKey(partition(), cohort.rule, BaseMs(cohort), FirstUnpurged(cohort));
  bounds.upper = QueueKey(partition(), cohort.rule, BaseMs(cohort), last) + '\0';
  return transaction_.store()->NewIterator(kQueueFamily, bounds);
}

Status SweepStep::Purge(const CohortId& cohort, const Count& count, Sequence last) {
  if (state().keeps_changes()) LAPSE_RETURN_IF_ERROR(LogExpiries(cohort, last));
  tally().stored -= count;
  tally().purged.total += count;
  tally().purged.milli_ru += count.items * kPurgeMilliRu;
  // The sequence separates items with the same base: cohorts of this second that are still there, and items that a
  // reset clock stamps with the same second again.
  tally().purged.floors.Raise(cohort.rule, {BaseMs(cohort), last});
  left_.items_max -= count.items;
  outcome_.purged += count;
  return RemoveFromCohort(cohort, count, &transaction_);
}

// One record stands for all expiries: their bodies have the details.
Status SweepStep::LogExpiries(const CohortId& cohort, Sequence last) {
  ExpiredRange range;
  range.rule = cohort.rule;
  range.base_ms = BaseMs(cohort);
  range.first_item = FirstUnpurged(cohort);
  range.last_item = std::min(last, tally().last_sequence);
  if (cohort.rule == ttl::kOwnRule) {
    // The cohort's items may be far apart, and a range uses up one log sequence for every number from its first to its
    // last.
    const std::unique_ptr<store::Iterator> entries = QueueOf(cohort, last);
    QueueRecord entry;
    entries->SeekToFirst();
    if (entries->Valid()) LAPSE_RETURN_IF_ERROR(DecodeQueueEntry(entries->value(), &entry));
    range.first_item = std::max(range.first_item, entry.lifetime.sequence);
    entries->SeekToLast();
    if (entries->Valid()) LAPSE_RETURN_IF_ERROR(DecodeQueueEntry(entries->value(), &entry));
    range.last_item = std::min(range.last_item, entry.lifetime.sequence);
    LAPSE_RETURN_IF_ERROR(entries->status());
  }
  if (range.first_item > range.last_item) return {Code::kCorruption, "a cohort counts items that are not there"};
  const uint64_t numbers = range.last_item - range.first_item + 1;
  range.last_sequence = transaction_.TakeSequences(numbers);
  range.last_lsn = transaction_.TakeLsns(numbers);
  range.died_ms = state().DiedAtMs(range.rule, range.base_ms, transaction_.now_ms());
  range.logged_ms = transaction_.now_ms();
  transaction_.Put(kLogFamily, LogKey(partition(), range.last_sequence), EncodeExpiredRange(range));
  logged_ = true;
  return Status::Ok();
}

// Returns the cohort's first sequence that is not purged: an earlier step may have purged a part.
Sequence SweepStep::FirstUnpurged(const CohortId& cohort) const {
  Sequence first = std::max<Sequence>(cohort.first_sequence(), 1);
  for (const ttl::Floors::Entry& entry : tally().purged.floors.entries()) {
    const bool same_second = entry.rule == cohort.rule && entry.floor.base_ms == BaseMs(cohort);
    if (same_second) first = std::max(first, entry.floor.sequence + 1);
  }
  return first;
}

// Releases the purged bodies that no log refers to.
Status SweepStep::ReleaseBodies() {
  ReleasedBodies purged{tally().purged.floors, bodies_dead_below_};
  LAPSE_ASSIGN_OR_RETURN(std::optional<HeldBodies> held, HeldBodies::Load(&transaction_));
  if (!held.has_value() && !logged_) {
    outcome_.released = std::move(purged);
    return Status::Ok();
  }
  if (!held.has_value()) held.emplace(purged_before_);
  if (logged_) held->HoldUntil(tally().last_sequence, purged);
  if (held->Release(tally().log_floor)) {
    outcome_.released = held->released();
    held->Store(&transaction_);
  } else {
    outcome_.released = std::move(purged);
    HeldBodies::Remove(&transaction_);
  }
  return Status::Ok();
}

Status SweepStep::WriteBatch() {
  // Whole files of bodies up to this sequence will be dropped, and with them deletions that hide bodies in lower files.
  // Those hidden bodies are in no cohort, so the floor must cover them, too.
  if (bodies_dead_below_ > 0) {
    const int64_t now_s = transaction_.now_ms() / ttl::kMsPerSecond;
    tally().purged.floors.Raise(ttl::kInheritRule, {now_s * ttl::kMsPerSecond, bodies_dead_below_ - 1});
  }
  LAPSE_RETURN_IF_ERROR(ReleaseBodies());
  LAPSE_RETURN_IF_ERROR(before_write.Check());
  // Always synced: compaction destroys what is under the floor. Uses the reserve of a full disk, since a sweep frees
  // space.
  LAPSE_RETURN_IF_ERROR(transaction_.Write(store::Durability::kSync, store::Room::kReserve));
  return after_write.Check();
}

}  // namespace lapse::engine
