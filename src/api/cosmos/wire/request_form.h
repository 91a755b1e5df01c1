// What a request will do. It is decided here alone, from the route, the verb and the headers: who may ask it and who
// serves it follow from this, so nothing is authorised as one thing and run as another.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "api/cosmos/wire/routes.h"
#include "base/status.h"
#include "net/http.h"

namespace lapse::api::cosmos {

enum class Form : uint8_t {
  kNone,  // the route has no such verb
  kRead,
  kList,
  kChangeFeed,
  kQuery,
  kPlan,  // how a query would be run
  kCreate,
  kUpsert,
  kReplace,
  kPatch,
  kDelete,
  kBatch,    // transactional or bulk
  kExecute,  // a stored procedure, or an operation on a container
};
constexpr size_t kForms = 13;

// For logs and tests: "change feed".
std::string_view FormName(Form form);

// A batch goes before a query, a query before an upsert: as they are served.
Form FormOf(RouteKind route, const net::Request& request);

// Whether a header says true; the case does not matter.
bool HeaderIsTrue(const net::Request& request, std::string_view name);
// For headers where a slip of the pen would do something else than was meant. Absent or without a value: false. Fails:
// kInvalidArgument for anything but true and false, in any case.
Result<bool> YesOrNo(const net::Request& request, std::string_view header);

}  // namespace lapse::api::cosmos
