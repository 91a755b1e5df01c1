#include "engine/partition/commit/apply_write.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/partition/commit/judge.h"
#include "engine/partition/commit/patch_document.h"
#include "engine/partition/transaction/item_store.h"
#include "engine/partition/transaction/remove_dead.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/prices/prices.h"

namespace lapse::engine {
namespace {

// Removes the item under the key if it is dead and not yet accounted for: it has expired, or its whole key was deleted.
// This happens before anything is written in its place. Each removal is a write with its own LSN, below that of the
// write that meets the item.
Status RemoveDead(const std::string& head_key, Transaction* transaction) {
  LAPSE_ASSIGN_OR_RETURN(std::optional<HeadRecord> head, transaction->FindHead(head_key));
  if (!head.has_value()) return Status::Ok();
  return RemoveIfDead(head_key, *head, transaction).status();
}

class Applying {
 public:
  explicit Applying(Transaction* transaction) : transaction_(transaction) {}

  uint64_t condition_steps() const { return kConditionStepsMax - condition_steps_left_; }

  Result<ItemWritten> Operation(const ItemWrite& operation, const std::string& head_key) {
    LAPSE_RETURN_IF_ERROR(operation.refusal);
    LAPSE_ASSIGN_OR_RETURN(std::optional<HeadRecord> live, transaction_->FindHead(head_key));
    // Dead items in the way of a write are already removed. A read removes nothing and meets them here.
    if (live.has_value() && !transaction_->IsLive(head_key, live->lifetime)) live.reset();
    LAPSE_RETURN_IF_ERROR(Judge(operation, live.has_value() ? &*live : nullptr));
    if (operation.kind == WriteKind::kRead) return Read(operation, head_key, *live);
    return Write(operation, head_key, live);
  }

 private:
  Result<ItemWritten> Read(const ItemWrite& read, const std::string& head_key, const HeadRecord& live) {
    ItemWritten found;
    found.meta = {.version = VersionOf(live.lifetime), .lsn = 0, .number = live.number};
    found.unchanged = read.precondition.ReaderHas(found.meta.version);
    found.milli_ru = kRefusedMilliRu;
    if (found.unchanged) return found;
    LAPSE_ASSIGN_OR_RETURN(const ItemImage image, transaction_->ImageBefore(head_key, live, DocumentBefore::kAlways));
    found.meta.lsn = image.lsn;
    found.document = image.document;
    found.milli_ru = PointReadMilliRu(found.document, transaction_->state().definition.lifetime_property);
    return found;
  }

  Result<ItemWritten> Write(const ItemWrite& write, const std::string& head_key,
                            const std::optional<HeadRecord>& live) {
    ItemImage before;
    if (live.has_value()) {
      LAPSE_ASSIGN_OR_RETURN(before, transaction_->ImageBefore(head_key, *live, DocumentBeforeFor(write)));
    }
    ItemWritten written;
    written.created = !live.has_value();
    std::string_view document = write.document;
    std::optional<int32_t> own_ttl = write.own_ttl;
    IndexingDirective indexing = write.indexing;
    if (write.kind == WriteKind::kPatch) {
      LAPSE_RETURN_IF_ERROR(CheckCondition(write.patch, *live, before));
      LAPSE_ASSIGN_OR_RETURN(
          PatchedDocument patched,
          PatchDocument(write.patch, transaction_->state().definition.partition_key, before.document));
      written.document = std::move(patched.document);
      document = written.document;
      own_ttl = patched.own_ttl;
      // A patch keeps what it does not mention.
      if (indexing == IndexingDirective::kDefault) indexing = live->indexing;
    }
    LAPSE_RETURN_IF_ERROR(Count(document, before));
    const int64_t bytes_before = live.has_value() ? live->document_bytes : 0;
    LAPSE_RETURN_IF_ERROR(transaction_->CheckKeySize(head_key, static_cast<int64_t>(document.size()) - bytes_before));
    // The first operation that writes takes the LSN. Reads need none.
    if (lsn_ == 0) lsn_ = transaction_->TakeLsn();
    if (write.kind == WriteKind::kDelete) {
      LAPSE_RETURN_IF_ERROR(RemoveItem(head_key, before, ItemChange::Kind::kDelete, lsn_, transaction_));
      written.meta = {.version = VersionOf(live->lifetime), .lsn = lsn_, .number = live->number};
    } else {
      const NewVersion version{.head_key = head_key,
                               .document = document,
                               .own_ttl = own_ttl,
                               .indexing = indexing,
                               .lsn = lsn_,
                               .replaces = live.has_value() ? &*live : nullptr};
      LAPSE_ASSIGN_OR_RETURN(const HeadRecord head, StoreVersion(version, before, transaction_));
      written.meta = {.version = VersionOf(head.lifetime), .lsn = lsn_, .number = head.number};
    }
    LAPSE_RETURN_IF_ERROR(transaction_->CheckBytes());
    written.milli_ru = WriteMilliRu(write.kind, written.created, document, transaction_->state());
    return written;
  }

