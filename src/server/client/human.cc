#include "server/client/human.h"

#include <algorithm>
#include <charconv>

#include "base/ascii.h"
#include "base/calendar.h"
#include "base/utf8.h"

namespace lapse::server::client {
namespace {

std::string Fixed(double value, int decimals) {
  char buffer[400];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value, std::chars_format::fixed, decimals);
  return error == std::errc() ? std::string(buffer, end) : "?";
}

}  // namespace

std::string FormatNumber(int64_t number) {
  std::string digits = std::to_string(number);
  size_t first = number < 0 ? 1 : 0;
  for (size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string FormatBytes(int64_t bytes) {
  constexpr std::string_view kUnits[] = {" KiB", " MiB", " GiB", " TiB", " PiB", " EiB"};
  if (bytes < 1024) return std::to_string(bytes) + " B";
  double size = static_cast<double>(bytes) / 1024;
  size_t unit = 0;
  // 1023.95 would be printed as 1024.0.
  for (; size >= 1023.95 && unit + 1 < std::size(kUnits); ++unit) size /= 1024;
  return Fixed(size, 1).append(kUnits[unit]);
}

std::string FormatSeconds(int64_t seconds) {
  struct Unit {
    int64_t seconds;
    char name;
  };
  std::string text;
  for (const Unit& unit : {Unit{86'400, 'd'}, Unit{3600, 'h'}, Unit{60, 'm'}, Unit{1, 's'}}) {
    int64_t count = seconds / unit.seconds;
    seconds %= unit.seconds;
    if (count != 0) text.append(std::to_string(count)).push_back(unit.name);
  }
  return text.empty() ? "0s" : text;
}

std::string FormatUnits(double request_units) {
  return Fixed(request_units, 2);
}

std::string FormatTime(int64_t unix_s) {
  return Iso8601Date(unix_s * 1000);
}

std::string FormatDefaultTtl(std::optional<int64_t> default_ttl) {
  if (!default_ttl) return "off";
  return *default_ttl < 0 ? std::to_string(*default_ttl) : FormatSeconds(*default_ttl);
}

std::string Printable(std::string_view text) {
  std::string printable;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_high = BeginsHighControl(text.substr(i));
    if (is_high) ++i;
    printable.push_back(is_high || IsControl(text[i]) ? '?' : text[i]);
  }
  return printable;
}

size_t Columns(std::string_view utf8) {
  return static_cast<size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) { return !IsContinuation(c); }));
}

}  // namespace lapse::server::client
