#include "doc/duplicate_names.h"

#include <algorithm>

namespace lapse::doc {
namespace {

// Up to this size comparing every pair is faster than sorting. Beyond it, sorts rather than hashes, because no choice
// of names makes sorting slow.
constexpr size_t kPairwiseMax = 16;
// Capacity kept for the next document.
constexpr size_t kRetainedNamesMax = 4096;

using Iterator = std::vector<std::string_view>::iterator;

Iterator FindPairwise(Iterator begin, Iterator end) {
  for (Iterator at = begin; at != end; ++at) {
    if (std::find(begin, at, *at) != at) return at;
  }
  return end;
}

Iterator FindSorted(Iterator begin, Iterator end) {
  std::sort(begin, end);
  return std::adjacent_find(begin, end);
}

}  // namespace

bool DuplicateNames::Close(size_t mark, std::string_view* name) {
  Iterator begin = names_.begin() + static_cast<std::ptrdiff_t>(mark);
  Iterator end = names_.end();
  Iterator found = names_.size() - mark <= kPairwiseMax ? FindPairwise(begin, end) : FindSorted(begin, end);
  bool twice = found != end;
  if (twice) *name = *found;
  names_.resize(mark);
  return twice;
}

void DuplicateNames::Clear() {
  names_.clear();
  if (names_.capacity() > kRetainedNamesMax) names_ = {};
}

}  // namespace lapse::doc