  Status CheckCondition(const ItemPatch& patch, const HeadRecord& live, const ItemImage& before) {
    if (patch.condition == nullptr) return Status::Ok();
    const ItemMeta meta{.version = VersionOf(live.lifetime), .lsn = before.lsn, .number = live.number};
    LAPSE_ASSIGN_OR_RETURN(const bool holds, patch.condition->Holds(meta, before.document, transaction_->now_ms(),
                                                                    &condition_steps_left_));
    return holds ? Status::Ok() : Status(Code::kPreconditionFailed, "the condition of the patch does not hold");
  }

  Status Count(std::string_view document, const ItemImage& before) {
    document_bytes_ += document.size();
    if (transaction_->state().keeps_changes()) document_bytes_ += before.document.size();
    if (document_bytes_ <= kAtomicWriteBytesMax) return Status::Ok();
    return {Code::kTooLarge, "The items of one request are more than it may write: 16 MB."};
  }

  Transaction* const transaction_;
  Lsn lsn_ = 0;  // 0: none yet
  size_t document_bytes_ = 0;
  uint64_t condition_steps_left_ = kConditionStepsMax;
};

// Returns true if a dead item must be removed for the operation. Only writes need that.
bool MeetsDead(const ItemWrite& operation) {
  return operation.kind != WriteKind::kRead && operation.refusal.ok();
}

}  // namespace

DocumentBefore DocumentBeforeFor(const ItemWrite& operation) {
  return HasOwnDocument(operation) ? DocumentBefore::kAlways : DocumentBefore::kIfFollowed;
}

AtomicOutcome ApplyWrite(const std::vector<ItemWrite>& operations, AtomicRules* rules, Transaction* transaction) {
  Transaction::Savepoint before = transaction->savepoint();
  AtomicOutcome outcome;
  outcome.milli_ru.assign(operations.size(), 0);
  auto fail = [&](Status why, size_t at) {
    transaction->RollBackTo(std::move(before));
    outcome.milli_ru[at] = RefusedMilliRu(why.code());
    // A failure of the server is free of charge.
    if (outcome.milli_ru[at] == 0) outcome.milli_ru.assign(operations.size(), 0);
    outcome.status = std::move(why);
    outcome.failed_at = at;
    outcome.written.clear();
  };
  std::vector<std::string> head_keys;
  head_keys.reserve(operations.size());
  for (size_t i = 0; i < operations.size(); ++i) {
    head_keys.push_back(HeadKey(transaction->partition().container, operations[i].address));
    if (!MeetsDead(operations[i])) continue;
    if (Status removed = RemoveDead(head_keys[i], transaction); !removed.ok()) {
      fail(std::move(removed), i);
      return outcome;
    }
  }
  Applying applying(transaction);
  outcome.written.reserve(operations.size());
  for (size_t i = 0; i < operations.size(); ++i) {
    Result<ItemWritten> written = applying.Operation(operations[i], head_keys[i]);
    outcome.condition_steps = applying.condition_steps();
    if (!written.ok()) {
      fail(written.status(), i);
      return outcome;
    }
    outcome.milli_ru[i] = written->milli_ru;
    outcome.written.push_back(*std::move(written));
    if (rules == nullptr) continue;
    if (Status allowed = rules->AfterOperation(operations, outcome.written); !allowed.ok()) {
      fail(std::move(allowed), i);
      return outcome;
    }
  }
  outcome.failed_at = operations.size();
  return outcome;
}

}  // namespace lapse::engine
