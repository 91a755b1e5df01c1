// How a page resumes a scan that an earlier page did not finish (docs/design/query.md, "Pages that take long").
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/status.h"
#include "query/exec/paging/page_start.h"
#include "query/exec/paging/scan_state.h"
#include "query/exec/paging/scan_state_cache.h"
#include "query/exec/positions/page_shape.h"

namespace lapse::query::exec {

struct ResumedScan {
  uint8_t restarts = 0;
  bool goes_on = false;  // false: from the start
  bool in_order = false;
  std::string after;
  ScanState seen;  // points into the position, or into `kept`
  std::shared_ptr<const std::string> kept;

  void Restart();
};

// Returns the scan that the page resumes. It restarts the scan if its state is gone. Fails: kInvalidArgument for bytes
// that no page of this query returned.
Result<ResumedScan> FindScan(const PageShape& shape, const PageStart& start, ScanStateCache* scan_states);

// Returns the largest size of a scan's state.
size_t StateBytesMax(const ScanStateCache* scan_states);

// Encodes a position in a scan, either in index order or in the order of creation.
std::string PositionInScan(bool in_order, const std::string& next);

// Returns the continuation of a page that ends before its scan. The next page resumes at `next` with the state `seen`.
// The scan restarts if there is no state, or no room for it.
std::string UnfinishedPosition(const PageStart& start, const ResumedScan& scan, const std::string& next,
                               std::optional<std::string> seen, ScanStateCache* scan_states);

}  // namespace lapse::query::exec
