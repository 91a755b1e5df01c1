#include "tests/simulation/model.h"

#include "tests/simulation/difference.h"

namespace lapse::simulation {

const ModelItem* ModelContainer::Find(const ModelKey& key) const {
  auto found = items_.find(key);
  return found == items_.end() ? nullptr : &found->second;
}

bool ModelContainer::IsTaken(const ModelKey& key, const std::string& document) const {
  for (const auto& [other, item] : items_) {
    if (other.first != key.first || other == key) continue;
    for (const UniqueValues& values : unique_) {
      if (values(item.document) == values(document)) return true;
    }
  }
  return false;
}

// The table of the TTL rules, row by row.
bool ModelContainer::IsExpired(const ModelItem& item, std::optional<int32_t> default_ttl, int64_t now_s) {
  if (!default_ttl.has_value()) return false;
  if (item.own_ttl.has_value()) {
    if (*item.own_ttl == -1) return false;
    return item.ts_s + int64_t{*item.own_ttl} <= now_s;
  }
  if (*default_ttl == -1) return false;
  return item.ts_s + int64_t{*default_ttl} <= now_s;
}

void ModelContainer::MoveTimeTo(int64_t now_s) {
  std::erase_if(items_, [&](const auto& entry) { return IsExpired(entry.second, default_ttl_, now_s); });
}

engine::Count ModelContainer::CountIf(const std::function<bool(const ModelItem&)>& chosen) const {
  engine::Count count;
  for (const auto& [key, item] : items_) {
    if (chosen(item)) count += {1, static_cast<int64_t>(item.document.size())};
  }
  return count;
}

void ModelContainer::Numbers::NoteCreated(engine::PartitionNumber partition, engine::ItemNumber number) {
  const bool right = engine::PartitionOf(number) == partition &&
                     (!creations.has_value() || engine::CreationOf(number) == *creations + 1);
  if (!right) Fail("an item was created under a number that is not the next one");
  creations = engine::CreationOf(number);
}

void ModelContainer::SetDefaultTtl(std::optional<int32_t> default_ttl, int64_t now_s) {
  MoveTimeTo(now_s);
  default_ttl_ = default_ttl;
  MoveTimeTo(now_s);
}

}  // namespace lapse::simulation
