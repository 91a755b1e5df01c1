// Why this server does not accept bytes as a request: the status of the answer and a sentence for people.
#pragma once

#include <string_view>

namespace lapse::net {

struct FramingError {
  int status = 0;           // 0: no error
  std::string_view reason;  // a literal
};

}  // namespace lapse::net
