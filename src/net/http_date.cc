#include "net/http_date.h"

#include <array>
#include <chrono>
#include <string_view>

namespace lapse::net {
namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

void AppendPadded(std::string* out, int64_t value, int width) {
  for (int64_t scale = width == 4 ? 1000 : 10; scale > 0; scale /= 10) {
    out->push_back(static_cast<char>('0' + value / scale % 10));
  }
}

}  // namespace

std::string HttpDate(int64_t unix_s) {
  const std::chrono::sys_seconds time{std::chrono::seconds(unix_s)};
  const auto day = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(day);
  const std::chrono::hh_mm_ss clock(time - day);

  std::string text(kDays[std::chrono::weekday(day).c_encoding()]);
  text.append(", ");
  AppendPadded(&text, static_cast<unsigned>(date.day()), 2);
  text.push_back(' ');
  text.append(kMonths[static_cast<unsigned>(date.month()) - 1]);
  text.push_back(' ');
  AppendPadded(&text, static_cast<int>(date.year()), 4);
  text.push_back(' ');
  AppendPadded(&text, clock.hours().count(), 2);
  text.push_back(':');
  AppendPadded(&text, clock.minutes().count(), 2);
  text.push_back(':');
  AppendPadded(&text, clock.seconds().count(), 2);
  text.append(" GMT");
  return text;
}

}  // namespace lapse::net
