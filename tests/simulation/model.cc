#include "tests/simulation/model.h"

namespace lapse::simulation {

const ModelItem* ModelContainer::Find(const ModelKey& key) const {
  auto found = items_.find(key);
  return found == items_.end() ? nullptr : &found->second;
}

// The table of the TTL rules, row by row.
bool ModelContainer::Expired(const ModelItem& item, int64_t now_s) const {
  if (!default_ttl_.has_value()) return false;
  if (item.own_ttl.has_value()) {
    if (*item.own_ttl == -1) return false;
    return item.ts_s + int64_t{*item.own_ttl} <= now_s;
  }
  if (*default_ttl_ == -1) return false;
  return item.ts_s + int64_t{*default_ttl_} <= now_s;
}

void ModelContainer::MoveTimeTo(int64_t now_s) {
  std::erase_if(items_, [&](const auto& entry) { return Expired(entry.second, now_s); });
}

void ModelContainer::SetDefaultTtl(std::optional<int32_t> default_ttl, int64_t now_s) {
  MoveTimeTo(now_s);
  default_ttl_ = default_ttl;
  MoveTimeTo(now_s);
}

}  // namespace lapse::simulation
