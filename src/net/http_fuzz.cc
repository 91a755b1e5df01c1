// Passes the same bytes to the request parser whole and in pieces. The outcome must depend neither on how they were
// split nor on whether the buffer moved between pieces.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "net/request_parser.h"

namespace lapse::net {
namespace {

constexpr ParserLimits kLimits = {.header_bytes_max = 256, .headers_max = 6, .body_bytes_max = 64};

void Require(bool condition) {
  if (!condition) std::abort();
}

bool IsWithin(std::string_view part, std::string_view whole) {
  return part.data() >= whole.data() && part.data() + part.size() <= whole.data() + whole.size();
}

// All requests at the front of the bytes, as on a kept-alive connection.
struct Transcript {
  std::vector<std::string> requests;
  int error_status = 0;

  bool operator==(const Transcript&) const = default;
};

std::string Describe(RequestParser& parser) {
  const Request& request = parser.request();
  std::string text;
  for (std::string_view part : {request.method, request.path, request.query, request.body}) {
    text.append(part).push_back('\n');
  }
  for (const HeaderField& field : request.headers) text.append(field.name).append("=").append(field.value).append("\n");
  text.append(parser.keep_alive() ? "keep" : "close").append(parser.http_1_0() ? " 1.0" : " 1.1");
  return text;
}

Transcript ParseWhole(std::string_view bytes) {
  Transcript transcript;
  RequestParser parser(kLimits);
  while (true) {
    const RequestParser::Outcome outcome = parser.Parse(bytes);
    if (outcome == RequestParser::Outcome::kNeedMore) return transcript;
    if (outcome == RequestParser::Outcome::kFailed) {
      transcript.error_status = parser.error().status;
      return transcript;
    }
    Require(parser.request_bytes() <= bytes.size() && parser.request_bytes() > 0);
    Require(parser.request().body.size() <= kLimits.body_bytes_max);
    transcript.requests.push_back(Describe(parser));
    bytes.remove_prefix(parser.request_bytes());
    parser.Reset();
  }
}

// Each piece gets a fresh copy of the buffer, so that the sanitizer finds views that were kept too long.
Transcript ParseInPieces(std::string_view bytes, uint32_t seed) {
  Transcript transcript;
  RequestParser parser(kLimits);
  auto buffer = std::make_unique<std::vector<char>>();
  const auto replace = [&buffer](std::string_view kept, std::string_view more) {
    auto fresh = std::make_unique<std::vector<char>>(kept.begin(), kept.end());
    fresh->insert(fresh->end(), more.begin(), more.end());
    fresh->shrink_to_fit();
    buffer = std::move(fresh);
  };
  const auto view = [&buffer] { return std::string_view(buffer->data(), buffer->size()); };

  while (!bytes.empty()) {
    seed = seed * 1664525 + 1013904223;
    const std::string_view piece = bytes.substr(0, 1 + (seed >> 16) % 9);
    bytes.remove_prefix(piece.size());
    replace(view(), piece);
    RequestParser::Outcome outcome;
    while ((outcome = parser.Parse(view())) == RequestParser::Outcome::kDone) {
      transcript.requests.push_back(Describe(parser));
      replace(view().substr(parser.request_bytes()), {});
      parser.Reset();
    }
    if (outcome == RequestParser::Outcome::kFailed) {
      transcript.error_status = parser.error().status;
      return transcript;
    }
    if (parser.stage() == RequestParser::Stage::kBody) {
      parser.ShowHead(view());
      Require(IsWithin(parser.request().method, view()));
      for (const HeaderField& field : parser.request().headers) Require(IsWithin(field.name, view()));
    }
    if (const size_t released = parser.ReleaseDecoded(); released > 0) {
      replace(view().substr(0, parser.head_bytes()), view().substr(parser.head_bytes() + released));
    }
  }
  return transcript;
}

}  // namespace
}  // namespace lapse::net

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < sizeof(uint32_t)) return 0;
  uint32_t seed = 0;
  std::memcpy(&seed, data, sizeof(seed));
  const std::string_view bytes(reinterpret_cast<const char*>(data) + sizeof(seed), size - sizeof(seed));
  lapse::net::Require(lapse::net::ParseWhole(bytes) == lapse::net::ParseInPieces(bytes, seed));
  return 0;
}
