// The queries of the benchmark, in the words of each product.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lapse::bench {

struct BenchQuery {
  std::string_view name;
  std::string_view lapse;     // parameters @a, @b
  std::string_view postgres;  // $1, $2
  std::string_view sqlite;    // ?1, ?2
};

std::span<const BenchQuery> BenchQueries();
// Returns null if there is no query of that name.
const BenchQuery* FindQuery(std::string_view name);

// One execution: its parameters, each a JSON value, and the expected result.
struct QueryCall {
  const BenchQuery* query = nullptr;
  std::vector<std::string> parameters;
  int64_t rows = 0;
  int64_t value = -1;  // of the one row; -1: it is no number
};

// Returns the call of that number, the same for every product.
QueryCall MakeCall(const BenchQuery& query, uint64_t number, uint64_t items);

// The text of a parameter without its JSON quotes.
std::string_view PlainParameter(std::string_view json);

}  // namespace lapse::bench
