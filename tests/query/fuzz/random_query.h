// Queries for the fuzzers, over the documents of random_document.h. All of them are valid: only the indexing policy can
// make one be refused.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tests/query/fuzz/choices.h"
#include "tests/query/fuzz/random_policy.h"
#include "tests/query/reference/datum.h"

namespace lapse::query_tests {

struct FuzzedQuery {
  std::string text;
  std::map<std::string, Datum> parameters;
  std::string parameters_json;  // as in a request
};

// Threads: one. One object makes one query.
class QueryMaker {
 public:
  QueryMaker(Choices* choices, const Policy* policy) : choices_(*choices), policy_(*policy) {}

  // Any query.
  FuzzedQuery Any();
  // Rows of the form `[c._rid, the value of a join]`, which distinguish items, or distinct values. No TOP, no OFFSET
  // LIMIT, no groups.
  FuzzedQuery Traceable();

 private:
  enum class AliasKind { kItem, kPart };
  struct Alias {
    std::string name;
    AliasKind kind;
  };

  std::string Plain();
  std::string Grouped();
  std::string Total();  // aggregates without GROUP BY
  std::string Sources();
  std::string Join();
  std::string Selection();
  std::string Order();
  std::string Slice();
  std::string Where();

  std::string Condition(int depth);
  std::string Comparison();
  std::string TextCondition();
  std::string ArrayCondition(int depth);
  std::string TypeCondition();
  std::string PlaceCondition();
  std::string Scalar(int depth);
  std::string Subquery(int depth);
  std::string Aggregate();
  std::string GroupKey();

  std::string Path();
  std::string PathTo(std::string_view name);  // of an item if there is one, else of anything
  std::string Constant();
  std::string Text();
  std::string AsParameter(const std::string& json);
  std::string NewAlias(AliasKind kind);
  const Alias* Item() const;
  FuzzedQuery Finished(std::string text);

  Choices& choices_;
  const Policy& policy_;
  std::vector<Alias> aliases_;
  int alias_count_ = 0;
  std::map<std::string, std::string> parameters_;
};

}  // namespace lapse::query_tests
