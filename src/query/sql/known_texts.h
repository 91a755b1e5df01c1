// The syntax trees of texts that were parsed before. Applications ask the same few queries with other parameters.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "base/status.h"
#include "query/sql/syntax.h"

namespace lapse::query::sql {

// Threads: any.
class KnownTexts {
 public:
  // Texts come into a generation. When it has so many, the one before it is forgotten: what is asked again and again
  // stays.
  static constexpr size_t kGenerationTexts = 128;
  // What is longer is made by a program, and for one use.
  static constexpr size_t kTextBytes = 2048;

  // As Parse (parse.h).
  Result<std::shared_ptr<const SyntaxTree>> Parse(std::string_view text);

 private:
  using Tree = std::shared_ptr<const SyntaxTree>;
  using Generation = std::unordered_map<std::string_view, Tree>;  // by the text that the tree has

  Tree Find(std::string_view text);
  void Keep(const Tree& tree);

  std::mutex mutex_;
  Generation recent_;  // guarded by mutex_
  Generation older_;   // guarded by mutex_
};

}  // namespace lapse::query::sql
