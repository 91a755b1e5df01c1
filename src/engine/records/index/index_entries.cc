#include "engine/records/index/index_entries.h"

#include <algorithm>

namespace lapse::engine {

// Enough for most documents.
constexpr size_t kUsualEntries = 32;
constexpr size_t kUsualBytes = 1024;

std::string* IndexEntries::Begin(const PathNumber& path) {
  if (entries_.empty()) {
    entries_.reserve(kUsualEntries);
    buffer_.reserve(kUsualBytes);
  }
  entries_.push_back({static_cast<uint32_t>(buffer_.size()), 0});
  buffer_.append(BytesOf(path));
  return &buffer_;
}

void IndexEntries::End() {
  entries_.back().size = static_cast<uint32_t>(buffer_.size()) - entries_.back().offset;
}

void IndexEntries::Sort() {
  const std::string_view buffer = buffer_;
  auto bytes = [buffer](const Entry& entry) { return buffer.substr(entry.offset, entry.size); };
  std::sort(entries_.begin(), entries_.end(), [&](const Entry& a, const Entry& b) { return bytes(a) < bytes(b); });
  const auto end = std::unique(entries_.begin(), entries_.end(),
                               [&](const Entry& a, const Entry& b) { return bytes(a) == bytes(b); });
  entries_.erase(end, entries_.end());
}

bool IndexEntries::Contains(std::string_view path_and_value) const {
  const std::string_view buffer = buffer_;
  const auto found = std::lower_bound(
      entries_.begin(), entries_.end(), path_and_value,
      [&](const Entry& entry, std::string_view key) { return buffer.substr(entry.offset, entry.size) < key; });
  return found != entries_.end() && buffer.substr(found->offset, found->size) == path_and_value;
}

}  // namespace lapse::engine
