// What a consumer of the full change feed makes of a container.
#pragma once

#include <set>
#include <string>

#include "base/status.h"
#include "engine/catalog/containers/container.h"

namespace lapse::durability {

// The documents that all events of the container leave behind. Fails: what the engine says; kCorruption when an event
// does not go with those before it.
Result<std::multiset<std::string>> ReplayLog(const engine::Container& container);

}  // namespace lapse::durability
