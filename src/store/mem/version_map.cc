#include "store/mem/version_map.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace lapse::store {

void VersionMap::Put(std::string_view key, SharedValue value, Sequence sequence, Sequence oldest_reader) {
  auto at = map_.find(key);
  if (at == map_.end()) at = map_.emplace(std::string(key), Versions()).first;
  Set(&at->second, std::move(value), sequence);
  Trim(at, oldest_reader);
}

void VersionMap::DeleteRange(std::string_view begin, std::string_view end, Sequence sequence, Sequence oldest_reader) {
  auto at = map_.lower_bound(begin);
  while (at != map_.end() && at->first < end) {
    Set(&at->second, nullptr, sequence);
    at = Trim(at, oldest_reader);
  }
}

void VersionMap::TrimStale(Sequence oldest_reader) {
  if (stale_.empty() || oldest_reader == stale_since_) return;
  stale_since_ = oldest_reader;
  for (const std::string& key : std::exchange(stale_, {})) {
    if (auto at = map_.find(key); at != map_.end()) Trim(at, oldest_reader);
  }
}

SharedValue VersionMap::Get(std::string_view key, Sequence reader) const {
  auto at = map_.find(key);
  return at == map_.end() ? nullptr : Visible(at->second, reader);
}

VersionMap::Found VersionMap::Forward(std::string_view key, bool inclusive, std::string_view upper,
                                      Sequence reader) const {
  auto at = inclusive ? map_.lower_bound(key) : map_.upper_bound(key);
  for (; at != map_.end() && (upper.empty() || at->first < upper); ++at) {
    if (SharedValue value = Visible(at->second, reader)) return {&at->first, std::move(value)};
  }
  return {};
}

VersionMap::Found VersionMap::Backward(const std::string_view* key, bool inclusive, std::string_view lower,
                                       Sequence reader) const {
  auto after = key == nullptr ? map_.end() : inclusive ? map_.upper_bound(*key) : map_.lower_bound(*key);
  while (after != map_.begin()) {
    --after;
    if (after->first < lower) return {};
    if (SharedValue value = Visible(after->second, reader)) return {&after->first, std::move(value)};
  }
  return {};
}

void VersionMap::DropIf(std::string_view begin, std::string_view end, Sequence oldest_reader, const Drop& drop) {
  auto at = map_.lower_bound(begin);
  while (at != map_.end() && (end.empty() || at->first < end)) {
    Version& newest = at->second.back();
    if (newest.value != nullptr && drop(at->first, *newest.value)) newest.value = nullptr;
    at = Trim(at, oldest_reader);
  }
}

size_t VersionMap::key_and_value_bytes() const {
  size_t bytes = 0;
  for (const auto& [key, versions] : map_) {
    bytes += key.size();
    for (const Version& version : versions) bytes += version.value == nullptr ? 0 : version.value->size();
  }
  return bytes;
}

SharedValue VersionMap::Visible(const Versions& versions, Sequence reader) {
  for (auto version = versions.rbegin(); version != versions.rend(); ++version) {
    if (version->sequence <= reader) return version->value;
  }
  return nullptr;
}

void VersionMap::Set(Versions* versions, SharedValue value, Sequence sequence) {
  // If one batch writes a key twice, only the later write is ever visible.
  if (!versions->empty() && versions->back().sequence == sequence) {
    versions->back().value = std::move(value);
  } else {
    versions->push_back({sequence, std::move(value)});
  }
}

VersionMap::Map::iterator VersionMap::Trim(Map::iterator at, Sequence oldest_reader) {
  Versions& versions = at->second;
  auto after_oldest = std::find_if(versions.begin(), versions.end(),
                                   [&](const Version& version) { return version.sequence > oldest_reader; });
  // The oldest reader sees the version just before `after_oldest`. No reader sees the versions before that one.
  if (after_oldest - versions.begin() > 1) versions.erase(versions.begin(), std::prev(after_oldest));
  // A deletion without an older version hides nothing.
  if (versions.front().value == nullptr && versions.front().sequence <= oldest_reader) versions.erase(versions.begin());
  if (versions.empty()) return map_.erase(at);
  if (versions.size() > 1 || versions.front().value == nullptr) stale_.push_back(at->first);
  return std::next(at);
}

}  // namespace lapse::store
