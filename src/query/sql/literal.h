// The values of a query's literals.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "query/tree_arena.h"

namespace lapse::query::sql {

struct Number {
  bool is_integer = false;
  int64_t integer = 0;
  double real = 0;
};

// Reads a number token, with or without a leading minus. A whole number is an integer however it is written (1E2 is
// 100), if a double represents it exactly or the text has digits only; -0 is a real. Returns nullopt beyond the range
// of a double.
std::optional<Number> ReadNumber(std::string_view text);

// Reads a string token with its quotes. The result points into the token if it has no escapes, else into the arena.
// Returns nullopt for an unknown escape, or for half a surrogate pair.
std::optional<std::string_view> ReadString(std::string_view token, TreeArena* arena);

// Appends text that ReadNumber and ReadString read back unchanged.
void PrintReal(double value, std::string* text);
void PrintString(std::string_view value, std::string* text);

}  // namespace lapse::query::sql
