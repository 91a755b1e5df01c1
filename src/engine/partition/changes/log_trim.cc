#include "engine/partition/changes/log_trim.h"

#include <algorithm>
#include <memory>
#include <string_view>

#include "engine/records/changes/change_log.h"
#include "engine/records/ids/families.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

// The log is trimmed about this many times per retention period, but at most once a minute: a log that is always
// trimmed is always compacted.
constexpr int64_t kTrimsPerRetention = 10;
constexpr int64_t kTrimPauseMin_ms = 60'000;

// A change in the log, and when it may be dropped.
struct KeptChange {
  Sequence sequence = 0;
  int64_t until_ms = 0;
};

class Trimming {
 public:
  explicit Trimming(Transaction* transaction)
      : transaction_(transaction),
        retention_ms_(ttl::SaturatingSecondsToMs(transaction->state().definition.change_log_retention_s)) {
    store::IterateOptions bounds;
    bounds.lower = LogKey(transaction->partition(), transaction->tally().log_floor) + '\0';
    bounds.upper = LogKey(transaction->partition(), transaction->tally().last_sequence) + '\0';
    bounds.fill_cache = false;
    changes_ = transaction->store()->NewIterator(kLogFamily, bounds);
  }

  Result<LogTrim> Run() {
    const bool keeps = transaction_->state().keeps_changes();
    const int64_t now_ms = transaction_->now_ms();
    const int64_t slack_ms = keeps ? std::max(retention_ms_ / kTrimsPerRetention, kTrimPauseMin_ms) : 0;
    LogTrim trim;
    LAPSE_ASSIGN_OR_RETURN(std::optional<KeptChange> first, FirstFrom(transaction_->tally().log_floor + 1));
    if (first && ttl::SaturatingAdd(first->until_ms, slack_ms) <= now_ms) {
      // Changes are logged in sequence order, so a binary search finds the last one to drop, however long the log is.
      Sequence last_gone = first->sequence;
      first.reset();
      for (Sequence end = transaction_->tally().last_sequence; last_gone < end;) {
        const Sequence middle = last_gone + (end - last_gone + 1) / 2;
        LAPSE_ASSIGN_OR_RETURN(const std::optional<KeptChange> change, FirstFrom(middle));
        if (change && change->until_ms <= now_ms) {
          last_gone = change->sequence;
        } else {
          end = middle - 1;
          first = change;
        }
      }
      transaction_->tally().log_floor = last_gone;
      trim.trimmed = true;
    }
    const int64_t new_until_ms = ttl::SaturatingAdd(now_ms, retention_ms_);
    if (first || keeps) trim.next_ms = ttl::SaturatingAdd(first ? first->until_ms : new_until_ms, slack_ms);
    if (first) trim.due_ms = trim.next_ms;
    return trim;
  }

 private:
  Result<std::optional<KeptChange>> FirstFrom(Sequence from) {
    changes_->Seek(LogKey(transaction_->partition(), from));
    LAPSE_RETURN_IF_ERROR(changes_->status());
    if (!changes_->Valid()) return std::optional<KeptChange>();
    LogFront front;
    std::string_view value = changes_->value();
    LAPSE_RETURN_IF_ERROR(TakeLogFront(changes_->key(), &value, &front));
    return std::optional(KeptChange{front.sequence, ttl::SaturatingAdd(front.logged_ms, retention_ms_)});
  }

  Transaction* const transaction_;
  const int64_t retention_ms_;
  std::unique_ptr<store::Iterator> changes_;
};

}  // namespace

Result<LogTrim> TrimLog(Transaction* transaction) {
  return Trimming(transaction).Run();
}

}  // namespace lapse::engine
