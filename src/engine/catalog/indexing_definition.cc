#include "engine/catalog/indexing_definition.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;
constexpr uint8_t kOneValue = 1;
constexpr uint8_t kIndexed = 2;

}  // namespace

void IndexingDefinition::Encode(std::string* out) const {
  PutLittleEndian(out, kVersion);
  PutLittleEndian(out, static_cast<uint32_t>(paths.size()));
  for (const Path& path : paths) {
    PutLittleEndian(out, static_cast<uint8_t>((path.one_value ? kOneValue : 0) | (path.indexed ? kIndexed : 0)));
    PutLittleEndian(out, static_cast<uint32_t>(path.names.size()));
    for (const std::string& name : path.names) PutText(out, name);
  }
  PutLittleEndian(out, composites);
}

bool IndexingDefinition::Decode(std::string_view* bytes, IndexingDefinition* definition) {
  ByteReader reader(*bytes);
  if (reader.Byte() != kVersion) return false;
  IndexingDefinition decoded;
  for (uint32_t left = reader.LittleEndian<uint32_t>(); left > 0 && reader.ok(); --left) {
    Path path;
    const uint8_t flags = reader.Byte();
    path.one_value = (flags & kOneValue) != 0;
    path.indexed = (flags & kIndexed) != 0;
    if ((flags & ~(kOneValue | kIndexed)) != 0) return false;
    for (uint32_t names = reader.LittleEndian<uint32_t>(); names > 0 && reader.ok(); --names) {
      path.names.emplace_back(reader.Text());
    }
    decoded.paths.push_back(std::move(path));
  }
  decoded.composites = reader.LittleEndian<int64_t>();
  if (!reader.ok()) return false;
  *definition = std::move(decoded);
  *bytes = reader.rest();
  return true;
}

}  // namespace lapse::engine
