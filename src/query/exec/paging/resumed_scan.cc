#include "query/exec/paging/resumed_scan.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "query/exec/positions/key_cut.h"

namespace lapse::query::exec {
namespace {

// At most this much of a page's state goes into its continuation. Clients send it back in a header, which has room for
// some 16 KB.
constexpr size_t kStateBytesMax = 8 * 1024;
// The largest size of a whole position. As text it grows by a third, and there are other headers.
constexpr size_t kPositionBytesMax = 10'000;
// The time of a page doubles with each restart of its scan, up to this many times.
constexpr uint8_t kDoublingsMax = 10;

constexpr char kByNumber = 'n';
constexpr char kInOrder = 'o';

uint8_t OneMore(uint8_t restarts) {
  return static_cast<uint8_t>(std::min(restarts + 1, int{kDoublingsMax}));
}

}  // namespace

void ResumedScan::Restart() {
  const uint8_t times = OneMore(restarts);
  *this = ResumedScan();
  restarts = times;
}

Result<ResumedScan> FindScan(const PageShape& shape, const PageStart& start, ScanStateCache* scan_states) {
  ResumedScan found;
  if (!start.scan.has_value()) return found;
  const PagePosition::UnfinishedScan& scan = *start.scan;
  found.restarts = std::min(scan.restarts, kDoublingsMax);
  if (scan.after.empty()) return found;
  const char kind = scan.after.front();
  if (kind != kByNumber && kind != kInOrder) return OfAnotherQuery();
  std::string_view seen = scan.seen;
  if (const std::optional<std::string_view> name = NameOfCached(seen)) {
    found.kept = scan_states == nullptr ? nullptr : scan_states->Find(*name);
    if (found.kept == nullptr) {
      found.Restart();
      return found;
    }
    seen = *found.kept;
  }
  found.goes_on = true;
  found.in_order = kind == kInOrder;
  found.after = scan.after.substr(1);
  LAPSE_ASSIGN_OR_RETURN(found.seen, DecodeScanState(seen, shape.order.size()));
  return found;
}

size_t StateBytesMax(const ScanStateCache* scan_states) {
  return scan_states == nullptr ? kStateBytesMax : scan_states->each_bytes_max();
}

std::string PositionInScan(bool in_order, const std::string& next) {
  return (in_order ? kInOrder : kByNumber) + next;
}

std::string UnfinishedPosition(const PageStart& start, const ResumedScan& scan, const std::string& next,
                               std::optional<std::string> seen, ScanStateCache* scan_states) {
  PagePosition position = start.behind.value_or(PagePosition());
  position.kind = PagePosition::Kind::kUnfinished;
  // A client may have named it by values of any length.
  if (!position.cut.has_value()) SetKeys(std::vector<Value>(position.keys), &position);
  if (seen.has_value()) {
    position.scan = {scan.restarts, start.behind.has_value(), next, {}};
    if (seen->size() <= kStateBytesMax) {
      position.scan.seen = *seen;
      std::string bytes = position.Encode();
      if (bytes.size() <= kPositionBytesMax) return bytes;
    }
    const std::string name = scan_states == nullptr ? std::string() : scan_states->Keep(*std::move(seen));
    if (!name.empty()) {
      position.scan.seen = EncodeCached(name);
      return position.Encode();
    }
  }
  position.scan = {OneMore(scan.restarts), start.behind.has_value(), {}, {}};
  return position.Encode();
}

}  // namespace lapse::query::exec
