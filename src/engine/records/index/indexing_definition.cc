#include "engine/records/index/indexing_definition.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kIndexingVersion = 1;
constexpr uint8_t kIndexingVersionWithDerived = 2;
constexpr uint8_t kOneValue = 1;
constexpr uint8_t kIndexed = 2;

void PutNames(std::string* out, const std::vector<std::string>& names) {
  PutLittleEndian(out, static_cast<uint32_t>(names.size()));
  for (const std::string& name : names) PutText(out, name);
}

std::vector<std::string> TakeNames(ByteReader* reader) {
  std::vector<std::string> names;
  for (uint32_t left = reader->LittleEndian<uint32_t>(); left > 0 && reader->ok(); --left) {
    names.emplace_back(reader->Text());
  }
  return names;
}

bool TakeBool(ByteReader* reader, bool* value) {
  const uint8_t byte = reader->Byte();
  *value = byte == 1;
  return reader->ok() && byte <= 1;
}

bool TakeComposite(ByteReader* reader, IndexingDefinition::Composite* composite) {
  for (uint32_t left = reader->LittleEndian<uint32_t>(); left > 0 && reader->ok(); --left) {
    IndexingDefinition::CompositePath path;
    if (!TakeBool(reader, &path.descending)) return false;
    path.names = TakeNames(reader);
    composite->push_back(std::move(path));
  }
  return reader->ok();
}

void PutDerived(const IndexingDefinition& definition, std::string* out) {
  PutLittleEndian(out, static_cast<uint32_t>(definition.derived.size()));
  for (const IndexingDefinition::DerivedProperty& property : definition.derived) {
    PutText(out, property.name);
    PutText(out, property.rule);
  }
  PutLittleEndian(out, static_cast<uint32_t>(definition.marked.size()));
  for (const IndexingDefinition::MarkedPath& path : definition.marked) {
    PutLittleEndian(out, static_cast<uint8_t>(path.one_value ? 1 : 0));
    PutNames(out, path.names);
  }
  PutText(out, definition.mark_rule);
}

bool TakeDerived(ByteReader* reader, IndexingDefinition* definition) {
  for (uint32_t left = reader->LittleEndian<uint32_t>(); left > 0 && reader->ok(); --left) {
    std::string name(reader->Text());
    definition->derived.push_back({std::move(name), std::string(reader->Text())});
  }
  for (uint32_t left = reader->LittleEndian<uint32_t>(); left > 0 && reader->ok(); --left) {
    IndexingDefinition::MarkedPath path;
    if (!TakeBool(reader, &path.one_value)) return false;
    path.names = TakeNames(reader);
    definition->marked.push_back(std::move(path));
  }
  definition->mark_rule = reader->Text();
  return reader->ok();
}

}  // namespace

bool IndexingDefinition::IndexesNothing() const {
  return composites.empty() && marked.empty() &&
         std::none_of(paths.begin(), paths.end(), [](const Path& path) { return path.indexed; });
}

void IndexingDefinition::Encode(std::string* out) const {
  PutLittleEndian(out, DerivesAnything() ? kIndexingVersionWithDerived : kIndexingVersion);
  PutLittleEndian(out, static_cast<uint32_t>(paths.size()));
  for (const Path& path : paths) {
    PutLittleEndian(out, static_cast<uint8_t>((path.one_value ? kOneValue : 0) | (path.indexed ? kIndexed : 0)));
    PutNames(out, path.names);
  }
  PutLittleEndian(out, static_cast<uint32_t>(composites.size()));
  for (const Composite& composite : composites) {
    PutLittleEndian(out, static_cast<uint32_t>(composite.size()));
    for (const CompositePath& path : composite) {
      PutLittleEndian(out, static_cast<uint8_t>(path.descending ? 1 : 0));
      PutNames(out, path.names);
    }
  }
  PutLittleEndian(out, static_cast<uint8_t>(automatic ? 1 : 0));
  if (DerivesAnything()) PutDerived(*this, out);
}

bool IndexingDefinition::Decode(std::string_view* bytes, IndexingDefinition* definition) {
  ByteReader reader(*bytes);
  const uint8_t version = reader.Byte();
  if (version != kIndexingVersion && version != kIndexingVersionWithDerived) return false;
  IndexingDefinition decoded;
  for (uint32_t left = reader.LittleEndian<uint32_t>(); left > 0 && reader.ok(); --left) {
    Path path;
    const uint8_t flags = reader.Byte();
    path.one_value = (flags & kOneValue) != 0;
    path.indexed = (flags & kIndexed) != 0;
    if ((flags & ~(kOneValue | kIndexed)) != 0) return false;
    path.names = TakeNames(&reader);
    decoded.paths.push_back(std::move(path));
  }
  for (uint32_t left = reader.LittleEndian<uint32_t>(); left > 0 && reader.ok(); --left) {
    if (!TakeComposite(&reader, &decoded.composites.emplace_back())) return false;
  }
  if (!TakeBool(&reader, &decoded.automatic)) return false;
  if (version == kIndexingVersionWithDerived && !TakeDerived(&reader, &decoded)) return false;
  *definition = std::move(decoded);
  *bytes = reader.rest();
  return true;
}

}  // namespace lapse::engine
