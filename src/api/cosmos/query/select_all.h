// Recognises the one query that needs no query engine: `SELECT * FROM <name> [[AS] <alias>]`.
#pragma once

#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

bool IsSelectAll(std::string_view query);

// The same for a request's body, `{"query": "...", "parameters": [...]}`. Fails: kInvalidArgument for a body that is no
// query, kUnsupported for any other query.
Status CheckSelectAllBody(std::string_view body);

}  // namespace lapse::api::cosmos
