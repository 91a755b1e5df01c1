// The entries of one document, sorted and without duplicates. Each is the bytes of a path and of a value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/records/index/path_number.h"

namespace lapse::engine {

// Threads: one. Owns: the bytes, in one buffer.
class IndexEntries {
 public:
  // Begins an entry. The caller appends its value behind the path and then calls End.
  std::string* Begin(const PathNumber& path);
  void End();

  // To be called after the last entry.
  void Sort();

  size_t size() const { return entries_.size(); }
  size_t bytes() const { return buffer_.size(); }  // of all entries
  std::string_view operator[](size_t at) const {
    return std::string_view(buffer_).substr(entries_[at].offset, entries_[at].size);
  }
  // Only after Sort.
  bool Contains(std::string_view path_and_value) const;

 private:
  struct Entry {
    uint32_t offset = 0;
    uint32_t size = 0;
  };

  std::string buffer_;
  std::vector<Entry> entries_;
};

// Calls `only_before` and `only_after` with the entries that only one of two sorted sets has.
template <typename OnlyBefore, typename OnlyAfter>
void ForEachDifference(const IndexEntries& before, const IndexEntries& after, const OnlyBefore& only_before,
                       const OnlyAfter& only_after) {
  size_t b = 0;
  size_t a = 0;
  while (b < before.size() || a < after.size()) {
    int order = 0;
    if (b == before.size()) {
      order = 1;
    } else if (a == after.size()) {
      order = -1;
    } else {
      order = before[b].compare(after[a]);
    }
    if (order < 0) only_before(before[b]);
    if (order > 0) only_after(after[a]);
    if (order <= 0) ++b;
    if (order >= 0) ++a;
  }
}

}  // namespace lapse::engine
