#include "engine/records/index/index_key.h"

#include <algorithm>

#include "base/bytes.h"

namespace lapse::engine {

std::string IndexPrefix(IndexId index, PartitionNumber partition) {
  std::string prefix;
  PutBigEndian(&prefix, index);
  PutBigEndian(&prefix, partition);
  return prefix;
}

std::string IndexPathPrefix(IndexId index, PartitionNumber partition, const PathNumber& path) {
  return IndexBound(index, partition, path, {});
}

std::string IndexBound(IndexId index, PartitionNumber partition, const PathNumber& path, std::string_view value) {
  std::string bound;
  bound.reserve(kIndexPathBytes + value.size() + kCreationBytes);
  PutBigEndian(&bound, index);
  PutBigEndian(&bound, partition);
  return bound.append(BytesOf(path)).append(value);
}

std::string IndexKey(IndexId index, std::string_view path_and_value, ItemNumber item) {
  std::string key;
  key.reserve(kIndexPrefixBytes + path_and_value.size() + kCreationBytes);
  PutBigEndian(&key, index);
  PutBigEndian(&key, PartitionOf(item));
  key.append(path_and_value);
  PutCreation(&key, item);
  return key;
}

void PutCreation(std::string* out, ItemNumber item) {
  const uint64_t creation = CreationOf(item);
  out->push_back(static_cast<char>(creation >> 32));
  PutBigEndian(out, static_cast<uint32_t>(creation));
}

bool SplitIndexKey(std::string_view key, IndexKeyParts* parts) {
  if (key.size() < kIndexPathBytes + kCreationBytes) return false;
  ByteReader reader(key);
  parts->index = reader.BigEndian<IndexId>();
  const PartitionNumber partition = reader.BigEndian<PartitionNumber>();
  if (partition > kPartitionNumberMax) return false;
  key.substr(kIndexPrefixBytes, kPathNumberBytes).copy(parts->path.data(), kPathNumberBytes);
  parts->value = key.substr(kIndexPathBytes, key.size() - kIndexPathBytes - kCreationBytes);
  if ((parts->path == kRootPath) != parts->value.empty()) return false;
  ByteReader last(key.substr(key.size() - kCreationBytes));
  const uint64_t high = last.Byte();
  parts->item = MakeItemNumber(partition, high << 32 | last.BigEndian<uint32_t>());
  return true;
}

}  // namespace lapse::engine
