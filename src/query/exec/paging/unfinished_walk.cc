#include "query/exec/paging/unfinished_walk.h"

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

Result<OrderedPage::Kept> DecodeRows(ByteReader reader, size_t keys) {
  OrderedPage::Kept kept;
  const uint8_t flags = reader.Byte();
  OrderedPage::Edge edge;
  edge.itself = (flags & kEdgeItself) != 0;
  edge.place.item = reader.LittleEndian<uint64_t>();
  edge.place.row = reader.LittleEndian<uint32_t>();
  const auto count = reader.LittleEndian<uint32_t>();
  ByteReader numbers(reader.Take(size_t{count} * sizeof(engine::ItemNumber)));
  if (!reader.ok() || flags > (kHasEdge | kEdgeItself)) return MalformedContinuation();
  while (!numbers.AtEnd()) kept.items.push_back(numbers.LittleEndian<engine::ItemNumber>());
  const auto unsorted = std::adjacent_find(kept.items.begin(), kept.items.end(), std::greater_equal<>());
  if (unsorted != kept.items.end()) return MalformedContinuation();
  LAPSE_ASSIGN_OR_RETURN(kept.keys, DecodeValues(reader.rest()));
  if (keys == 0 || kept.keys.size() % keys != 0) return MalformedContinuation();
  if ((flags & kHasEdge) == 0) return kept;
  if (kept.keys.size() < keys) return MalformedContinuation();
  const auto behind = kept.keys.begin() + static_cast<ptrdiff_t>(keys);
  edge.keys.assign(kept.keys.begin(), behind);
  kept.keys.erase(kept.keys.begin(), behind);
  kept.edge = std::move(edge);
  return kept;
}

}  // namespace

std::string EncodeGroups(const std::vector<Value>& groups) {
  std::string bytes(1, static_cast<char>(SeenKind::kGroups));
  return bytes + EncodeValues(groups);
}

std::string EncodeRows(const OrderedPage::Kept& kept) {
  std::string bytes(1, static_cast<char>(SeenKind::kRows));
  const OrderedPage::Edge edge = kept.edge.value_or(OrderedPage::Edge());
  bytes.push_back(static_cast<char>((kept.edge.has_value() ? kHasEdge : 0) | (edge.itself ? kEdgeItself : 0)));
  PutLittleEndian(&bytes, edge.place.item);
  PutLittleEndian(&bytes, edge.place.row);
  PutLittleEndian(&bytes, static_cast<uint32_t>(kept.items.size()));
  for (const engine::ItemNumber item : kept.items) PutLittleEndian(&bytes, item);
  std::vector<Value> keys = edge.keys;
  keys.insert(keys.end(), kept.keys.begin(), kept.keys.end());
  return bytes + EncodeValues(keys);
}

std::string EncodeKept(std::string_view name) {
  std::string bytes(1, static_cast<char>(SeenKind::kKept));
  return bytes.append(name);
}

std::optional<std::string_view> NameOfKept(std::string_view bytes) {
  if (bytes.empty() || bytes.front() != static_cast<char>(SeenKind::kKept)) return std::nullopt;
  return bytes.substr(1);
}

Result<SeenSoFar> DecodeSeen(std::string_view bytes, size_t keys) {
  ByteReader reader(bytes);
  SeenSoFar seen;
  seen.kind = static_cast<SeenKind>(reader.Byte());
  if (seen.kind == SeenKind::kGroups) {
    LAPSE_ASSIGN_OR_RETURN(seen.groups, DecodeValues(reader.rest()));
  } else if (seen.kind == SeenKind::kRows) {
    LAPSE_ASSIGN_OR_RETURN(seen.rows, DecodeRows(reader, keys));
  } else {
    return MalformedContinuation();
  }
  return seen;
}

}  // namespace lapse::query::exec
