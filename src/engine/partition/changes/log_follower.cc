#include "engine/partition/changes/log_follower.h"

#include <string>
#include <utility>

#include "engine/partition/transaction/transaction.h"
#include "engine/records/changes/change_log.h"
#include "engine/records/ids/families.h"

namespace lapse::engine {
namespace {

ChangeKind LoggedAs(ItemChange::Kind kind) {
  switch (kind) {
    case ItemChange::Kind::kCreate: return ChangeKind::kCreate;
    case ItemChange::Kind::kReplace: return ChangeKind::kReplace;
    case ItemChange::Kind::kDelete: return ChangeKind::kDelete;
    case ItemChange::Kind::kExpiry: return ChangeKind::kExpiry;
  }
  return ChangeKind::kCreate;
}

}  // namespace

Status LogFollower::Follow(const ItemChange& change, Transaction* transaction) const {
  if (!transaction->state().keeps_changes() || change.before_log) return Status::Ok();
  LoggedChange logged;
  logged.kind = LoggedAs(change.kind);
  logged.sequence = change.sequence;
  logged.lsn = change.lsn;
  logged.time_ms = change.time_ms;
  logged.logged_ms = transaction->now_ms();
  logged.number = (change.after.head != nullptr ? change.after : change.before).head->number;
  if (change.before.head != nullptr) {
    logged.previous = VersionOf(change.before.head->lifetime);
    logged.previous_lsn = change.before.lsn;
  }
  logged.head_key = change.head_key;
  logged.current = change.after.document;
  logged.previous_doc = change.before.document;
  std::string value;
  EncodeLoggedChange(logged, &value);
  transaction->Put(kLogFamily, LogKey(transaction->partition(), change.sequence), std::move(value));
  return Status::Ok();
}

}  // namespace lapse::engine
