#include "query/functions/date_time.h"

#include <array>
#include <chrono>

#include "base/ascii.h"
#include "query/values/byte_builder.h"

namespace lapse::query {
namespace {

using std::chrono::sys_days;
using std::chrono::year_month_day;

constexpr int64_t kFirstYear = 1;
constexpr int64_t kLastYear = 9999;

constexpr int64_t DaysOf(int year, unsigned month, unsigned day) {
  return sys_days(year_month_day(std::chrono::year(year), std::chrono::month(month), std::chrono::day(day)))
      .time_since_epoch()
      .count();
}

constexpr int64_t kFirstTick = DaysOf(1, 1, 1) * kTicksPerDay;
constexpr int64_t kEndTick = DaysOf(10'000, 1, 1) * kTicksPerDay;

// Consumes text from the front.
class DateReader {
 public:
  explicit DateReader(std::string_view text) : rest_(text) {}

  bool AtEnd() const { return rest_.empty(); }
  bool Take(char c) {
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  // Takes exactly this many digits.
  bool TakeDigits(size_t count, int64_t* number) {
    if (rest_.size() < count) return false;
    *number = 0;
    for (char c : rest_.substr(0, count)) {
      if (!IsDigit(c)) return false;
      *number = *number * 10 + (c - '0');
    }
    rest_.remove_prefix(count);
    return true;
  }
  // Takes one to seven digits after the point, as ticks.
  bool TakeFraction(int64_t* ticks) {
    *ticks = 0;
    size_t digits = 0;
    for (; digits < kFractionDigits && !rest_.empty() && IsDigit(rest_[0]); ++digits) {
      *ticks = *ticks * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    for (size_t missing = digits; missing < kFractionDigits; ++missing) *ticks *= 10;
    return digits > 0;
  }

 private:
  std::string_view rest_;
};

bool TakeClock(DateReader* reader, DateParts* parts) {
  return reader->TakeDigits(2, &parts->hour) && reader->Take(':') && reader->TakeDigits(2, &parts->minute) &&
         reader->Take(':') && reader->TakeDigits(2, &parts->second) &&
         (!reader->Take('.') || reader->TakeFraction(&parts->ticks));
}

struct PartName {
  std::string_view name;  // in lower case
  DatePart part;
};

constexpr PartName kPartNames[] = {
    {"year", DatePart::kYear},       {"yyyy", DatePart::kYear},
    {"yy", DatePart::kYear},         {"month", DatePart::kMonth},
    {"mm", DatePart::kMonth},        {"m", DatePart::kMonth},
    {"day", DatePart::kDay},         {"dd", DatePart::kDay},
    {"d", DatePart::kDay},           {"hour", DatePart::kHour},
    {"hh", DatePart::kHour},         {"minute", DatePart::kMinute},
    {"mi", DatePart::kMinute},       {"n", DatePart::kMinute},
    {"second", DatePart::kSecond},   {"ss", DatePart::kSecond},
    {"s", DatePart::kSecond},        {"millisecond", DatePart::kMillisecond},
    {"ms", DatePart::kMillisecond},  {"microsecond", DatePart::kMicrosecond},
    {"mcs", DatePart::kMicrosecond}, {"nanosecond", DatePart::kNanosecond},
    {"ns", DatePart::kNanosecond},
};

void PutDigits(int64_t number, size_t count, char* out) {
  for (size_t i = count; i > 0; --i, number /= 10) out[i - 1] = static_cast<char>('0' + number % 10);
}

std::optional<int64_t> AddMonths(int64_t ticks, int64_t count) {
  constexpr int64_t kMonthsMax = (kLastYear - kFirstYear + 1) * 12;
  if (count > kMonthsMax || count < -kMonthsMax) return std::nullopt;
  DateParts parts = PartsOf(ticks);
  const int64_t months = parts.year * 12 + (parts.month - 1) + count;
  parts.year = FloorDivide(months, 12);
  parts.month = months - parts.year * 12 + 1;
  if (parts.year < kFirstYear || parts.year > kLastYear) return std::nullopt;
  const auto last = std::chrono::year(static_cast<int>(parts.year)) / static_cast<int>(parts.month) / std::chrono::last;
  const auto last_day = static_cast<int64_t>(static_cast<unsigned>(last.day()));
  if (parts.day > last_day) parts.day = last_day;
  return TicksOf(parts);
}

}  // namespace

std::optional<int64_t> TicksOf(const DateParts& parts) {
  const bool in_range = parts.year >= kFirstYear && parts.year <= kLastYear && parts.month >= 1 && parts.month <= 12 &&
                        parts.day >= 1 && parts.day <= 31 && parts.hour >= 0 && parts.hour < 24 && parts.minute >= 0 &&
                        parts.minute < 60 && parts.second >= 0 && parts.second < 60 && parts.ticks >= 0 &&
                        parts.ticks < kTicksPerSecond;
  if (!in_range) return std::nullopt;
  const year_month_day date{std::chrono::year(static_cast<int>(parts.year)),
                            std::chrono::month(static_cast<unsigned>(parts.month)),
                            std::chrono::day(static_cast<unsigned>(parts.day))};
  if (!date.ok()) return std::nullopt;
  return sys_days(date).time_since_epoch().count() * kTicksPerDay + parts.hour * kTicksPerHour +
         parts.minute * kTicksPerMinute + parts.second * kTicksPerSecond + parts.ticks;
}

DateParts PartsOf(int64_t ticks) {
  const int64_t days = FloorDivide(ticks, kTicksPerDay);
  const year_month_day date{sys_days(std::chrono::days(days))};
  int64_t rest = ticks - days * kTicksPerDay;
  DateParts parts;
  parts.year = static_cast<int>(date.year());
  parts.month = static_cast<unsigned>(date.month());
  parts.day = static_cast<unsigned>(date.day());
  parts.hour = rest / kTicksPerHour;
  rest %= kTicksPerHour;
  parts.minute = rest / kTicksPerMinute;
  rest %= kTicksPerMinute;
  parts.second = rest / kTicksPerSecond;
  parts.ticks = rest % kTicksPerSecond;
  return parts;
}

bool IsDateInRange(int64_t ticks) {
  return ticks >= kFirstTick && ticks < kEndTick;
}

int WeekdayOf(int64_t ticks) {
  const sys_days day(std::chrono::days(FloorDivide(ticks, kTicksPerDay)));
  return static_cast<int>(std::chrono::weekday(day).c_encoding());
}

std::optional<int64_t> ReadDateTime(Value text) {
  if (!text.IsString()) return std::nullopt;
  DateReader reader(text.AsString());
  DateParts parts;
  if (!reader.TakeDigits(4, &parts.year) || !reader.Take('-') || !reader.TakeDigits(2, &parts.month) ||
      !reader.Take('-') || !reader.TakeDigits(2, &parts.day)) {
    return std::nullopt;
  }
  if ((reader.Take('T') || reader.Take(' ')) && !TakeClock(&reader, &parts)) return std::nullopt;
  reader.Take('Z');
  if (!reader.AtEnd()) return std::nullopt;
  return TicksOf(parts);
}

Value DateTimeValue(EvalContext& context, int64_t ticks) {
  if (!IsDateInRange(ticks)) return {};
  constexpr std::string_view kForm = "0000-00-00T00:00:00.0000000Z";
  char* text = context.arena().Allocate(kForm.size());
  if (text == nullptr) return {};
  kForm.copy(text, kForm.size());
  const DateParts parts = PartsOf(ticks);
  PutDigits(parts.year, 4, text);
  PutDigits(parts.month, 2, text + 5);
  PutDigits(parts.day, 2, text + 8);
  PutDigits(parts.hour, 2, text + 11);
  PutDigits(parts.minute, 2, text + 14);
  PutDigits(parts.second, 2, text + 17);
  PutDigits(parts.ticks, kFractionDigits, text + 20);
  return Value::String({text, kForm.size()});
}

std::optional<DatePart> ReadDatePart(Value name) {
  if (!name.IsString()) return std::nullopt;
  for (const PartName& known : kPartNames) {
    if (EqualsIgnoreCase(name.AsString(), known.name)) return known.part;
  }
  return std::nullopt;
}

int64_t NsOf(DatePart part) {
  switch (part) {
    case DatePart::kYear:
    case DatePart::kMonth: return 0;
    case DatePart::kDay: return kTicksPerDay * kNsPerTick;
    case DatePart::kHour: return kTicksPerHour * kNsPerTick;
    case DatePart::kMinute: return kTicksPerMinute * kNsPerTick;
    case DatePart::kSecond: return kTicksPerSecond * kNsPerTick;
    case DatePart::kMillisecond: return kTicksPerMs * kNsPerTick;
    case DatePart::kMicrosecond: return 1000;
    case DatePart::kNanosecond: return 1;
  }
  return 0;
}

std::optional<int64_t> AddToDate(int64_t ticks, DatePart part, int64_t count) {
  if (part == DatePart::kMonth) return AddMonths(ticks, count);
  if (part == DatePart::kYear) {
    int64_t months;
    if (__builtin_mul_overflow(count, 12, &months)) return std::nullopt;
    return AddMonths(ticks, months);
  }
  int64_t change;
  if (part == DatePart::kNanosecond) {
    change = FloorDivide(count, kNsPerTick);
  } else if (__builtin_mul_overflow(count, NsOf(part) / kNsPerTick, &change)) {
    return std::nullopt;
  }
  int64_t sum;
  if (__builtin_add_overflow(ticks, change, &sum) || !IsDateInRange(sum)) return std::nullopt;
  return sum;
}

}  // namespace lapse::query
