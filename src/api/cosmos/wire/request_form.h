// What a request will do. Only this code decides it, from the route, the verb and the headers. Authorisation and
// dispatch both follow from it, so nothing is authorised as one thing and run as another.
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
  kPlan,  // explains how a query would run
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

// A batch takes precedence over a query, and a query over an upsert, as in dispatch.
Form FormOf(RouteKind route, const net::Request& request);

// Whether a header says true, in any case.
bool HeaderIsTrue(const net::Request& request, std::string_view name);
// For headers where a typo would cause another action than intended. Absent or without a value: false. Fails:
// kInvalidArgument for anything but true and false, in any case.
Result<bool> YesOrNo(const net::Request& request, std::string_view header);

}  // namespace lapse::api::cosmos
