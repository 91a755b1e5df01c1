// What the literals of a query mean.
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

// A number token, with a minus before it or not. A whole number is an integer however it is written (1E2 is 100), as
// long as a double shows it exactly or the text has digits only; -0 is a real. None: beyond the range of a double.
std::optional<Number> ReadNumber(std::string_view text);

// A string token with its quotes. The result looks into the token if it has no escapes, else into the arena. None: an
// unknown escape, or half a surrogate pair.
std::optional<std::string_view> ReadString(std::string_view token, TreeArena* arena);

// Appends what ReadNumber and ReadString read back as the same.
void PrintReal(double value, std::string* text);
void PrintString(std::string_view value, std::string* text);

}  // namespace lapse::query::sql
