#include "ttl/ttl_value.h"

#include <array>
#include <charconv>
#include <cmath>

#include "ttl/lifetime.h"

namespace lapse::ttl {
namespace {

struct Unit {
  std::string_view name;
  int64_t ms;
};

constexpr std::array<Unit, 5> kUnits = {{{"d", 86'400'000}, {"h", 3'600'000}, {"m", 60'000}, {"s", 1000}, {"ms", 1}}};
constexpr size_t kSeconds = 3;

bool IsDigit(char c) {
  return c >= '0' && c <= '9';
}

// Takes the digits off the front.
std::optional<int64_t> TakeNumber(std::string_view* text) {
  // from_chars would take a minus sign.
  if (text->empty() || !IsDigit(text->front())) return std::nullopt;
  int64_t number = 0;
  auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc()) return std::nullopt;
  text->remove_prefix(static_cast<size_t>(end - text->data()));
  return number;
}

// Takes the letters up to the next digit off the front, and returns their index in kUnits.
std::optional<size_t> TakeUnit(std::string_view* text) {
  size_t length = 0;
  while (length < text->size() && !IsDigit((*text)[length])) ++length;
  std::string_view name = text->substr(0, length);
  text->remove_prefix(length);
  for (size_t i = 0; i < kUnits.size(); ++i) {
    if (kUnits[i].name == name) return i;
  }
  return std::nullopt;
}

std::optional<int64_t> DurationMs(std::string_view text) {
  int64_t total_ms = 0;
  size_t first_allowed = 0;
  bool first = true;
  do {
    auto number = TakeNumber(&text);
    if (!number) return std::nullopt;
    bool bare_seconds = first && text.empty();
    auto unit = bare_seconds ? kSeconds : TakeUnit(&text);
    if (!unit || *unit < first_allowed) return std::nullopt;
    int64_t part_ms = 0;
    if (__builtin_mul_overflow(*number, kUnits[*unit].ms, &part_ms)) return std::nullopt;
    if (__builtin_add_overflow(total_ms, part_ms, &total_ms)) return std::nullopt;
    first_allowed = *unit + 1;
    first = false;
  } while (!text.empty());
  return total_ms;
}

}  // namespace

std::optional<int64_t> WholeNumber(double number) {
  // Every double in [-2^63, 2^63) without a fraction converts exactly; NaN and the infinities fail the comparison.
  constexpr double kLimit = 9223372036854775808.0;
  if (!(number >= -kLimit && number < kLimit) || std::trunc(number) != number) return std::nullopt;
  return static_cast<int64_t>(number);
}

std::optional<int32_t> ParseTtl(std::optional<int64_t> whole_number) {
  if (whole_number == kTtlForever) return kTtlForever;
  if (!whole_number || *whole_number < 1 || *whole_number > kTtlMax_s) return std::nullopt;
  return static_cast<int32_t>(*whole_number);
}

std::optional<int32_t> ParseExpireAfter(std::optional<int64_t> whole_number) {
  if (!whole_number || *whole_number < 0 || *whole_number > kTtlMax_s) return std::nullopt;
  return static_cast<int32_t>(*whole_number);
}

Result<int64_t> ParseDurationMs(std::string_view text) {
  if (auto duration_ms = DurationMs(text)) return *duration_ms;
  return Status(Code::kInvalidArgument, "not a duration: write it like 30d, 1h30m, 90s, 500ms, or 15 for seconds");
}

}  // namespace lapse::ttl
