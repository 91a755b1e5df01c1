// Points in time as text, and as ticks of 100 ns since 1970. All times are UTC, from year 1 to 9999.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "query/functions/eval_context.h"
#include "query/values/value.h"

namespace lapse::query {

inline constexpr int64_t kTicksPerMs = 10'000;
inline constexpr int64_t kTicksPerSecond = 10'000'000;
inline constexpr int64_t kTicksPerMinute = 60 * kTicksPerSecond;
inline constexpr int64_t kTicksPerHour = 60 * kTicksPerMinute;
inline constexpr int64_t kTicksPerDay = 24 * kTicksPerHour;
inline constexpr int64_t kNsPerTick = 100;
inline constexpr size_t kFractionDigits = 7;  // of a second, in ticks

// Divides whole numbers of any size. Rounds down, below zero too.
template <typename A, typename B>
constexpr auto FloorDivide(A a, B b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// A point in time, split into the parts that people write.
struct DateParts {
  int64_t year = 1970;
  int64_t month = 1;
  int64_t day = 1;
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t ticks = 0;  // of the second
};

// Returns nullopt if there is no such date.
std::optional<int64_t> TicksOf(const DateParts& parts);
// `ticks` must come from TicksOf.
DateParts PartsOf(int64_t ticks);
bool IsDateInRange(int64_t ticks);
// 0 is Sunday.
int WeekdayOf(int64_t ticks);

// Accepts `YYYY-MM-DD`, optionally followed by `T` or a blank and `hh:mm:ss`, by `.` with one to seven digits, and by
// `Z`. Returns nullopt for other texts and other values.
std::optional<int64_t> ReadDateTime(Value text);

// Returns `YYYY-MM-DDThh:mm:ss.fffffffZ`, or undefined outside of the years 1 to 9999.
Value DateTimeValue(EvalContext& context, int64_t ticks);

enum class DatePart { kYear, kMonth, kDay, kHour, kMinute, kSecond, kMillisecond, kMicrosecond, kNanosecond };

// Accepts the names and short names of the parts, in any case. Returns nullopt for anything else.
std::optional<DatePart> ReadDatePart(Value name);
// Returns the length of a part in ns, or 0 for year and month, which have no fixed length.
int64_t NsOf(DatePart part);

// Months and years keep the day if the new month has it, and otherwise use its last day. Returns nullopt beyond the
// range.
std::optional<int64_t> AddToDate(int64_t ticks, DatePart part, int64_t count);

}  // namespace lapse::query
