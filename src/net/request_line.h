// The first line of a request: method, target, version.
#pragma once

#include <string_view>

#include "net/framing_error.h"

namespace lapse::net {

// Views into the parsed line, except for the path of a target without one, which is "/".
struct RequestLine {
  std::string_view method;
  std::string_view path;
  std::string_view query;
  std::string_view authority;  // `host:port` of an absolute-form target, otherwise empty
  bool http_1_0 = false;
};

// `line` comes without its CRLF. Accepts origin-form and absolute-form targets.
// Fails: 400 for a malformed line, 505 for a version other than 1.0 and 1.1.
FramingError ParseRequestLine(std::string_view line, RequestLine* parsed);

}  // namespace lapse::net
