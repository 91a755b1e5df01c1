// Indexing policies for the query fuzzers, and what they mean for ORDER BY.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tests/query/fuzz/choices.h"
#include "tests/query/reference/datum.h"
#include "tests/query/reference/reference.h"

namespace lapse::query_tests {

struct CompositePath {
  std::string path;  // as SQL writes it: `o.a`
  bool descending = false;
};

struct Policy {
  struct Path {
    std::vector<std::string> names;
    bool one_value = false;  // `/?`; otherwise `/*`
    bool included = true;
  };

  struct Computed {
    std::string name;
    std::string query;
  };

  std::string json;  // empty: the container is created without a policy
  std::vector<Computed> computed;
  bool indexes = true;
  std::vector<Path> paths;
  std::vector<std::vector<CompositePath>> composites;

  // The longest matching path decides.
  OrderRule RuleOf(const std::vector<std::string>& path) const;
  // Returns the value of a computed property, or nullopt if there is none of this name.
  std::optional<Datum> ComputedOf(const Datum& item, std::string_view name) const;
};

enum class MayIndexNothing { kNo, kYes };
Policy RandomPolicy(Choices* choices, MayIndexNothing may);

}  // namespace lapse::query_tests
