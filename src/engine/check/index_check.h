// Whether a container's index entries are what they must be: for every item exactly those of its document.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace lapse::engine {

class Container;
struct StoredContainer;

struct IndexFindings {
  int64_t items = 0;
  int64_t entries = 0;  // of items that are there
  int64_t missing = 0;
  int64_t wrong = 0;          // of items that are there, and their documents do not give them
  int64_t of_gone_items = 0;  // deleted, or purged: no harm, until a purge
  std::string first_problem;

  bool sound() const { return missing == 0 && wrong == 0; }
};

// Looks at all entries of both indexes. What is in the making may lack entries of items that it has not come to. Items
// that have expired and are not purged count as those that live. Reads every document, and again where counts differ:
// for tests and for `lapse check`. Nothing may be written meanwhile. Fails: kCorruption for what cannot be read.
Result<IndexFindings> CheckIndexes(const StoredContainer& container);
Result<IndexFindings> CheckIndexes(const Container& container);

}  // namespace lapse::engine
