#include "engine/changes/change_log.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

}  // namespace

std::string LogKey(PartitionId partition, Sequence sequence) {
  std::string key;
  key.reserve(16);
  PutBigEndian(&key, partition.container);
  PutBigEndian(&key, partition.number);
  PutBigEndian(&key, sequence);
  return key;
}

void EncodeLoggedChange(const LoggedChange& change, std::string* out) {
  out->reserve(out->size() + 80 + change.head_key.size() + change.current.size() + change.previous_doc.size());
  out->push_back(static_cast<char>(kVersion));
  out->push_back(static_cast<char>(change.kind));
  PutLittleEndian(out, change.lsn);
  PutLittleEndian(out, change.time_ms);
  PutLittleEndian(out, change.logged_ms);
  PutLittleEndian(out, change.number);
  PutLittleEndian(out, change.previous.sequence);
  PutLittleEndian(out, change.previous.ts_s);
  PutLittleEndian(out, change.previous_lsn);
  PutText(out, change.head_key);
  PutText(out, change.current);
  PutText(out, change.previous_doc);
}

Status DecodeLoggedChange(std::string_view key, std::string_view value, LoggedChange* change) {
  ByteReader key_reader(key);
  key_reader.Take(sizeof(ContainerId) + sizeof(PartitionNumber));
  change->sequence = key_reader.BigEndian<Sequence>();
  ByteReader reader(value);
  const uint8_t version = reader.Byte();
  const uint8_t kind = reader.Byte();
  change->kind = static_cast<ChangeKind>(kind);
  change->lsn = reader.LittleEndian<Lsn>();
  change->time_ms = reader.LittleEndian<int64_t>();
  change->logged_ms = reader.LittleEndian<int64_t>();
  change->number = reader.LittleEndian<ItemNumber>();
  change->previous.sequence = reader.LittleEndian<Sequence>();
  change->previous.ts_s = reader.LittleEndian<int64_t>();
  change->previous_lsn = reader.LittleEndian<Lsn>();
  change->head_key = reader.Text();
  change->current = reader.Text();
  change->previous_doc = reader.Text();
  const bool known = version == kVersion && kind >= static_cast<uint8_t>(ChangeKind::kCreate) &&
                     kind <= static_cast<uint8_t>(ChangeKind::kExpiry);
  if (!known || !reader.AtEnd() || !key_reader.AtEnd())
    return {Code::kCorruption, "malformed record in the change log"};
  return Status::Ok();
}

}  // namespace lapse::engine
