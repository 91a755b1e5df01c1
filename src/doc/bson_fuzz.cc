// Reads arbitrary bytes as BSON. A document that passes Validate must print as valid JSON, and following every path in
// it must be safe.
#include <cstdlib>
#include <string>
#include <vector>

#include "doc/json.h"
#include "doc/path.h"

namespace {

using namespace lapse::doc;

constexpr int kDepthMax = 32;

void Require(bool condition) {
  if (!condition) std::abort();
}

void Walk(std::string_view root, std::string_view document, bool is_array, std::vector<std::string>* names) {
  Reader reader(document);
  for (size_t index = 0; auto element = reader.Next(); ++index) {
    names->push_back(is_array ? std::to_string(index) : std::string(element->name));
    // If elements share a name, the first is found. So a path may lead elsewhere, but at depth 1 it always leads
    // somewhere.
    Value found = FindPath(root, Path(*names));
    if (names->size() == 1) Require(!found.missing());
    Value value = element->value;
    (void)value.AsWholeNumber();
    if (value.type() == Type::kObject || value.type() == Type::kArray) {
      Walk(root, value.AsDocument(), value.type() == Type::kArray, names);
    }
    names->pop_back();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view document(reinterpret_cast<const char*>(data), size);
  if (!Validate(document, kDepthMax).ok()) return 0;
  std::string json;
  ObjectToJson(document, &json);
  // BSON allows duplicate names, our JSON does not. Only other errors are bugs.
  std::string bson;
  lapse::Status status = JsonToBson(json, {}, &bson);
  Require(status.ok() || status.message().find("twice") != std::string::npos);
  std::vector<std::string> names;
  Walk(document, document, false, &names);
  return 0;
}
