#include "query/functions/date_format.h"

#include <algorithm>
#include <array>

#include "query/functions/date_time.h"

namespace lapse::query {
namespace {

constexpr std::array<std::string_view, 7> kWeekdays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                       "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"January",   "February", "March",    "April",
                                                      "May",       "June",     "July",     "August",
                                                      "September", "October",  "November", "December"};
constexpr size_t kShortName = 3;

void AppendNumber(int64_t number, size_t width, ByteBuilder* out) {
  char digits[20];
  size_t count = 0;
  do {
    digits[count++] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number > 0);
  for (size_t i = count; i < width; ++i) out->Append('0');
  while (count > 0) out->Append(digits[--count]);
}

void AppendName(std::string_view name, size_t letters, ByteBuilder* out) {
  out->Append(letters > kShortName ? name : name.substr(0, kShortName));
}

// Appends the first `width` digits of the fraction. For F, drops trailing zeros.
void AppendFraction(int64_t ticks, size_t width, bool trim, ByteBuilder* out) {
  char digits[kFractionDigits];
  for (size_t i = kFractionDigits; i > 0; --i, ticks /= 10) digits[i - 1] = static_cast<char>('0' + ticks % 10);
  std::string_view text(digits, std::min(width, kFractionDigits));
  if (trim) text = text.substr(0, text.find_last_not_of('0') + 1);
  out->Append(text);
}

void AppendYear(int64_t year, size_t letters, ByteBuilder* out) {
  AppendNumber(letters <= 2 ? year % 100 : year, letters, out);
}

// Returns false if the letter is not a format letter.
bool AppendField(char letter, size_t count, int64_t date, const DateParts& parts, ByteBuilder* out) {
  const size_t width = std::min<size_t>(count, 2);
  switch (letter) {
    case 'y': AppendYear(parts.year, count, out); return true;
    case 'M':
      if (count > 2) {
        AppendName(kMonths[static_cast<size_t>(parts.month - 1)], count, out);
      } else {
        AppendNumber(parts.month, width, out);
      }
      return true;
    case 'd':
      if (count > 2) {
        AppendName(kWeekdays[static_cast<size_t>(WeekdayOf(date))], count, out);
      } else {
        AppendNumber(parts.day, width, out);
      }
      return true;
    case 'H': AppendNumber(parts.hour, width, out); return true;
    case 'h': AppendNumber(parts.hour % 12 == 0 ? 12 : parts.hour % 12, width, out); return true;
    case 'm': AppendNumber(parts.minute, width, out); return true;
    case 's': AppendNumber(parts.second, width, out); return true;
    case 'f': AppendFraction(parts.ticks, count, false, out); return true;
    case 'F': AppendFraction(parts.ticks, count, true, out); return true;
    case 't': out->Append(std::string_view(parts.hour < 12 ? "AM" : "PM").substr(0, width)); return true;
    default: return false;
  }
}

}  // namespace

void AppendFormatted(int64_t ticks, std::string_view format, ByteBuilder* out) {
  const DateParts parts = PartsOf(ticks);
  while (!format.empty()) {
    const char letter = format[0];
    if (letter == '\\' && format.size() > 1) {
      out->Append(format[1]);
      format.remove_prefix(2);
      continue;
    }
    if (letter == '\'' || letter == '"') {
      const size_t end = std::min(format.find(letter, 1), format.size());
      out->Append(format.substr(1, end - 1));
      format.remove_prefix(std::min(end + 1, format.size()));
      continue;
    }
    const size_t count = std::min(format.find_first_not_of(letter), format.size());
    if (!AppendField(letter, count, ticks, parts, out)) out->Append(format.substr(0, count));
    format.remove_prefix(count);
  }
}

}  // namespace lapse::query
