// Reads arbitrary bytes as JSON. Text that is accepted must become well-formed BSON, must be JSON to a strict parser as
// well, and must survive printing and parsing again.
#include <simdjson.h>

#include <cstdlib>
#include <string>

#include "doc/json.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

// Uses simdjson's other interface, which visits the whole text by itself. It has no integers beyond 64 bits.
void RequireJson(std::string_view text) {
  simdjson::dom::parser parser;
  auto error = parser.parse(text.data(), text.size()).error();
  Require(error == simdjson::SUCCESS || error == simdjson::NUMBER_ERROR);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lapse::doc;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  bool is_array = size > 0 && text[0] == '[';
  auto parse = is_array ? JsonArrayToBson : JsonToBson;
  auto print = is_array ? ArrayToJson : ObjectToJson;
  const JsonLimits limits;
  std::string bson;
  if (!parse(text, limits, &bson).ok()) {
    Require(bson.empty());
    return 0;
  }
  RequireJson(text);
  Require(Validate(bson, limits.depth_max).ok());
  std::string json;
  print(bson, &json);
  RequireJson(json);
  std::string again;
  Require(parse(json, limits, &again).ok());
  Require(again == bson);
  return 0;
}
