// Checks that the records of each item agree (number, key, body, member, queue, unique keys), and that the counts of a
// partition match its items (docs/formats.md).
#pragma once

#include "base/status.h"
#include "engine/check/findings.h"
#include "engine/check/stored_container.h"
#include "engine/records/ids/count.h"

namespace lapse::engine {

// Checks all stored items: the live ones, and those that have expired and are not purged. Nothing may be written
// meanwhile. Fails only with the store's errors.
Result<Count> CheckItems(const StoredContainer& container, Findings* findings);

}  // namespace lapse::engine
