#include "api/cosmos/query/query_settings.h"

#include <cstddef>
#include <cstdint>

namespace lapse::api::cosmos {
namespace {

// The memory limit of one query: the rows of a page and what their expressions make.
constexpr size_t kQueryMemoryMax = size_t{64} << 20;

}  // namespace

query::EvalSettings QuerySettings(const Call& call) {
  query::EvalSettings settings;
  settings.memory_bytes_max = kQueryMemoryMax;
  settings.pool = call.context().query_memory.get();
  settings.seed = static_cast<uint64_t>(call.context().steady->NowNs());
  return settings;
}

}  // namespace lapse::api::cosmos
