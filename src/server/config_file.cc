#include "server/config_file.h"

#include <map>
#include <utility>

#include "base/small_file.h"
#include "server/usage_text.h"

namespace lapse::server {
namespace {

// Options fill a page or two, so a larger file was named by mistake.
constexpr size_t kConfigFileMax_bytes = 1 << 20;
constexpr std::string_view kBlanksInLine = " \t\r";
// Characters that separate a name and a value in other notations.
constexpr std::string_view kNoNameChars = " \t\r:[]\"'";

std::string_view Trimmed(std::string_view text) {
  const size_t begin = text.find_first_not_of(kBlanksInLine);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanksInLine) - begin + 1);
}

std::string_view WithoutComment(std::string_view text) {
  return Trimmed(text.substr(0, text.find('#')));
}

Result<std::string> ParseValue(std::string_view text, const std::string& place) {
  text = Trimmed(text);
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return std::string(WithoutComment(text));
  const size_t end = text.find(text.front(), 1);
  if (end == std::string_view::npos) return WrongUsage(place + ": the quote is not closed");
  if (!WithoutComment(text.substr(end + 1)).empty())
    return WrongUsage(place + ": there is text after the closing quote");
  return std::string(text.substr(1, end - 1));
}

bool IsName(std::string_view text) {
  return !text.empty() && text.find_first_of(kNoNameChars) == std::string_view::npos;
}

// Leaves `line` empty for a line without an option.
Status ParseLine(std::string_view text, const std::string& place, ConfigLine* line) {
  text = Trimmed(text);
  if (text.empty() || text.front() == '#' || text.front() == ';') return Status::Ok();
  const size_t equals = text.find('=');
  line->name = Trimmed(text.substr(0, equals));
  // Do not show text that is not a name: it may be a key.
  if (equals == std::string_view::npos || !IsName(line->name)) {
    return WrongUsage(place + ": an option is written as 'name = value'");
  }
  LAPSE_ASSIGN_OR_RETURN(line->value, ParseValue(text.substr(equals + 1), place));
  return Status::Ok();
}

}  // namespace

std::string PlaceInFile(std::string_view path, int line) {
  return std::string(path) + " line " + std::to_string(line);
}

Result<std::vector<ConfigLine>> ParseConfig(std::string_view path, std::string_view text) {
  std::vector<ConfigLine> lines;
  std::map<std::string, int> seen;
  for (int number = 1; !text.empty(); ++number) {
    const size_t end = text.find('\n');
    const std::string place = PlaceInFile(path, number);
    ConfigLine line{.name = "", .value = "", .number = number};
    LAPSE_RETURN_IF_ERROR(ParseLine(text.substr(0, end), place, &line));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.name.empty()) continue;
    const auto [before, is_new] = seen.emplace(line.name, number);
    if (!is_new) {
      return WrongUsage(place + ": " + QuotedUnlessKey(line.name) + " is given again, after line " +
                        std::to_string(before->second));
    }
    lines.push_back(std::move(line));
  }
  return lines;
}

Result<std::vector<ConfigLine>> ReadConfigFile(const std::string& path) {
  const Result<std::string> text = ReadSmallFile(path, kConfigFileMax_bytes, "the configuration file");
  if (!text.ok()) return WrongUsage(text.status().message());
  return ParseConfig(path, *text);
}

}  // namespace lapse::server
