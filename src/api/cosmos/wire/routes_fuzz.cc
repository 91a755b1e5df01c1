// Checks that any path is either a route or none. Taken as rids, it must name no resource by name, and must sign a
// lower-case text.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "api/cosmos/partition_key/go_escapes.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/routes.h"

namespace lapse::api::cosmos {
namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

void Check(std::string_view bytes) {
  Route route;
  route.Parse(bytes);
  if (route.kind() == RouteKind::kUnknown) Require(!route.may_be_rids());
  if (route.may_be_rids()) {
    route.TakeAsRids();
    Require(route.database().empty() && route.container().empty() && route.item().empty() && route.user().empty());
    for (char c : route.resource_link()) Require(c < 'A' || c > 'Z');
  }
  if (const std::optional<Rid> rid = ParseRid(bytes)) Require(rid->database != 0);
  GoEscapesAsJson(bytes);
}

}  // namespace
}  // namespace lapse::api::cosmos

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  lapse::api::cosmos::Check({reinterpret_cast<const char*>(data), size});
  return 0;
}
