#include "query/functions/dates.h"

#include "query/functions/date_format.h"
#include "query/functions/date_time.h"
#include "query/values/number.h"

namespace lapse::query::functions {
namespace {

__extension__ using Wide = __int128;

constexpr int64_t kMicrosecondsPerMs = 1000;

Value OptionalDate(EvalContext& context, std::optional<int64_t> ticks) {
  return ticks ? DateTimeValue(context, *ticks) : Value();
}

Value DateTimeAdd(EvalContext& context, Arguments arguments) {
  const auto part = ReadDatePart(arguments[0]);
  const auto count = IntegerOf(arguments[1]);
  const auto date = ReadDateTime(arguments[2]);
  if (!part || !count || !date) return {};
  return OptionalDate(context, AddToDate(*date, *part, *count));
}

bool IsTooOld(int64_t ticks) {
  constexpr int64_t kFirstYear = 1601;
  return PartsOf(ticks).year < kFirstYear;
}

int64_t MonthsOf(int64_t ticks) {
  const DateParts parts = PartsOf(ticks);
  return parts.year * 12 + parts.month - 1;
}

Value DateTimeDiff(EvalContext&, Arguments arguments) {
  const auto part = ReadDatePart(arguments[0]);
  const auto start = ReadDateTime(arguments[1]);
  const auto end = ReadDateTime(arguments[2]);
  if (!part || !start || !end || IsTooOld(*start) || IsTooOld(*end)) return {};
  if (*part == DatePart::kYear) return Value::Int64(PartsOf(*end).year - PartsOf(*start).year);
  if (*part == DatePart::kMonth) return Value::Int64(MonthsOf(*end) - MonthsOf(*start));
  const Wide length = NsOf(*part);
  const Wide crossed = FloorDivide(static_cast<Wide>(*end) * kNsPerTick, length) -
                       FloorDivide(static_cast<Wide>(*start) * kNsPerTick, length);
  const auto count = static_cast<int64_t>(crossed);
  return count == crossed ? Value::Int64(count) : Value::Double(static_cast<double>(crossed));
}

// For bins of months: returns the last one that begins at or before the date.
std::optional<int64_t> BinOfMonths(int64_t date, int64_t months, int64_t origin) {
  const int64_t apart = MonthsOf(date) - MonthsOf(origin);
  int64_t bin = static_cast<int64_t>(FloorDivide(apart, months));
  const auto begin = AddToDate(origin, DatePart::kMonth, bin * months);
  // Within its month the date may come before the origin's day.
  if (begin && *begin > date) return AddToDate(origin, DatePart::kMonth, --bin * months);
  return begin;
}

Value DateTimeBin(EvalContext& context, Arguments arguments) {
  constexpr int64_t kMonthsMax = 12 * 10'000;
  const auto date = ReadDateTime(arguments[0]);
  const auto part = ReadDatePart(arguments[1]);
  const auto size = arguments.size() > 2 ? IntegerOf(arguments[2]) : std::optional<int64_t>(1);
  const auto origin = arguments.size() > 3 ? ReadDateTime(arguments[3]) : std::optional<int64_t>(0);
  if (!date || !part || !size || *size <= 0 || !origin || IsTooOld(*date) || IsTooOld(*origin)) return {};
  if (*part == DatePart::kYear || *part == DatePart::kMonth) {
    if (*size > kMonthsMax) return {};
    return OptionalDate(context, BinOfMonths(*date, *part == DatePart::kYear ? *size * 12 : *size, *origin));
  }
  const Wide length = static_cast<Wide>(NsOf(*part)) * *size;
  const Wide apart = (static_cast<Wide>(*date) - *origin) * kNsPerTick;
  const Wide begin = static_cast<Wide>(*origin) * kNsPerTick + FloorDivide(apart, length) * length;
  const Wide ticks = FloorDivide(begin, kNsPerTick);
  const auto narrow = static_cast<int64_t>(ticks);
  return narrow == ticks ? DateTimeValue(context, narrow) : Value();
}

Value DateTimeFormat(EvalContext& context, Arguments arguments) {
  const auto date = ReadDateTime(arguments[0]);
  if (!date || !arguments[1].IsString()) return {};
  ByteBuilder text(&context.arena());
  AppendFormatted(*date, arguments[1].AsString(), &text);
  return Value::String(text.view());
}

Value DateTimeFromParts(EvalContext& context, Arguments arguments) {
  DateParts parts;
  int64_t* const places[] = {&parts.year,   &parts.month,  &parts.day,  &parts.hour,
                             &parts.minute, &parts.second, &parts.ticks};
  for (size_t i = 0; i < arguments.size(); ++i) {
    const auto number = IntegerOf(arguments[i]);
    if (!number) return {};
    *places[i] = *number;
  }
  return OptionalDate(context, TicksOf(parts));
}

int64_t PartOf(int64_t ticks, DatePart part) {
  const DateParts parts = PartsOf(ticks);
  switch (part) {
    case DatePart::kYear: return parts.year;
    case DatePart::kMonth: return parts.month;
    case DatePart::kDay: return parts.day;
    case DatePart::kHour: return parts.hour;
    case DatePart::kMinute: return parts.minute;
    case DatePart::kSecond: return parts.second;
    case DatePart::kMillisecond: return parts.ticks / kTicksPerMs;
    case DatePart::kMicrosecond: return parts.ticks / (kTicksPerMs / kMicrosecondsPerMs);
    case DatePart::kNanosecond: return parts.ticks * kNsPerTick;
  }
  return 0;
}

Value DateTimePart(EvalContext&, Arguments arguments) {
  const auto part = ReadDatePart(arguments[0]);
  const auto date = ReadDateTime(arguments[1]);
  return part && date ? Value::Int64(PartOf(*date, *part)) : Value();
}

template <DatePart kPart>
Value OnePart(EvalContext&, Arguments arguments) {
  const auto date = ReadDateTime(arguments[0]);
  return date ? Value::Int64(PartOf(*date, kPart)) : Value();
}

// `kTicks`: ticks per unit of the count.
template <int64_t kTicks>
Value DateTimeToCount(EvalContext&, Arguments arguments) {
  const auto date = ReadDateTime(arguments[0]);
  return date ? Value::Int64(static_cast<int64_t>(FloorDivide(*date, kTicks))) : Value();
}

template <int64_t kTicks>
Value CountToDateTime(EvalContext& context, Arguments arguments) {
  const auto count = IntegerOf(arguments[0]);
  int64_t ticks;
  if (!count || __builtin_mul_overflow(*count, kTicks, &ticks)) return {};
  return DateTimeValue(context, ticks);
}

Value GetCurrentDateTime(EvalContext& context, Arguments) {
  return DateTimeValue(context, context.now_ticks());
}

template <int64_t kTicks>
Value GetCurrentCount(EvalContext& context, Arguments) {
  return Value::Int64(static_cast<int64_t>(FloorDivide(context.now_ticks(), kTicks)));
}

// The smallest count has no opposite.
template <bool kBack>
Value NowAnd(EvalContext& context, Arguments arguments) {
  if (arguments.empty()) return DateTimeValue(context, context.now_ticks());
  if (arguments.size() < 2) return {};
  const auto part = ReadDatePart(arguments[0]);
  const auto count = IntegerOf(arguments[1]);
  int64_t forward;
  if (!part || !count || __builtin_mul_overflow(*count, kBack ? -1 : 1, &forward)) return {};
  return OptionalDate(context, AddToDate(context.now_ticks(), *part, forward));
}

}  // namespace

const Function kDateTimeAdd = {3, 3, DateTimeAdd};
const Function kDateTimeBin = {2, 4, DateTimeBin};
const Function kDateTimeDiff = {3, 3, DateTimeDiff};
const Function kDateTimeFormat = {2, 2, DateTimeFormat};
const Function kDateTimeFromParts = {3, 7, DateTimeFromParts};
const Function kDateTimePart = {2, 2, DateTimePart};
const Function kDay = {1, 1, OnePart<DatePart::kDay>};
const Function kMonth = {1, 1, OnePart<DatePart::kMonth>};
const Function kYear = {1, 1, OnePart<DatePart::kYear>};
const Function kDateTimeToTicks = {1, 1, DateTimeToCount<1>};
const Function kDateTimeToTimestamp = {1, 1, DateTimeToCount<kTicksPerMs>};
const Function kTicksToDateTime = {1, 1, CountToDateTime<1>};
const Function kTimestampToDateTime = {1, 1, CountToDateTime<kTicksPerMs>};
const Function kGetCurrentDateTime = {0, 0, GetCurrentDateTime, false};
const Function kGetCurrentTicks = {0, 0, GetCurrentCount<1>, false};
const Function kGetCurrentTimestamp = {0, 0, GetCurrentCount<kTicksPerMs>, false};
const Function kNow = {0, 2, NowAnd<false>, false};
const Function kAgo = {2, 2, NowAnd<true>, false};

}  // namespace lapse::query::functions
