#include "query/exec/paging/scan_state.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "query/exec/positions/page_position.h"
#include "query/exec/positions/value_list.h"

namespace lapse::query::exec {
namespace {

constexpr uint8_t kHasEdge = 1;
constexpr uint8_t kEdgeItself = 2;

Result<OrderedPage::State> DecodeRows(ByteReader reader, size_t keys) {
  OrderedPage::State state;
  const uint8_t flags = reader.Byte();
  OrderedPage::Edge edge;
  edge.itself = (flags & kEdgeItself) != 0;
  edge.tie_break.item = reader.LittleEndian<uint64_t>();
  edge.tie_break.row = reader.LittleEndian<uint32_t>();
  const auto count = reader.LittleEndian<uint32_t>();
  ByteReader numbers(reader.Take(size_t{count} * sizeof(engine::ItemNumber)));
  if (!reader.ok() || flags > (kHasEdge | kEdgeItself)) return MalformedContinuation();
  while (!numbers.AtEnd()) state.items.push_back(numbers.LittleEndian<engine::ItemNumber>());
  const auto unsorted = std::adjacent_find(state.items.begin(), state.items.end(), std::greater_equal<>());
  if (unsorted != state.items.end()) return MalformedContinuation();
  LAPSE_ASSIGN_OR_RETURN(state.keys, DecodeValues(reader.rest()));
  if (keys == 0 || state.keys.size() % keys != 0) return MalformedContinuation();
  if ((flags & kHasEdge) == 0) return state;
  if (state.keys.size() < keys) return MalformedContinuation();
  const auto behind = state.keys.begin() + static_cast<ptrdiff_t>(keys);
  edge.keys.assign(state.keys.begin(), behind);
  state.keys.erase(state.keys.begin(), behind);
  state.edge = std::move(edge);
  return state;
}

}  // namespace

std::string EncodeGroups(const std::vector<Value>& groups) {
  std::string bytes(1, static_cast<char>(ScanStateKind::kGroups));
  return bytes + EncodeValues(groups);
}

std::string EncodeRows(const OrderedPage::State& state) {
  std::string bytes(1, static_cast<char>(ScanStateKind::kRows));
  const OrderedPage::Edge edge = state.edge.value_or(OrderedPage::Edge());
  bytes.push_back(static_cast<char>((state.edge.has_value() ? kHasEdge : 0) | (edge.itself ? kEdgeItself : 0)));
  PutLittleEndian(&bytes, edge.tie_break.item);
  PutLittleEndian(&bytes, edge.tie_break.row);
  PutLittleEndian(&bytes, static_cast<uint32_t>(state.items.size()));
  for (const engine::ItemNumber item : state.items) PutLittleEndian(&bytes, item);
  std::vector<Value> keys = edge.keys;
  keys.insert(keys.end(), state.keys.begin(), state.keys.end());
  return bytes + EncodeValues(keys);
}

std::string EncodeCached(std::string_view name) {
  std::string bytes(1, static_cast<char>(ScanStateKind::kCached));
  return bytes.append(name);
}

std::optional<std::string_view> NameOfCached(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != static_cast<char>(ScanStateKind::kCached)) return std::nullopt;
  return bytes.substr(1);
}

Result<ScanState> DecodeScanState(std::string_view bytes, size_t keys) {
  ByteReader reader(bytes);
  ScanState seen;
  seen.kind = static_cast<ScanStateKind>(reader.Byte());
  if (seen.kind == ScanStateKind::kGroups) {
    LAPSE_ASSIGN_OR_RETURN(seen.groups, DecodeValues(reader.rest()));
  } else if (seen.kind == ScanStateKind::kRows) {
    LAPSE_ASSIGN_OR_RETURN(seen.rows, DecodeRows(reader, keys));
  } else {
    return MalformedContinuation();
  }
  return seen;
}

}  // namespace lapse::query::exec
