#include "engine/records/unique_keys/unique_keys_definition.h"

#include <cstdint>
#include <utility>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kDefinitionVersion = 1;

}  // namespace

Status UniqueKeysDefinition::Check() const {
  if (keys.size() > kKeysMax) return {Code::kInvalidArgument, "too many unique keys"};
  for (const Key& key : keys) {
    if (key.paths.empty()) return {Code::kInvalidArgument, "a unique key needs a path"};
    if (key.paths.size() > kPathsMax) return {Code::kInvalidArgument, "a unique key has too many paths"};
  }
  return Status::Ok();
}

void UniqueKeysDefinition::Encode(std::string* out) const {
  PutLittleEndian(out, kDefinitionVersion);
  PutLittleEndian(out, static_cast<uint32_t>(keys.size()));
  for (const Key& key : keys) {
    PutLittleEndian(out, static_cast<uint32_t>(key.paths.size()));
    for (const doc::Path& path : key.paths) {
      PutLittleEndian(out, static_cast<uint32_t>(path.names().size()));
      for (const std::string& name : path.names()) PutText(out, name);
    }
  }
}

bool UniqueKeysDefinition::Decode(std::string_view* bytes, UniqueKeysDefinition* definition) {
  ByteReader reader(*bytes);
  if (reader.Byte() != kDefinitionVersion) return false;
  UniqueKeysDefinition decoded;
  for (uint32_t keys = reader.LittleEndian<uint32_t>(); keys > 0 && reader.ok(); --keys) {
    Key key;
    for (uint32_t paths = reader.LittleEndian<uint32_t>(); paths > 0 && reader.ok(); --paths) {
      std::vector<std::string> names;
      for (uint32_t left = reader.LittleEndian<uint32_t>(); left > 0 && reader.ok(); --left) {
        names.emplace_back(reader.Text());
      }
      key.paths.emplace_back(std::move(names));
    }
    decoded.keys.push_back(std::move(key));
  }
  if (!reader.ok() || !decoded.Check().ok()) return false;
  *definition = std::move(decoded);
  *bytes = reader.rest();
  return true;
}

}  // namespace lapse::engine
