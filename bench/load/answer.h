// Answers as the load generator needs them: the status, and where the answer ends. It trusts the servers it measures
// and parses as little as it can, since its own cost is in every figure.
#pragma once

#include <strings.h>

#include <cstddef>
#include <cstdlib>
#include <string_view>

namespace lapse::bench {

struct Answer {
  int status = 0;
  size_t header_bytes = 0;  // including the blank line
  size_t body_bytes = 0;
};

// Returns false while the answer is incomplete. Only answers with a length are understood: no measured server sends
// others.
inline bool ParseAnswer(std::string_view bytes, Answer* answer) {
  constexpr std::string_view kLength = "content-length:";
  size_t headers_end = bytes.find("\r\n\r\n");
  if (headers_end == std::string_view::npos) return false;
  answer->status = std::atoi(bytes.data() + bytes.find(' ') + 1);
  answer->header_bytes = headers_end + 4;
  answer->body_bytes = 0;
  for (size_t line = bytes.find('\n') + 1; line < headers_end; line = bytes.find('\n', line) + 1) {
    if ((bytes[line] | 0x20) != 'c' || strncasecmp(bytes.data() + line, kLength.data(), kLength.size()) != 0) continue;
    answer->body_bytes = static_cast<size_t>(std::atoll(bytes.data() + line + kLength.size()));
    break;
  }
  return bytes.size() >= answer->header_bytes + answer->body_bytes;
}

}  // namespace lapse::bench
