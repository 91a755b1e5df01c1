// Whether the records of each item agree: number, key, body, member, queue, unique keys; and whether the counts of a
// partition are those of its items (docs/formats.md).
#pragma once

#include "base/status.h"
#include "engine/check/findings.h"
#include "engine/check/stored_container.h"
#include "engine/records/ids/count.h"

namespace lapse::engine {

// Of all items that are stored: those that live, and those that have expired and are not purged. Nothing may be written
// meanwhile. Fails only where the store does.
Result<Count> CheckItems(const StoredContainer& container, Findings* findings);

}  // namespace lapse::engine
