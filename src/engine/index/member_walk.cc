#include "engine/index/member_walk.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "engine/commit/partition.h"
#include "engine/families.h"
#include "engine/index/index_page.h"
#include "engine/items/item_keys.h"
#include "engine/key_bytes.h"

namespace lapse::engine {
namespace {

// So many are looked up at once.
constexpr size_t kBatch = 1024;

}  // namespace

MemberWalk::MemberWalk(const IndexReader& reader, const LogicalKey& key) {
  store::IterateOptions bounds;
  bounds.lower = MemberPrefix(reader.partition().id().container, key);
  bounds.upper = PrefixEnd(bounds.lower);
  bounds.snapshot = &reader.snapshot();
  members_ = reader.shard()->NewIterator(kMemberFamily, bounds);
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
    reader.shard()->MultiGet(kMemberFamily, views, &values, &statuses, {.snapshot = &reader.snapshot()});
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

}  // namespace lapse::engine
