// Computes a query's answer in the plainest way: it looks at every item, and every clause makes a new list of rows. It
// evaluates the syntax tree and shares nothing with plans, their execution, values and functions. Nothing here is fast.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/sql/syntax.h"
#include "tests/query/reference/datum.h"

namespace lapse::query_tests {

// What the indexing policy says about ORDER BY on one path.
enum class OrderRule {
  kRefused,           // the path is excluded
  kWithoutUndefined,  // items without the path are left out
  kAll,
};

struct ReferenceRow {
  Datum result;
  std::vector<Datum> keys;  // of ORDER BY
  size_t item = 0;          // the index of the item
  size_t row = 0;           // the number of the row within the item, counted after WHERE
};

struct ReferenceAnswer {
  bool refused = false;            // with 400
  std::vector<ReferenceRow> rows;  // before TOP or OFFSET LIMIT
  bool in_order = true;            // the language specifies the order
  bool written_alike = true;       // the language specifies which of several equal values is shown
  size_t offset = 0;
  std::optional<size_t> limit;
};

// Knows the queries that the fuzzers make: no invalid query, no scalar sub-query with several results. Threads: one.
class Reference {
 public:
  using OrderRuleOf = std::function<OrderRule(const std::vector<std::string>& path)>;

  // Returns the computed property of this name, or nullopt if there is none.
  using ComputedOf = std::function<std::optional<Datum>(const Datum& item, std::string_view name)>;

  // `items` in the order of partitions and creation. `parts` has the partition of each; empty: there is one.
  Reference(const std::vector<Datum>& items, const std::map<std::string, Datum>& parameters, OrderRuleOf rule_of,
            ComputedOf computed_of = nullptr, std::vector<int> parts = {})
      : items_(items),
        parameters_(parameters),
        rule_of_(std::move(rule_of)),
        computed_of_(std::move(computed_of)),
        parts_(std::move(parts)) {}

  ReferenceAnswer Answer(const query::sql::Query& query) const;

 private:
  // A row: the values of aliases. Names that it lacks are looked up in the enclosing row.
  struct Row {
    const Row* outer = nullptr;
    std::vector<std::pair<std::string_view, Datum>> names;
    const std::vector<Row>* group = nullptr;  // the rows that aggregates are computed over
    size_t item = 0;
  };
  enum class Sees { kItems, kRows };

  std::vector<ReferenceRow> Results(const query::sql::Query& query, const Row* outer, Sees sees,
                                    OrderRule rule = OrderRule::kAll) const;
  std::vector<Row> RowsOf(const query::sql::Query& query, const Row* outer, Sees sees) const;
  std::vector<Row> WithSource(const query::sql::Source& source, const std::vector<Row>& rows) const;
  std::vector<Row> FirstSource(const query::sql::Source& source) const;
  std::vector<ReferenceRow> Groups(const query::sql::Query& query, const std::vector<Row>& rows,
                                   const Row* outer) const;
  Datum Selected(const query::sql::Query& query, const Row& row) const;

  Datum Value(const query::sql::Expression& e, const Row& row) const;
  std::vector<Datum> Values(std::span<const query::sql::Expression* const> list, const Row& row) const;
  Datum Named(std::string_view name, const Row& row) const;
  Datum Step(const query::sql::Expression& e, const Datum& from) const;
  Datum Member(const Datum& from, std::string_view name) const;
  Datum Path(const query::sql::Expression& e, const Datum& root) const;
  Datum Call(const query::sql::Expression& e, const Row& row) const;
  Datum All(const query::sql::Query& query, const Row& row) const;
  // Groups have the number of no item, and are of one part.
  int PartOf(const Row& row) const { return parts_.empty() ? 0 : parts_[row.item]; }
  size_t Count(const query::sql::Expression& e) const;
  std::vector<std::string> PathOfKey(const query::sql::Query& query, const query::sql::Expression& key) const;

  const std::vector<Datum>& items_;
  const std::map<std::string, Datum>& parameters_;
  const OrderRuleOf rule_of_;
  const ComputedOf computed_of_;
  const std::vector<int> parts_;
};

}  // namespace lapse::query_tests
