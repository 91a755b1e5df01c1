#include "engine/records/prices/prices.h"

#include <algorithm>

#include "doc/value.h"
#include "engine/records/definitions/container_state.h"

namespace lapse::engine {
namespace {

constexpr size_t kKilobyte = 1024;
constexpr int64_t kIndexEntryMilliRu = 100;

constexpr int64_t kPageMilliRu = 1000;
constexpr int64_t kPageItemMilliRu = 50;
constexpr size_t kPageStep_bytes = 128;
constexpr int64_t kPageStepMilliRu = 10;

// Started kilobytes after the first.
int64_t MoreKilobytes(size_t bytes) {
  return static_cast<int64_t>(std::max<size_t>(1, (bytes + kKilobyte - 1) / kKilobyte)) - 1;
}

// Interpolates linearly between the prices of 1 KB and 100 KB, in whole hundredths of a request unit.
int64_t BySize(size_t bytes, int64_t first_kilobyte_ru, int64_t hundred_kilobytes_ru) {
  return first_kilobyte_ru * 1000 + MoreKilobytes(bytes) * (hundred_kilobytes_ru - first_kilobyte_ru) * 100 / 99 * 10;
}

constexpr size_t kAroundName_bytes = 2;  // the type before it, the zero after it
constexpr size_t kNumber_bytes = 8;      // the longest

// Returns a size with as many price steps as PricedBytes, but not always as many bytes. Finding the property costs a
// scan about as much as its filter does, so it is looked up only if it can change the number of steps.
size_t PricedBytesByStep(std::string_view document, std::string_view left_out, size_t step) {
  const size_t property_bytes = left_out.size() + kAroundName_bytes + kNumber_bytes;
  const size_t beyond_step = (document.size() + step - 1) % step + 1;
  return beyond_step > property_bytes ? document.size() : PricedBytes(document, left_out);
}

}  // namespace

size_t PricedBytes(std::string_view document, std::string_view left_out) {
  if (document.empty()) return 0;  // no document: after a delete, before a create
  if (left_out.empty()) return document.size();
  doc::Value value = doc::Find(document, left_out);
  return document.size() - (value.IsNumber() ? left_out.size() + kAroundName_bytes + value.raw().size() : 0);
}

int64_t RefusedMilliRu(Code code) {
  switch (code) {
    case Code::kThrottled:
    case Code::kNoSpace:
    case Code::kUnavailable:
    case Code::kWouldBlock:
    case Code::kUnknownOutcome:
    case Code::kCorruption:
    case Code::kInternal: return 0;
    default: return kRefusedMilliRu;
  }
}

int64_t PointReadMilliRu(size_t priced_bytes) {
  return BySize(priced_bytes, 1, 10);
}

int64_t PointReadMilliRu(std::string_view document, std::string_view left_out) {
  return PointReadMilliRu(PricedBytesByStep(document, left_out, kKilobyte));
}

int64_t WriteMilliRu(WriteKind kind, bool created, std::string_view document, const ContainerState& state) {
  if (kind == WriteKind::kDelete) return kDeleteMilliRu;
  // The entries of the old content are removed, and those of the new content are added.
  const int64_t turnover = created ? 1 : 2;
  return BySize(PricedBytesByStep(document, state.definition.lifetime_property, kKilobyte), 5, 50) +
         turnover * state.indexed->CountEntries(document) * kIndexEntryMilliRu;
}

int64_t LeastMilliRu(const ItemWrite& write, const ContainerState& state) {
  if (write.kind == WriteKind::kRead || !write.refusal.ok()) return kRefusedMilliRu;
  if (write.kind == WriteKind::kPatch) return BySize(0, 5, 50);
  return WriteMilliRu(write.kind, write.kind != WriteKind::kReplace, write.document, state);
}

int64_t PageItemMilliRu(size_t priced_bytes) {
  const size_t steps = (priced_bytes + kPageStep_bytes - 1) / kPageStep_bytes;
  return kPageItemMilliRu + static_cast<int64_t>(steps) * kPageStepMilliRu;
}

int64_t PageItemMilliRu(std::string_view document, std::string_view left_out) {
  return PageItemMilliRu(PricedBytesByStep(document, left_out, kPageStep_bytes));
}

int64_t PageMilliRu(int64_t items_milli_ru, bool paid_elsewhere) {
  return (paid_elsewhere ? 0 : kPageMilliRu) + items_milli_ru;
}

}  // namespace lapse::engine
