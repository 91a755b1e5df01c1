// Recognises the queries by which clients look for one resource of a feed:
// `SELECT * FROM <name> [[AS] <alias>] [WHERE <name>.<property> = <text or parameter>]`.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

struct PropertyQuery {
  std::string property;  // empty: all resources are asked for
  std::string value;
};

// From a request's body; `properties` are those that may be compared. Fails: kInvalidArgument for a body that is no
// query, kUnsupported for any other query.
Result<PropertyQuery> ParsePropertyQuery(std::string_view body, std::span<const std::string_view> properties);

}  // namespace lapse::api::cosmos
