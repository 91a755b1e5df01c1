// Treats arbitrary bytes as the position of a page. A position that is accepted must survive re-encoding. Aggregates
// must accept or refuse the state of an unfinished page, however a client forged it.
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "engine/records/items/feed_position.h"
#include "query/exec/paging/scan_state.h"
#include "query/exec/positions/page_position.h"
#include "query/functions/aggregates.h"
#include "query/values/arena.h"
#include "query/values/compare.h"

namespace {

using namespace lapse::query;
using namespace lapse::query::exec;

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckPartials(const std::vector<Value>& partials) {
  using namespace lapse::query::functions;
  Arena arena(size_t{16} << 20);
  const AggregateMemory memory{&arena, 7};
  for (const Aggregate* aggregate : {&kCount, &kCountIf, &kSum, &kAverage, &kMin, &kMax, &kMakeList, &kMakeSet}) {
    char* const state = arena.Allocate(aggregate->state_bytes);
    if (state == nullptr) return;
    aggregate->begin(memory, state);
    for (const Value& partial : partials) {
      if (!aggregate->merge(memory, state, partial)) continue;
      aggregate->result(memory, state);
      // The state after the merge is a partial, too.
      char* const other = arena.Allocate(aggregate->state_bytes);
      if (other == nullptr) return;
      aggregate->begin(memory, other);
      const Value again = aggregate->partial(memory, state);
      if (arena.exhausted()) return;
      Require(aggregate->merge(memory, other, again));
    }
  }
}

void CheckSeen(std::string_view bytes) {
  for (const size_t keys : {1, 2, 3}) {
    const lapse::Result<ScanState> seen = DecodeScanState(bytes, keys);
    if (!seen.ok()) continue;
    if (seen->kind == ScanStateKind::kGroups) {
      CheckPartials(seen->groups);
    } else {
      Require(DecodeScanState(EncodeRows(seen->rows), keys).ok());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  CheckSeen(bytes);
  if (const auto feed = lapse::engine::FeedPosition::Decode(bytes); feed.ok()) Require(feed->Encode() == bytes);
  const lapse::Result<PagePosition> position = PagePosition::Decode(bytes);
  if (!position.ok()) return 0;
  const std::string again = position->Encode();
  const lapse::Result<PagePosition> twice = PagePosition::Decode(again);
  Require(twice.ok() && twice->Encode() == again && twice->keys.size() == position->keys.size());
  for (size_t i = 0; i < twice->keys.size(); ++i) Require(SameValue(twice->keys[i], position->keys[i]));
  CheckSeen(position->scan.seen);
  return 0;
}
