#include "engine/request_units/prices.h"

#include <algorithm>

#include "doc/value.h"
#include "engine/request_units/indexed_paths.h"

namespace lapse::engine {
namespace {

constexpr size_t kKilobyte = 1024;
constexpr int64_t kIndexEntryMilliRu = 100;

constexpr int64_t kPageMilliRu = 1000;
constexpr int64_t kPageItemMilliRu = 50;
constexpr size_t kPageStep_bytes = 128;
constexpr int64_t kPageStepMilliRu = 10;

// Kilobytes begun after the first.
int64_t MoreKilobytes(size_t bytes) {
  return static_cast<int64_t>(std::max<size_t>(1, (bytes + kKilobyte - 1) / kKilobyte)) - 1;
}

// A line through the prices of 1 KB and of 100 KB, in whole hundredths of a request unit.
int64_t BySize(size_t bytes, int64_t first_kilobyte_ru, int64_t hundred_kilobytes_ru) {
  return first_kilobyte_ru * 1000 + MoreKilobytes(bytes) * (hundred_kilobytes_ru - first_kilobyte_ru) * 100 / 99 * 10;
}

}  // namespace

size_t PricedBytes(std::string_view document) {
  constexpr std::string_view kTtl = "ttl";
  constexpr size_t kAroundName_bytes = 2;  // the type before it, the zero after it
  if (document.empty()) return 0;          // there is none: after a delete, before a create
  doc::Value ttl = doc::Find(document, kTtl);
  return document.size() - (ttl.missing() ? 0 : kTtl.size() + kAroundName_bytes + ttl.raw().size());
}

int64_t PointReadMilliRu(size_t priced_bytes) {
  return BySize(priced_bytes, 1, 10);
}

int64_t WriteMilliRu(ItemWrite::Kind kind, bool created, std::string_view document, const IndexedPaths& indexed) {
  if (kind == ItemWrite::Kind::kDelete) return kDeleteMilliRu;
  // The entries of what was there go, those of the new content come.
  const int64_t turnover = created ? 1 : 2;
  return BySize(PricedBytes(document), 5, 50) + turnover * indexed.CountEntries(document) * kIndexEntryMilliRu;
}

int64_t PageItemMilliRu(size_t priced_bytes) {
  const size_t steps = (priced_bytes + kPageStep_bytes - 1) / kPageStep_bytes;
  return kPageItemMilliRu + static_cast<int64_t>(steps) * kPageStepMilliRu;
}

int64_t PageMilliRu(int64_t items_milli_ru, bool paid_elsewhere) {
  return (paid_elsewhere ? 0 : kPageMilliRu) + items_milli_ru;
}

}  // namespace lapse::engine
