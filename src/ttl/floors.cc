#include "ttl/floors.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace lapse::ttl {
namespace {

constexpr uint8_t kFloorsVersion = 1;
constexpr size_t kEntryBytes = sizeof(RuleId) + sizeof(int64_t) + sizeof(uint64_t);

// Returns the first entry at or after (rule, base).
auto Find(const std::vector<Floors::Entry>& entries, RuleId rule, int64_t base_ms) {
  return std::lower_bound(entries.begin(), entries.end(), std::pair(rule, base_ms),
                          [](const Floors::Entry& entry, const std::pair<RuleId, int64_t>& key) {
                            return std::pair(entry.rule, entry.floor.base_ms) < key;
                          });
}

// Whether `next` may follow `entry`, which is so if neither covers the other.
bool InOrder(const Floors::Entry& entry, const Floors::Entry& next) {
  if (entry.rule != next.rule) return entry.rule < next.rule;
  return entry.floor.base_ms < next.floor.base_ms && entry.floor.sequence > next.floor.sequence;
}

}  // namespace

void Floors::Raise(RuleId rule, Floor floor) {
  if (Covers(rule, floor.base_ms, floor.sequence)) return;
  std::erase_if(entries_, [&](const Entry& entry) {
    return entry.rule == rule && entry.floor.base_ms <= floor.base_ms && entry.floor.sequence <= floor.sequence;
  });
  entries_.insert(Find(entries_, rule, floor.base_ms), Entry{rule, floor});
}

bool Floors::Covers(RuleId rule, int64_t base_ms, uint64_t sequence) const {
  // Among the entries with a base high enough, the lowest has the highest sequence number. If it does not cover the
  // record, none does.
  auto entry = Find(entries_, rule, base_ms);
  return entry != entries_.end() && entry->rule == rule && sequence <= entry->floor.sequence;
}

bool Floors::Covers(const Lifetime& lifetime) const {
  if (entries_.empty()) return false;
  if (auto rule = lifetime.ServerRule(); rule && Covers(*rule, lifetime.ServerBaseMs(), lifetime.sequence)) return true;
  return std::any_of(lifetime.dates.begin(), lifetime.dates.end(), [&](const Lifetime::DateBase& date) {
    return Covers(date.rule, date.base_ms, lifetime.sequence);
  });
}

bool Floors::CoverAll(const Floors& other) const {
  return std::all_of(other.entries_.begin(), other.entries_.end(), [this](const Entry& entry) {
    return Covers(entry.rule, entry.floor.base_ms, entry.floor.sequence);
  });
}

void Floors::Encode(std::string* out) const {
  PutLittleEndian(out, kFloorsVersion);
  PutLittleEndian(out, static_cast<uint32_t>(entries_.size()));
  for (const Entry& entry : entries_) {
    PutLittleEndian(out, entry.rule);
    PutLittleEndian(out, entry.floor.base_ms);
    PutLittleEndian(out, entry.floor.sequence);
  }
}

bool Floors::Decode(std::string_view* bytes, Floors* floors) {
  ByteReader reader(*bytes);
  if (reader.Byte() != kFloorsVersion) return false;
  uint32_t count = reader.LittleEndian<uint32_t>();
  if (!reader.ok() || reader.rest().size() / kEntryBytes < count) return false;

  std::vector<Entry> entries;
  entries.reserve(count);
  for (uint32_t i = 0; i < count; ++i) {
    Entry entry{};
    entry.rule = reader.LittleEndian<RuleId>();
    entry.floor.base_ms = reader.LittleEndian<int64_t>();
    entry.floor.sequence = reader.LittleEndian<uint64_t>();
    if (!entries.empty() && !InOrder(entries.back(), entry)) return false;
    entries.push_back(entry);
  }
  floors->entries_ = std::move(entries);
  *bytes = reader.rest();
  return true;
}

}  // namespace lapse::ttl
