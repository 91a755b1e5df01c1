// Splits arbitrary bytes as index keys. Parts of an accepted key must encode to the same key, and so must each value
// accepted in it.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "engine/records/index/index_key.h"
#include "engine/records/index/index_value.h"

namespace {

void Require(bool condition) {
  if (!condition) std::abort();
}

void CheckValues(std::string_view bytes) {
  using namespace lapse::engine;
  IndexValue value;
  for (std::string_view rest = bytes; TakeIndexValue(&rest, &value); bytes = rest) {
    Require(rest.size() < bytes.size());
    std::string again;
    PutIndexValue(&again, value);
    Require(again == bytes.substr(0, bytes.size() - rest.size()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace lapse::engine;
  const std::string_view key(reinterpret_cast<const char*>(data), size);
  CheckValues(key);
  IndexKeyParts parts;
  if (!SplitIndexKey(key, &parts)) return 0;
  Require(IndexKey(parts.index, std::string(BytesOf(parts.path)).append(parts.value), parts.item) == key);
  CheckValues(parts.value);
  return 0;
}
