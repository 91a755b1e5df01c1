#include "engine/commit/apply_write.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "engine/commit/item_store.h"
#include "engine/commit/judge.h"
#include "engine/commit/patch_document.h"
#include "engine/erasure/remove_dead.h"
#include "engine/items/item_keys.h"
#include "engine/request_units/prices.h"

namespace lapse::engine {
namespace {

// An item that is dead, and that no sweep has accounted for, goes before anything is written in its place: it has
// expired, or its whole key was deleted. Each that goes is a write of its own, so they all come before the LSN of the
// write that meets them.
Status RemoveDead(const std::string& head_key, Transaction* transaction) {
  LAPSE_ASSIGN_OR_RETURN(std::optional<HeadRecord> head, transaction->FindHead(head_key));
  if (!head.has_value()) return Status::Ok();
  return RemoveIfDead(head_key, *head, transaction).status();
}

bool IsDead(const std::string& head_key, const HeadRecord& head, const Transaction& transaction) {
  return transaction.IsDead(head.lifetime) || transaction.ErasureOf(head_key, head.lifetime) != nullptr;
}

class Applying {
 public:
  Applying(Transaction* transaction, Lsn lsn) : transaction_(transaction), lsn_(lsn) {}

  Result<ItemWritten> Operation(const ItemWrite& write, const std::string& head_key) {
    LAPSE_ASSIGN_OR_RETURN(std::optional<HeadRecord> live, transaction_->FindHead(head_key));
    if (live.has_value() && IsDead(head_key, *live, *transaction_)) live.reset();
    LAPSE_RETURN_IF_ERROR(Judge(write, live.has_value() ? &*live : nullptr));

    ItemImage before;
    if (live.has_value()) {
      LAPSE_ASSIGN_OR_RETURN(before, transaction_->ImageBefore(head_key, *live, DocumentBeforeFor(write)));
    }
    ItemWritten written;
    written.created = !live.has_value();
    std::string_view document = write.document;
    std::optional<int32_t> own_ttl = write.own_ttl;
    if (write.kind == WriteKind::kPatch) {
      LAPSE_ASSIGN_OR_RETURN(
          PatchedDocument patched,
          PatchDocument(write.patch, transaction_->state().definition.partition_key, before.document));
      written.document = std::move(patched.document);
      document = written.document;
      own_ttl = patched.own_ttl;
    }
    LAPSE_RETURN_IF_ERROR(Count(document, before));
    if (write.kind == WriteKind::kDelete) {
      LAPSE_RETURN_IF_ERROR(RemoveItem(head_key, before, ItemChange::Kind::kDelete, lsn_, transaction_));
      written.meta = {.version = VersionOf(live->lifetime), .lsn = lsn_, .number = live->number};
    } else {
      const NewVersion version{.head_key = head_key,
                               .document = document,
                               .own_ttl = own_ttl,
                               .lsn = lsn_,
                               .replaces = live.has_value() ? &*live : nullptr};
      LAPSE_ASSIGN_OR_RETURN(const HeadRecord head, StoreVersion(version, before, transaction_));
      written.meta = {.version = VersionOf(head.lifetime), .lsn = lsn_, .number = head.number};
    }
    LAPSE_RETURN_IF_ERROR(transaction_->CheckBytes());
    written.milli_ru = WriteMilliRu(write.kind, written.created, document, transaction_->state());
    return written;
  }

 private:
  Status Count(std::string_view document, const ItemImage& before) {
    document_bytes_ += document.size();
    if (transaction_->state().keeps_changes()) document_bytes_ += before.document.size();
    if (document_bytes_ <= kAtomicWriteBytesMax) return Status::Ok();
    return {Code::kTooLarge, "the documents of one atomic write are more than it may hold"};
  }

  Transaction* const transaction_;
  const Lsn lsn_;
  size_t document_bytes_ = 0;
};

}  // namespace

DocumentBefore DocumentBeforeFor(const ItemWrite& operation) {
  return operation.kind == WriteKind::kPatch ? DocumentBefore::kAlways : DocumentBefore::kIfFollowed;
}

AtomicOutcome ApplyWrite(const std::vector<ItemWrite>& operations, Transaction* transaction) {
  Transaction::Savepoint before = transaction->savepoint();
  AtomicOutcome outcome;
  auto fail = [&](Status why, size_t at) {
    transaction->RollBackTo(std::move(before));
    outcome.status = std::move(why);
    outcome.failed_at = at;
    outcome.written.clear();
  };
  std::vector<std::string> head_keys;
  head_keys.reserve(operations.size());
  for (size_t i = 0; i < operations.size(); ++i) {
    head_keys.push_back(HeadKey(transaction->partition().container, operations[i].address));
    if (Status removed = RemoveDead(head_keys[i], transaction); !removed.ok()) {
      fail(std::move(removed), i);
      return outcome;
    }
  }
  Applying applying(transaction, transaction->TakeLsn());
  outcome.written.reserve(operations.size());
  for (size_t i = 0; i < operations.size(); ++i) {
    Result<ItemWritten> written = applying.Operation(operations[i], head_keys[i]);
    if (!written.ok()) {
      fail(written.status(), i);
      return outcome;
    }
    outcome.written.push_back(*std::move(written));
  }
  outcome.failed_at = operations.size();
  return outcome;
}

}  // namespace lapse::engine
