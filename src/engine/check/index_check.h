// Checks a container's index entries: every item must have exactly the entries of its document.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace lapse::engine {

class Container;
struct StoredContainer;

struct IndexFindings {
  int64_t items = 0;
  int64_t entries = 0;  // of existing items
  int64_t missing = 0;
  int64_t wrong = 0;          // of existing items, but not given by their documents
  int64_t of_gone_items = 0;  // of items that were deleted or purged; harmless until the next purge
  std::string first_problem;

  bool sound() const { return missing == 0 && wrong == 0; }
};

// Checks all entries of both indexes. An index being built may lack entries of items that the build has not reached.
// Items that have expired and are not purged count as live. Reads every document, and again where counts differ, so it
// is for tests and for `lapse check`. Nothing may be written meanwhile. Fails: kCorruption for records that cannot be
// read.
Result<IndexFindings> CheckIndexes(const StoredContainer& container);
Result<IndexFindings> CheckIndexes(const Container& container);

}  // namespace lapse::engine
