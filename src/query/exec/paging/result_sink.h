// Where the results of a page go.
#pragma once

#include <functional>

#include "engine/partition/reads/page_limit.h"
#include "query/values/value.h"

namespace lapse::query::exec {

// Puts a result on the page. False: it does not fit any more; one that must be on the page is always taken. The value
// is valid during the call.
using TakeResult = std::function<bool(Value result, engine::Place place)>;

}  // namespace lapse::query::exec
