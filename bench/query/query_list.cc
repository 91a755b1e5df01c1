#include "bench/query/query_list.h"

#include <algorithm>

#include "base/random.h"
#include "bench/query/query_items.h"

namespace lapse::bench {
namespace {

constexpr uint64_t kRangeRows = 100;
constexpr uint64_t kScanRows = 10;
// The counted range is this fraction of all items.
constexpr uint64_t kCountedShare = 10;

// The filter of the scan computes a value, so that no index has it.
constexpr BenchQuery kQueries[] = {
    {"equality", "SELECT * FROM c WHERE c.rank = @a", "SELECT doc FROM items WHERE (doc->>'rank')::bigint = $1::bigint",
     "SELECT doc FROM items WHERE json_extract(doc, '$.rank') = ?1"},
    {"range", "SELECT * FROM c WHERE c.rank >= @a AND c.rank < @b",
     "SELECT doc FROM items WHERE (doc->>'rank')::bigint >= $1::bigint AND (doc->>'rank')::bigint < $2::bigint",
     "SELECT doc FROM items WHERE json_extract(doc, '$.rank') >= ?1 AND json_extract(doc, '$.rank') < ?2"},
    {"order", "SELECT * FROM c ORDER BY c.total DESC OFFSET 0 LIMIT 10",
     "SELECT doc FROM items ORDER BY (doc->>'total')::float8 DESC LIMIT 10",
     "SELECT doc FROM items ORDER BY json_extract(doc, '$.total') DESC LIMIT 10"},
    {"count_all", "SELECT VALUE COUNT(1) FROM c", "SELECT count(*) FROM items", "SELECT count(*) FROM items"},
    {"count_range", "SELECT VALUE COUNT(1) FROM c WHERE c.rank >= @a AND c.rank < @b",
     "SELECT count(*) FROM items WHERE (doc->>'rank')::bigint >= $1::bigint AND (doc->>'rank')::bigint < $2::bigint",
     "SELECT count(*) FROM items WHERE json_extract(doc, '$.rank') >= ?1 AND json_extract(doc, '$.rank') < ?2"},
    {"scan", "SELECT c.id FROM c WHERE c.total * 2 + 1 > @a",
     "SELECT doc->>'id' FROM items WHERE (doc->>'total')::float8 * 2 + 1 > $1::float8",
     "SELECT json_extract(doc, '$.id') FROM items WHERE json_extract(doc, '$.total') * 2 + 1 > ?1"},
    {"group", "SELECT c[\"group\"] AS g, COUNT(1) AS n, SUM(c.quantity) AS q FROM c GROUP BY c[\"group\"]",
     "SELECT doc->>'group', count(*), sum((doc->>'quantity')::bigint) FROM items GROUP BY doc->>'group'",
     "SELECT json_extract(doc, '$.group') AS g, count(*), sum(json_extract(doc, '$.quantity')) FROM items GROUP BY g"},
    {"two", "SELECT c.id FROM c WHERE c.category = @a AND c.state = @b",
     "SELECT doc->>'id' FROM items WHERE (doc - 'text') @> jsonb_build_object('category', $1::text, 'state', $2::text)",
     "SELECT json_extract(doc, '$.id') FROM items WHERE json_extract(doc, '$.category') = ?1 AND "
     "json_extract(doc, '$.state') = ?2"},
};

// How many of the items below `items` are in the group of each: all groups that have one.
int64_t CountGroups(uint64_t items) {
  std::vector<bool> seen(kGroups);
  for (uint64_t i = 0; i < items; ++i) seen[Mix64(i) % kGroups] = true;
  return std::count(seen.begin(), seen.end(), true);
}

}  // namespace

std::span<const BenchQuery> BenchQueries() {
  return kQueries;
}

const BenchQuery* FindQuery(std::string_view name) {
  const auto* const found =
      std::find_if(std::begin(kQueries), std::end(kQueries), [&](const BenchQuery& one) { return one.name == name; });
  return found == std::end(kQueries) ? nullptr : found;
}

QueryCall MakeCall(const BenchQuery& query, uint64_t number, uint64_t items) {
  QueryCall call;
  call.query = &query;
  const uint64_t draw = Mix64(number);
  const auto range = [&](uint64_t length) {
    const uint64_t begin = draw % (items - length + 1);
    call.parameters = {std::to_string(begin), std::to_string(begin + length)};
  };
  if (query.name == "equality") {
    call.parameters = {std::to_string(draw % items)};
    call.rows = 1;
  } else if (query.name == "range") {
    range(kRangeRows);
    call.rows = kRangeRows;
  } else if (query.name == "order") {
    call.rows = 10;
  } else if (query.name == "count_all") {
    call.rows = 1;
    call.value = static_cast<int64_t>(items);
  } else if (query.name == "count_range") {
    range(items / kCountedShare);
    call.rows = 1;
    call.value = static_cast<int64_t>(items / kCountedShare);
  } else if (query.name == "scan") {
    call.parameters = {std::to_string(items - kScanRows)};
    call.rows = kScanRows;
  } else if (query.name == "group") {
    static const int64_t groups = CountGroups(items);
    call.rows = groups;
  } else {
    const uint64_t category = draw % kCategories;
    const uint64_t state = draw / kCategories % kStates;
    call.parameters = {"\"category-" + std::to_string(category) + '"', "\"state-" + std::to_string(state) + '"'};
    // The ranks that have both lie kCategories * kStates apart.
    const uint64_t first = state * kCategories + category;
    const uint64_t step = kCategories * kStates;
    call.rows = first < items ? static_cast<int64_t>((items - first + step - 1) / step) : 0;
  }
  return call;
}

std::string_view PlainParameter(std::string_view json) {
  return json.starts_with('"') ? json.substr(1, json.size() - 2) : json;
}

}  // namespace lapse::bench
