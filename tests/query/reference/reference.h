// What a query answers, found in the plainest way: every item is looked at, every clause makes a new list of rows. It
// walks the syntax tree and shares nothing with plans, their execution, values and functions. Nothing here is quick.
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

// What the indexing policy says about ORDER BY of one path.
enum class OrderRule {
  kRefused,           // the path is excluded
  kWithoutUndefined,  // items that do not have the path are left out
  kAll,
};

struct ReferenceRow {
  Datum result;
  std::vector<Datum> keys;  // of ORDER BY
  size_t item = 0;          // which one of the items
  size_t row = 0;           // the how-manieth row of the item, counted behind WHERE
};

struct ReferenceAnswer {
  bool refused = false;            // with 400
  std::vector<ReferenceRow> rows;  // before TOP or OFFSET LIMIT
  bool in_order = true;            // the language says in which order
  bool written_alike = true;       // the language says which of several equal values is shown
  size_t offset = 0;
  std::optional<size_t> limit;
};

// Knows the queries that the fuzzers make: no query that is wrong, no scalar sub-query with several results.
// Threads: one.
class Reference {
 public:
  using OrderRuleOf = std::function<OrderRule(const std::vector<std::string>& path)>;

  // The computed property of this name; nothing: there is none.
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
  // A row: the values of aliases. Names that it does not have are those of the row around it.
  struct Row {
    const Row* outer = nullptr;
    std::vector<std::pair<std::string_view, Datum>> names;
    const std::vector<Row>* group = nullptr;  // what aggregates are over
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
