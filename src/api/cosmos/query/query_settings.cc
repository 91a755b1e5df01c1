#include "api/cosmos/query/query_settings.h"

#include <cstddef>
#include <cstdint>

namespace lapse::api::cosmos {
namespace {

// What one query may hold: the rows of a page and what their expressions make.
constexpr size_t kQueryMemoryMax = size_t{64} << 20;

constexpr int64_t kTicksPerMs = 10'000;

}  // namespace

query::EvalSettings QuerySettings(const Call& call) {
  query::EvalSettings settings;
  settings.memory_bytes_max = kQueryMemoryMax;
  settings.now_ticks = call.context().engine->clock().NowMs() * kTicksPerMs;
  settings.seed = static_cast<uint64_t>(call.context().steady->NowNs());
  return settings;
}

}  // namespace lapse::api::cosmos
