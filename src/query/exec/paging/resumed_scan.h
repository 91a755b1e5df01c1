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
  bool goes_on = false;  // false: it begins at the start
  bool in_order = false;
  std::string after;
  ScanState seen;  // looks at the position, or at `kept`
  std::shared_ptr<const std::string> kept;

  void Restart();
};

// The scan that the page resumes; one that restarts, if what it had seen is gone.
// Fails: kInvalidArgument for bytes that no page of this query gave out.
Result<ResumedScan> FindScan(const PageShape& shape, const PageStart& start, ScanStateCache* scan_states);

// The most bytes that the state of a scan may take.
size_t StateBytesMax(const ScanStateCache* scan_states);

// A position in a scan: in the order of an index, or in the order of creation.
std::string PositionInScan(bool in_order, const std::string& next);

// The continuation of a page that ends before its scan. The next page goes on at `next` with the state `seen`. Without
// it, or without room for it, the scan restarts.
std::string UnfinishedPosition(const PageStart& start, const ResumedScan& scan, const std::string& next,
                               std::optional<std::string> seen, ScanStateCache* scan_states);

}  // namespace lapse::query::exec
