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

// Of whole numbers of any size; rounds down, below zero too.
template <typename A, typename B>
constexpr auto FloorDivide(A a, B b) {
  return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// A point in time in the parts that people write.
struct DateParts {
  int64_t year = 1970;
  int64_t month = 1;
  int64_t day = 1;
  int64_t hour = 0;
  int64_t minute = 0;
  int64_t second = 0;
  int64_t ticks = 0;  // of the second
};

// Nothing when there is no such date.
std::optional<int64_t> TicksOf(const DateParts& parts);
// `ticks` is one that TicksOf gives.
DateParts PartsOf(int64_t ticks);
bool IsDateInRange(int64_t ticks);
// 0 is Sunday.
int WeekdayOf(int64_t ticks);

// Takes `YYYY-MM-DD`, and after it, each if it is there, `T` or a blank and `hh:mm:ss`, `.` with one to seven digits,
// and `Z`. Nothing for other texts and other values.
std::optional<int64_t> ReadDateTime(Value text);

// `YYYY-MM-DDThh:mm:ss.fffffffZ`; undefined outside of the years 1 to 9999.
Value DateTimeValue(EvalContext& context, int64_t ticks);

enum class DatePart { kYear, kMonth, kDay, kHour, kMinute, kSecond, kMillisecond, kMicrosecond, kNanosecond };

// The names and short names of the parts, the case ignored. Nothing for others.
std::optional<DatePart> ReadDatePart(Value name);
// How long a part is, in ns; 0 for year and month, which have no fixed length.
int64_t NsOf(DatePart part);

// Months and years keep the day where the month has it, else take the last one. Nothing beyond the range.
std::optional<int64_t> AddToDate(int64_t ticks, DatePart part, int64_t count);

}  // namespace lapse::query
