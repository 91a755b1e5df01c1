#include "server/usage_text.h"

#include <utility>

#include "base/ascii.h"

namespace lapse::server {
namespace {

// Shorter texts may be quoted: such a short key protects nothing.
constexpr size_t kKeyCharsMin = 16;

bool IsBase64Char(char c) {
  return IsLetter(c) || IsDigit(c) || c == '+' || c == '/' || c == '=';
}

bool CouldBeKey(std::string_view text) {
  if (text.size() < kKeyCharsMin) return false;
  for (char c : text) {
    if (!IsBase64Char(c)) return false;
  }
  return true;
}

}  // namespace

Status WrongUsage(std::string message) {
  return {Code::kInvalidArgument, std::move(message)};
}

std::string QuotedUnlessKey(std::string_view text) {
  if (CouldBeKey(text)) return "(a text of " + std::to_string(text.size()) + " characters, not shown: it may be a key)";
  return "'" + std::string(text) + "'";
}

std::string DescribeUnexpected(const std::vector<std::string>& arguments) {
  std::string options;
  std::string words;
  for (const std::string& argument : arguments) {
    const bool is_option = argument.starts_with('-');
    std::string& list = is_option ? options : words;
    if (!list.empty()) list += ", ";
    list += QuotedUnlessKey(is_option ? argument.substr(0, argument.find('=')) : argument);
  }
  if (!options.empty()) return "there is no option " + options;
  return "not expected: " + words;
}

}  // namespace lapse::server
