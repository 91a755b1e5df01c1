#include "engine/partition/learned/key_sizes.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "engine/records/erasure/erased_keys.h"
#include "engine/records/ids/families.h"
#include "engine/records/ids/key_bytes.h"
#include "engine/records/items/item_keys.h"
#include "engine/records/items/item_records.h"
#include "engine/records/items/item_write.h"

namespace lapse::engine {
namespace {

// More than the documents of one commit can have: a group, plus one write of the maximum size.
constexpr int64_t kCommitBytesMax = 2 * static_cast<int64_t>(kAtomicWriteBytesMax);

// Counting begins when one part in this many of the limit is still free, so that the largest key is counted before it
// reaches the limit.
constexpr int64_t kFreePart = 8;

// On average, a key is tracked once per this fraction of the limit that it grows. So small keys cost next to nothing,
// and no key grows far unnoticed. With the small limits of tests, every write is enough.
constexpr int64_t kNoticedPart = 65'536;

// Heads walked before one commit, for each key and for each of its writes. They take a few milliseconds. The number per
// write is this large because the count must be faster than the growth.
constexpr int kHeadsForKey = 16'384;
constexpr int kHeadsForWrite = 64;

// At this many keys, the smaller half is evicted.
constexpr size_t kKeysMax = 4096;

std::string SizeText(int64_t bytes) {
  int64_t number = bytes;
  for (const char* unit : {" bytes", " KB", " MB", " GB"}) {
    if (number % 1024 != 0 || unit == std::string_view(" GB")) return std::to_string(number) + unit;
    number /= 1024;
  }
  return {};
}

}  // namespace

bool KeySizes::Concerns(int64_t stored_bytes) const {
  return bytes_max_ > 0 && stored_bytes + kCommitBytesMax > bytes_max_ - bytes_max_ / kFreePart;
}

// Splitmix64: pseudo-random, so that no pattern of writes goes unnoticed.
bool KeySizes::Chosen(size_t bytes) {
  const auto noticed = static_cast<uint64_t>(bytes_max_ / kNoticedPart);
  if (bytes >= noticed) return true;
  return random_.Next() % noticed < bytes;
}

void KeySizes::Expect(std::string_view prefix, size_t bytes, const PartitionTally& tally) {
  auto found = sizes_.find(prefix);
  if (found == sizes_.end()) {
    if (!Chosen(bytes)) return;
    if (sizes_.size() >= kKeysMax) MakeRoom();
    found = sizes_.emplace(std::string(prefix), Size{}).first;
    found->second.walk = Walk{.bytes = 0, .after = {}, .purged_bytes = tally.purged.total.bytes};
  }
  Size& size = found->second;
  if (size.heads_due == 0) {
    expected_.emplace_back(prefix);
    size.heads_due = kHeadsForKey;
  }
  size.heads_due += kHeadsForWrite;
  size.expected_bytes += bytes;
}

void KeySizes::CountExpected(store::Shard* shard, const PartitionTally& tally) {
  for (const std::string& prefix : expected_) {
    const auto found = sizes_.find(prefix);
    if (found == sizes_.end()) continue;
    Size& size = found->second;
    const int heads_due = std::exchange(size.heads_due, 0);
    const auto expected = static_cast<int64_t>(std::exchange(size.expected_bytes, 0));
    const int64_t purged = tally.purged.total.bytes;
    // The items purged since the last count may have been this key's.
    const bool may_be_less = size.bytes.has_value() && purged != size.purged_bytes;
    if (!size.walk.has_value() && may_be_less && *size.bytes + expected > bytes_max_) {
      size.walk = Walk{.bytes = 0, .after = {}, .purged_bytes = purged};
    }
    if (!size.walk.has_value()) continue;
    // A key that cannot be read is unknown. The write itself meets the error if it is affected.
    if (!Advance(prefix, heads_due, shard, tally, &size).ok()) sizes_.erase(found);
  }
  expected_.clear();
}

// Deleted and purged items leave only records, which are not charged to the key.
Status KeySizes::Advance(std::string_view prefix, int heads_max, store::Shard* shard, const PartitionTally& tally,
                         Size* size) {
  Walk& walk = *size->walk;
  store::IterateOptions bounds;
  bounds.lower = walk.after.empty() ? std::string(prefix) : walk.after + '\0';
  bounds.upper = PrefixEnd(prefix);
  bounds.fill_cache = false;
  const std::unique_ptr<store::Iterator> heads = shard->NewIterator(kHeadFamily, bounds);
  heads->SeekToFirst();
  for (; heads->Valid() && heads_max > 0; heads->Next(), --heads_max) {
    HeadRecord head;
    LAPSE_RETURN_IF_ERROR(DecodeHead(heads->value(), &head));
    walk.after = heads->key();
    if (tally.purged.floors.Covers(head.lifetime)) continue;
    if (tally.erased != nullptr && tally.erased->OfKey(prefix, head.lifetime) != nullptr) continue;
    walk.bytes += head.document_bytes;
  }
  LAPSE_RETURN_IF_ERROR(heads->status());
  if (heads->Valid()) return Status::Ok();
  size->bytes = walk.bytes;
  size->purged_bytes = walk.purged_bytes;
  size->walk.reset();
  return Status::Ok();
}

Status KeySizes::CheckGrowth(std::string_view prefix, int64_t grown_bytes) const {
  const auto found = sizes_.find(prefix);
  if (found == sizes_.end() || !found->second.bytes.has_value()) return Status::Ok();
  if (*found->second.bytes + grown_bytes <= bytes_max_) return Status::Ok();
  return {Code::kPartitionKeyFull, "Partition key reached maximum size of " + SizeText(bytes_max_)};
}

void KeySizes::Note(std::string_view head_key, int64_t grown_bytes) {
  const auto found = sizes_.find(LogicalPrefixOf(head_key));
  if (found == sizes_.end()) return;
  Size& size = found->second;
  if (size.bytes.has_value()) *size.bytes += grown_bytes;
  // Items ahead of the walk are counted when it gets there.
  if (size.walk.has_value() && head_key <= size.walk->after) size.walk->bytes += grown_bytes;
}

void KeySizes::Forget(std::string_view prefix) {
  const auto found = sizes_.find(prefix);
  if (found != sizes_.end()) sizes_.erase(found);
}

void KeySizes::MakeRoom() {
  auto bytes_of = [](const Size& size) { return size.bytes.value_or(size.walk.has_value() ? size.walk->bytes : 0); };
  std::vector<int64_t> all;
  all.reserve(sizes_.size());
  for (const auto& [prefix, size] : sizes_) all.push_back(bytes_of(size));
  const auto middle = all.begin() + static_cast<ptrdiff_t>(all.size() / 2);
  std::nth_element(all.begin(), middle, all.end());
  size_t left_over = all.size() / 2;  // many may have the same size
  std::erase_if(
      sizes_, [&](const auto& entry) { return left_over > 0 && bytes_of(entry.second) <= *middle && left_over-- > 0; });
}

}  // namespace lapse::engine
