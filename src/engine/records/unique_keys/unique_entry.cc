#include "engine/records/unique_keys/unique_entry.h"

#include <cstdint>

#include "base/bytes.h"
#include "engine/records/items/item_keys.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kEntryVersion = 1;

}  // namespace

std::string UniqueEntryKey(std::string_view head_key, size_t unique_key, const UniqueHash& hash) {
  const std::string_view prefix = LogicalPrefixOf(head_key);
  std::string key;
  key.reserve(prefix.size() + 1 + hash.size());
  key.append(prefix);
  key.push_back(static_cast<char>(unique_key));
  key.append(reinterpret_cast<const char*>(hash.data()), hash.size());
  return key;
}

std::string EncodeUniqueEntry(const std::vector<ItemNumber>& holders) {
  std::string bytes;
  bytes.reserve(1 + holders.size() * sizeof(ItemNumber));
  PutLittleEndian(&bytes, kEntryVersion);
  for (ItemNumber holder : holders) PutLittleEndian(&bytes, holder);
  return bytes;
}

Status DecodeUniqueEntry(std::string_view bytes, std::vector<ItemNumber>* holders) {
  ByteReader reader(bytes);
  const uint8_t version = reader.Byte();
  holders->clear();
  while (reader.ok() && !reader.AtEnd()) holders->push_back(reader.LittleEndian<ItemNumber>());
  if (!reader.ok() || version != kEntryVersion || holders->empty()) {
    return {Code::kCorruption, "malformed entry of a unique key"};
  }
  return Status::Ok();
}

}  // namespace lapse::engine
