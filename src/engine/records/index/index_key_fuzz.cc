// Any bytes as a key of an index. A key that is taken must come back the same from its parts, and each value that is
// taken from its value must come back the same too.
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
