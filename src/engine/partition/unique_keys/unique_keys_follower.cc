#include "engine/partition/unique_keys/unique_keys_follower.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/partition/transaction/transaction.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/unique_keys/unique_entry.h"
#include "engine/records/unique_keys/unique_values.h"
#include "store/shard.h"

namespace lapse::engine {
namespace {

// Maximum number of dead but unpurged holders in an entry. They stay because a clock reset may revive them, but an
// entry must not grow without bound when sweeps are late.
constexpr size_t kDeadHoldersMax = 16;

using Key = UniqueKeysDefinition::Key;

// Returns no holders if there is no entry.
Result<std::vector<ItemNumber>> HoldersIn(const std::string& entry_key, Transaction* transaction) {
  std::vector<ItemNumber> holders;
  store::PinnedValue value;
  const Status found = transaction->Get(kUniqueFamily, entry_key, &value);
  if (found.code() == Code::kNotFound) return holders;
  LAPSE_RETURN_IF_ERROR(found);
  LAPSE_RETURN_IF_ERROR(DecodeUniqueEntry(value.view(), &holders));
  return holders;
}

enum class Standing : uint8_t {
  kGone,  // for good
  kDead,
  kLives,
};

// Decides by the holder's own record, never by the entry. Also checks whether its whole partition key was deleted,
// which is the entry's key, too. Fills in the record unless the holder is gone.
Result<Standing> StandingOf(ItemNumber holder, std::string_view entry_key, Transaction* transaction,
                            HeadRecord* record) {
  store::PinnedValue value;
  const Status found = transaction->Get(kRecordFamily, RecordKey(transaction->partition().container, holder), &value);
  if (found.code() == Code::kNotFound) return Standing::kGone;
  LAPSE_RETURN_IF_ERROR(found);
  LAPSE_RETURN_IF_ERROR(DecodeHead(value.view(), record));
  if (transaction->IsPurged(record->lifetime)) return Standing::kGone;
  if (transaction->ErasureOf(entry_key, record->lifetime) != nullptr) return Standing::kGone;
  return transaction->IsDead(record->lifetime) ? Standing::kDead : Standing::kLives;
}

Result<bool> HasTheseValues(const HeadRecord& holder, const Key& key, std::string_view document,
                            Transaction* transaction) {
  store::PinnedValue value;
  LAPSE_RETURN_IF_ERROR(transaction->Get(
      kBodyFamily, BodyKey({transaction->partition().container, holder.partition}, holder.lifetime), &value));
  BodyRecord body;
  LAPSE_RETURN_IF_ERROR(DecodeBody(value.view(), &body));
  return HaveEqualValues(key, body.document, document);
}

Status AddHolder(const std::string& entry_key, const Key& key, ItemNumber item, std::string_view document,
                 Transaction* transaction) {
  LAPSE_ASSIGN_OR_RETURN(const std::vector<ItemNumber> holders, HoldersIn(entry_key, transaction));
  std::vector<ItemNumber> kept;
  size_t dead = 0;
  for (ItemNumber holder : holders) {
    if (holder == item) continue;
    HeadRecord record;
    LAPSE_ASSIGN_OR_RETURN(const Standing standing, StandingOf(holder, entry_key, transaction, &record));
    if (standing == Standing::kGone) continue;
    if (standing == Standing::kDead && ++dead > kDeadHoldersMax) continue;
    if (standing == Standing::kLives) {
      LAPSE_ASSIGN_OR_RETURN(const bool taken, HasTheseValues(record, key, document, transaction));
      if (taken) return {Code::kUniqueKeyTaken, "another item has the values of a unique key"};
    }
    kept.push_back(holder);
  }
  kept.push_back(item);
  transaction->Put(kUniqueFamily, entry_key, EncodeUniqueEntry(kept));
  return Status::Ok();
}

Status RemoveHolder(const std::string& entry_key, ItemNumber item, Transaction* transaction) {
  LAPSE_ASSIGN_OR_RETURN(std::vector<ItemNumber> holders, HoldersIn(entry_key, transaction));
  if (std::erase(holders, item) == 0) return Status::Ok();
  if (holders.empty()) {
    transaction->Delete(kUniqueFamily, entry_key);
  } else {
    transaction->Put(kUniqueFamily, entry_key, EncodeUniqueEntry(holders));
  }
  return Status::Ok();
}

}  // namespace

// Errors are ignored: the commit reads the entries again and reports them.
void UniqueKeysFollower::Preload(const ContainerState& state, std::string_view head_key, std::string_view document,
                                 Transaction* transaction) const {
  const std::vector<Key>& keys = state.definition.unique_keys.keys;
  for (size_t i = 0; i < keys.size(); ++i) {
    const std::string entry_key = UniqueEntryKey(head_key, i, HashUniqueValues(keys[i], document));
    transaction->Preload(kUniqueFamily, entry_key);
    const Result<std::vector<ItemNumber>> holders = HoldersIn(entry_key, transaction);
    if (!holders.ok()) continue;
    for (ItemNumber holder : *holders) {
      transaction->Preload(kRecordFamily, RecordKey(transaction->partition().container, holder));
    }
  }
}

Status UniqueKeysFollower::Follow(const ItemChange& change, Transaction* transaction) const {
  const std::vector<Key>& keys = transaction->state().definition.unique_keys.keys;
  for (size_t i = 0; i < keys.size(); ++i) {
    const HeadRecord* before = change.before.head;
    const HeadRecord* after = change.after.head;
    if (before != nullptr && after != nullptr &&
        HaveEqualValues(keys[i], change.before.document, change.after.document)) {
      continue;
    }
    if (before != nullptr) {
      const UniqueHash hash = HashUniqueValues(keys[i], change.before.document);
      LAPSE_RETURN_IF_ERROR(RemoveHolder(UniqueEntryKey(change.head_key, i, hash), before->number, transaction));
    }
    if (after != nullptr) {
      const UniqueHash hash = HashUniqueValues(keys[i], change.after.document);
      LAPSE_RETURN_IF_ERROR(AddHolder(UniqueEntryKey(change.head_key, i, hash), keys[i], after->number,
                                      change.after.document, transaction));
    }
  }
  return Status::Ok();
}

}  // namespace lapse::engine
