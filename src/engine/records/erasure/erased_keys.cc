#include "engine/records/erasure/erased_keys.h"

#include <algorithm>
#include <utility>

#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

using ErasurePtr = std::shared_ptr<const Erasure>;

// Returns the first erasure of the key at or behind this sequence, or else of a later key.
auto FirstFrom(const std::vector<ErasurePtr>& erasures, std::string_view prefix, Sequence sequence) {
  return std::partition_point(erasures.begin(), erasures.end(), [&](const ErasurePtr& one) {
    const int order = std::string_view(one->prefix).compare(prefix);
    return order < 0 || (order == 0 && one->sequence < sequence);
  });
}

auto FirstBehind(const std::vector<ErasurePtr>& erasures, std::string_view prefix) {
  return std::partition_point(erasures.begin(), erasures.end(),
                              [&](const ErasurePtr& one) { return std::string_view(one->prefix) <= prefix; });
}

}  // namespace

Sequence ErasedKeys::UpTo(std::string_view prefix) const {
  const auto behind = FirstBehind(erasures_, prefix);
  if (behind == erasures_.begin() || (*std::prev(behind))->prefix != prefix) return 0;
  return (*std::prev(behind))->sequence;
}

const Erasure* ErasedKeys::Of(std::string_view head_key, const ttl::Lifetime& lifetime) const {
  return OfKey(LogicalPrefixOf(head_key), lifetime);
}

const Erasure* ErasedKeys::OfKey(std::string_view prefix, const ttl::Lifetime& lifetime) const {
  const auto found = FirstFrom(erasures_, prefix, lifetime.sequence);
  return found != erasures_.end() && (*found)->prefix == prefix ? found->get() : nullptr;
}

bool ErasedKeys::Erased(std::string_view head_key, const ttl::Lifetime& lifetime) const {
  return lifetime.sequence <= UpTo(LogicalPrefixOf(head_key));
}

std::span<const ErasurePtr> ErasedKeys::OfKey(std::string_view prefix) const {
  return {FirstFrom(erasures_, prefix, 0), FirstBehind(erasures_, prefix)};
}

std::string_view ErasedKeys::FirstKey() const {
  return erasures_.empty() ? std::string_view() : std::string_view(erasures_.front()->prefix);
}

std::string_view ErasedKeys::KeyBehind(std::string_view prefix) const {
  const auto behind = FirstBehind(erasures_, prefix);
  return behind == erasures_.end() ? std::string_view() : std::string_view((*behind)->prefix);
}

ErasedKeysPtr ErasedKeys::FromSorted(std::vector<ErasurePtr> sorted) {
  if (sorted.empty()) return nullptr;
  auto keys = std::make_shared<ErasedKeys>();
  keys->erasures_ = std::move(sorted);
  return keys;
}

ErasedKeysPtr ErasedKeys::With(const ErasedKeysPtr& keys, Erasure erasure) {
  auto with = keys == nullptr ? std::make_shared<ErasedKeys>() : std::make_shared<ErasedKeys>(*keys);
  const auto place = FirstFrom(with->erasures_, erasure.prefix, erasure.sequence);
  with->erasures_.insert(place, std::make_shared<const Erasure>(std::move(erasure)));
  return with;
}

ErasedKeysPtr ErasedKeys::Without(const ErasedKeysPtr& keys, std::string_view prefix, Sequence up_to) {
  if (keys == nullptr) return nullptr;
  auto without = std::make_shared<ErasedKeys>(*keys);
  std::erase_if(without->erasures_,
                [&](const ErasurePtr& one) { return one->prefix == prefix && one->sequence <= up_to; });
  if (without->erasures_.empty()) return nullptr;
  return without;
}

}  // namespace lapse::engine
