// Long query texts for tests.
#pragma once

#include <string>

namespace lapse::query::sql {

inline std::string Repeat(const std::string& piece, int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += piece;
  return text;
}

}  // namespace lapse::query::sql
