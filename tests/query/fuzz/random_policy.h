// Indexing policies for the fuzzers of queries, and what they mean for ORDER BY.
#pragma once

#include <string>
#include <vector>

#include "tests/query/fuzz/choices.h"
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

  std::string json;  // empty: the container is made without one
  bool indexes = true;
  std::vector<Path> paths;
  std::vector<std::vector<CompositePath>> composites;

  // The longest path that fits decides.
  OrderRule RuleOf(const std::vector<std::string>& path) const;
};

enum class MayIndexNothing { kNo, kYes };
Policy RandomPolicy(Choices* choices, MayIndexNothing may);

}  // namespace lapse::query_tests
