// The destination of a page's results.
#pragma once

#include <functional>

#include "engine/partition/reads/page_limit.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Adds a result to the page. Returns false if it does not fit. A result that must be on the page is always taken. The
// value is valid during the call.
using TakeResult = std::function<bool(Value result, engine::Place place)>;

}  // namespace lapse::query::exec
