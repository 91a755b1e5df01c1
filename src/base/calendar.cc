#include "base/calendar.h"

#include <array>
#include <chrono>

#include "base/ascii.h"

namespace lapse {
namespace {

using std::chrono::days;
using std::chrono::milliseconds;
using std::chrono::sys_days;
using std::chrono::sys_time;
using std::chrono::year_month_day;

constexpr std::array<std::string_view, 7> kWeekdays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

// The parts of a date and time.
struct Civil {
  explicit Civil(int64_t unix_ms)
      : time(milliseconds(unix_ms)), day(std::chrono::floor<days>(time)), date(day), clock(time - day) {}

  const sys_time<milliseconds> time;
  const sys_days day;
  const year_month_day date;
  const std::chrono::hh_mm_ss<milliseconds> clock;
};

void AppendPadded(int64_t number, int width, std::string* out) {
  int64_t scale = 1;
  for (int digit = 1; digit < width; ++digit) scale *= 10;
  for (; scale > 0; scale /= 10) out->push_back(static_cast<char>('0' + number / scale % 10));
}

void AppendClock(const Civil& civil, std::string* out) {
  AppendPadded(civil.clock.hours().count(), 2, out);
  out->push_back(':');
  AppendPadded(civil.clock.minutes().count(), 2, out);
  out->push_back(':');
  AppendPadded(civil.clock.seconds().count(), 2, out);
}

// Returns the index of a name, or the number of names if it is none of them.
template <size_t kCount>
unsigned IndexOf(std::string_view text, const std::array<std::string_view, kCount>& names) {
  unsigned index = 0;
  while (index < kCount && !SameIgnoringCase(text, names[index])) ++index;
  return index;
}

// Parses a number of exactly this many digits. Returns -1 for anything else.
int ReadDigits(std::string_view text) {
  int number = 0;
  for (char c : text) {
    if (!IsDigit(c)) return -1;
    number = number * 10 + (c - '0');
  }
  return number;
}

// Some clients write UTC instead of GMT.
bool IsUtc(std::string_view zone) {
  return EqualsIgnoreCase(zone, " gmt") || EqualsIgnoreCase(zone, " utc");
}

bool IsBelow(int number, int end) {
  return number >= 0 && number < end;
}

}  // namespace

std::string Rfc1123Date(int64_t unix_s) {
  const Civil civil(unix_s * 1000);
  std::string text(kWeekdays[std::chrono::weekday(civil.day).c_encoding()]);
  text.append(", ");
  AppendPadded(static_cast<unsigned>(civil.date.day()), 2, &text);
  text.append(" ").append(kMonths[static_cast<unsigned>(civil.date.month()) - 1]).append(" ");
  AppendPadded(static_cast<int>(civil.date.year()), 4, &text);
  text.push_back(' ');
  AppendClock(civil, &text);
  return text.append(" GMT");
}

bool ParseRfc1123(std::string_view text, int64_t* unix_ms) {
  constexpr size_t kChars = 29;
  if (text.size() != kChars || text.substr(3, 2) != ", " || text[7] != ' ' || text[11] != ' ' || text[16] != ' ' ||
      text[19] != ':' || text[22] != ':' || !IsUtc(text.substr(25))) {
    return false;
  }
  const int year = ReadDigits(text.substr(12, 4));
  const unsigned month = IndexOf(text.substr(8, 3), kMonths) + 1;
  const int day = ReadDigits(text.substr(5, 2));
  const int hour = ReadDigits(text.substr(17, 2));
  const int minute = ReadDigits(text.substr(20, 2));
  const int second = ReadDigits(text.substr(23, 2));
  if (year < 1 || day < 1 || !IsBelow(hour, 24) || !IsBelow(minute, 60) || !IsBelow(second, 60)) return false;
  const year_month_day date{std::chrono::year(year), std::chrono::month(month),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return false;
  const sys_days midnight(date);
  if (std::chrono::weekday(midnight).c_encoding() != IndexOf(text.substr(0, 3), kWeekdays)) return false;
  const auto time = midnight + std::chrono::hours(hour) + std::chrono::minutes(minute) + std::chrono::seconds(second);
  *unix_ms = milliseconds(time.time_since_epoch()).count();
  return true;
}

std::string Iso8601Date(int64_t unix_ms) {
  const Civil civil(unix_ms);
  std::string text;
  AppendPadded(static_cast<int>(civil.date.year()), 4, &text);
  text.push_back('-');
  AppendPadded(static_cast<unsigned>(civil.date.month()), 2, &text);
  text.push_back('-');
  AppendPadded(static_cast<unsigned>(civil.date.day()), 2, &text);
  text.push_back('T');
  AppendClock(civil, &text);
  if (const int64_t ms = civil.clock.subseconds().count(); ms != 0) {
    text.push_back('.');
    AppendPadded(ms, 3, &text);
  }
  text.push_back('Z');
  return text;
}

}  // namespace lapse
