#include "engine/partition/transaction/item_store.h"

#include <utility>

#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

PartitionId PlaceOf(const HeadRecord& head, const Transaction& transaction) {
  return {transaction.partition().container, head.partition};
}

// Removes the records that belong to this version alone.
void RemoveVersion(const HeadRecord& head, Transaction* transaction) {
  const PartitionId place = PlaceOf(head, *transaction);
  transaction->Delete(kBodyFamily, BodyKey(place, head.lifetime));
  if (auto queue_key = QueueKeyOf(place, head.lifetime)) transaction->Delete(kQueueFamily, *queue_key);
}

Result<ItemNumber> NewNumber(Transaction* transaction) {
  PartitionTally& tally = transaction->tally();
  if (tally.creations >= kCreationsMax) {
    return Status(Code::kForbidden, "the partition has given out all its item numbers");
  }
  return MakeItemNumber(transaction->partition().number, ++tally.creations);
}

void PutVersion(const HeadRecord& head, const NewVersion& version, Transaction* transaction) {
  const PartitionId place = PlaceOf(head, *transaction);
  std::string value;
  EncodeHead(head, &value);
  transaction->Put(kRecordFamily, RecordKey(place.container, head.number), value);
  transaction->Put(kHeadFamily, version.head_key, std::move(value));
  std::string body;
  EncodeBody({.lifetime = head.lifetime,
              .lsn = version.lsn,
              .number = head.number,
              .head_key = version.head_key,
              .document = version.document},
             &body);
  transaction->Put(kBodyFamily, BodyKey(place, head.lifetime), std::move(body));
  if (auto queue_key = QueueKeyOf(place, head.lifetime)) {
    std::string entry;
    EncodeQueueEntry({.lifetime = head.lifetime, .document_bytes = head.document_bytes, .head_key = version.head_key},
                     &entry);
    transaction->Put(kQueueFamily, *queue_key, std::move(entry));
  }
}

}  // namespace

Result<HeadRecord> StoreVersion(const NewVersion& version, const ItemImage& before, Transaction* transaction) {
  HeadRecord head;
  if (version.replaces != nullptr) {
    RemoveVersion(*version.replaces, transaction);
    head.number = version.replaces->number;
  } else {
    LAPSE_ASSIGN_OR_RETURN(head.number, NewNumber(transaction));
    transaction->Put(kMemberFamily, MemberKeyOf(version.head_key, head.number), EncodeMember());
  }
  head.lifetime.ts_s = transaction->now_ms() / 1000;
  head.lifetime.sequence = transaction->TakeSequence();
  head.lifetime.own_ttl = version.own_ttl;
  head.partition = transaction->partition().number;
  head.document_bytes = static_cast<uint32_t>(version.document.size());
  head.indexing = version.indexing;
  PutVersion(head, version, transaction);

  ItemChange change;
  change.kind = version.replaces != nullptr ? ItemChange::Kind::kReplace : ItemChange::Kind::kCreate;
  change.head_key = version.head_key;
  change.before = before;
  change.after = {.head = &head, .lsn = version.lsn, .document = version.document};
  change.sequence = head.lifetime.sequence;
  change.lsn = version.lsn;
  change.time_ms = transaction->now_ms();
  LAPSE_RETURN_IF_ERROR(transaction->Follow(change));
  return head;
}

Status RemoveItem(std::string_view head_key, const ItemImage& item, const Removal& removal, Transaction* transaction) {
  const HeadRecord& head = *item.head;
  RemoveVersion(head, transaction);
  transaction->Delete(kHeadFamily, head_key);
  transaction->Delete(kRecordFamily, RecordKey(transaction->partition().container, head.number));
  transaction->Delete(kMemberFamily, MemberKeyOf(head_key, head.number));

  ItemChange change;
  change.kind = removal.why;
  change.head_key = head_key;
  change.before = item;
  change.sequence = transaction->TakeSequence();
  change.lsn = removal.lsn;
  change.time_ms = removal.time_ms;
  change.before_log = removal.before_log;
  return transaction->Follow(change);
}

Status RemoveItem(std::string_view head_key, const ItemImage& item, ItemChange::Kind why, Lsn lsn,
                  Transaction* transaction) {
  const int64_t now_ms = transaction->now_ms();
  const bool expired = why == ItemChange::Kind::kExpiry;
  const int64_t time_ms = expired ? transaction->state().DiedAtMs(item.head->lifetime, now_ms) : now_ms;
  return RemoveItem(head_key, item, {.why = why, .lsn = lsn, .time_ms = time_ms}, transaction);
}

}  // namespace lapse::engine
