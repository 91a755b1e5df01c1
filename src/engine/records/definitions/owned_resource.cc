#include "engine/records/definitions/owned_resource.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kOwnedResourceVersion = 1;

Status Malformed() {
  return {Code::kCorruption, "malformed record of an owned resource in the catalog"};
}

}  // namespace

std::string EncodeOwnedResource(const OwnedResource& resource) {
  std::string out(1, static_cast<char>(kOwnedResourceVersion));
  PutLittleEndian(&out, resource.place.owner);
  out.push_back(static_cast<char>(resource.place.kind));
  PutText(&out, resource.content.name);
  PutText(&out, resource.content.unique);
  PutText(&out, resource.content.properties);
  PutLittleEndian(&out, resource.ts_s);
  PutLittleEndian(&out, resource.revision);
  return out;
}

Result<OwnedResource> DecodeOwnedResource(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint8_t version = reader.Byte();
  OwnedResource resource;
  resource.place.owner = reader.LittleEndian<ResourceNumber>();
  resource.place.kind = reader.Byte();
  resource.content.name = reader.Text();
  resource.content.unique = reader.Text();
  resource.content.properties = reader.Text();
  resource.ts_s = reader.LittleEndian<int64_t>();
  resource.revision = reader.LittleEndian<uint64_t>();
  if (!reader.AtEnd() || version != kOwnedResourceVersion) return Malformed();
  return resource;
}

std::string EncodeResourceCounter(ResourceNumber last) {
  std::string out(1, static_cast<char>(kOwnedResourceVersion));
  PutLittleEndian(&out, last);
  return out;
}

Result<ResourceNumber> DecodeResourceCounter(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint8_t version = reader.Byte();
  const auto last = reader.LittleEndian<ResourceNumber>();
  if (!reader.AtEnd() || version != kOwnedResourceVersion) return Malformed();
  return last;
}

}  // namespace lapse::engine
