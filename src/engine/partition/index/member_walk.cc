#include "engine/partition/index/member_walk.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "engine/partition/index/index_reader.h"
#include "engine/records/ids/families.h"
#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

// Members looked up at once.
constexpr size_t kBatch = 1024;

}  // namespace

MemberWalk::MemberWalk(const IndexReader& reader, const KeyScope& scope) {
  KeyBounds members = MemberBoundsOf(reader.partition().id().container, scope, reader.partition().range());
  store::IterateOptions bounds;
  bounds.lower = std::move(members.lower);
  bounds.upper = std::move(members.upper);
  bounds.snapshot = &reader.snapshot();
  members_ = reader.store()->NewIterator(kMemberFamily, bounds);
  members_->SeekToFirst();
}

Status KeepMembers(const IndexReader& reader, const LogicalKey& key, std::vector<ItemNumber>* items) {
  std::vector<store::PinnedValue> values;
  std::vector<Status> statuses;
  std::vector<ItemNumber> kept;
  for (size_t from = 0; from < items->size(); from += kBatch) {
    const auto batch = std::span(*items).subspan(from, std::min(kBatch, items->size() - from));
    std::vector<std::string> keys;
    keys.reserve(batch.size());
    for (ItemNumber item : batch) keys.push_back(MemberKey(reader.partition().id().container, key, item));
    const std::vector<std::string_view> views(keys.begin(), keys.end());
    reader.store()->MultiGet(kMemberFamily, views, &values, &statuses, {.snapshot = &reader.snapshot()});
    for (size_t i = 0; i < batch.size(); ++i) {
      if (statuses[i].ok()) {
        kept.push_back(batch[i]);
      } else if (statuses[i].code() != Code::kNotFound) {
        return statuses[i];
      }
    }
  }
  *items = std::move(kept);
  return Status::Ok();
}

bool IsBefore(const KeyedItem& one, const KeyedItem& other) {
  // The sort order of member keys: no effective key and no value of a container is a prefix of another one.
  return std::tie(one.key.epk, one.key.value, one.item) < std::tie(other.key.epk, other.key.value, other.item);
}

Result<std::vector<KeyedItem>> FindInScope(IndexReader* reader, const KeyScope& scope,
                                           std::span<const ItemNumber> items) {
  std::vector<KeyedItem> found;
  std::vector<std::optional<HeadRecord>> live;
  for (size_t from = 0; from < items.size(); from += kBatch) {
    LAPSE_RETURN_IF_ERROR(reader->FindLive(items.subspan(from, std::min(kBatch, items.size() - from)), &live));
    std::vector<HeadRecord> records;
    for (const std::optional<HeadRecord>& head : live) {
      if (head.has_value()) records.push_back(*head);
    }
    bool malformed = false;
    const auto take = [&](ItemNumber item, std::string_view head_key) {
      HeadKeyParts parts;
      malformed |= !SplitHeadKey(head_key, &parts);
      if (malformed || !scope.Contains(parts.epk, parts.value)) return;
      found.push_back({{std::move(parts.epk), std::string(parts.value)}, item});
    };
    LAPSE_RETURN_IF_ERROR(reader->ReadKeys(records, take));
    if (malformed) return Status(Code::kCorruption, "malformed key of an item");
  }
  std::sort(found.begin(), found.end(), IsBefore);
  return found;
}

}  // namespace lapse::engine
