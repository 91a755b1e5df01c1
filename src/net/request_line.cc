#include "net/request_line.h"

#include "base/ascii.h"
#include "net/ascii.h"

namespace lapse::net {
namespace {

FramingError ParseVersion(std::string_view version, RequestLine* parsed) {
  if (version == "HTTP/1.1") return {};
  if (version == "HTTP/1.0") {
    parsed->http_1_0 = true;
    return {};
  }
  const bool well_formed = version.size() == 8 && version.starts_with("HTTP/") && IsDigit(version[5]) &&
                           version[6] == '.' && IsDigit(version[7]);
  if (well_formed) return {505, "Only HTTP/1.0 and HTTP/1.1 are served."};
  return {400, "The request line does not end in an HTTP version."};
}

bool IsTargetChar(char c) {
  return c > 0x20 && c < 0x7F && c != '#';
}

// Reduces "http://host:port/path?query" to its origin form. Returns false if it has another form.
bool StripAuthority(std::string_view* target, std::string_view* authority) {
  const size_t scheme_end = target->find("://");
  if (scheme_end == std::string_view::npos) return false;
  const std::string_view scheme = target->substr(0, scheme_end);
  if (!EqualsIgnoreCase(scheme, "http") && !EqualsIgnoreCase(scheme, "https")) return false;
  target->remove_prefix(scheme_end + 3);
  const size_t authority_end = target->find_first_of("/?");
  if (authority_end == 0 || target->empty()) return false;
  *authority = target->substr(0, authority_end);
  target->remove_prefix(authority->size());
  return true;
}

FramingError ParseTarget(std::string_view target, RequestLine* parsed) {
  for (char c : target) {
    if (!IsTargetChar(c)) return {400, "The request target holds a byte that must be percent-encoded."};
  }
  if (target.empty() || (target.front() != '/' && !StripAuthority(&target, &parsed->authority))) {
    return {400, "The request target is neither a path nor an absolute URL."};
  }
  const size_t question = target.find('?');
  parsed->path = target.substr(0, question);
  if (parsed->path.empty()) parsed->path = "/";
  if (question != std::string_view::npos) parsed->query = target.substr(question + 1);
  return {};
}

}  // namespace

FramingError ParseRequestLine(std::string_view line, RequestLine* parsed) {
  *parsed = RequestLine{};
  const size_t method_end = line.find(' ');
  const size_t target_end = line.rfind(' ');
  if (method_end == std::string_view::npos || method_end == target_end) {
    return {400, "The request line is not `method target version`."};
  }
  parsed->method = line.substr(0, method_end);
  if (!IsToken(parsed->method)) return {400, "The method is not a token."};
  if (FramingError error = ParseVersion(line.substr(target_end + 1), parsed); error.status != 0) return error;
  return ParseTarget(line.substr(method_end + 1, target_end - method_end - 1), parsed);
}

}  // namespace lapse::net
