// What a consumer of the full change feed derives of a container.
#pragma once

#include <set>
#include <string>

#include "base/status.h"
#include "engine/catalog/containers/container.h"

namespace lapse::durability {

// Returns the documents that exist after all events of the container. Fails: with the engine's errors; kCorruption if
// an event contradicts those before it.
Result<std::multiset<std::string>> ReplayLog(const engine::Container& container);

}  // namespace lapse::durability
