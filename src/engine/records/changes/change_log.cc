#include "engine/records/changes/change_log.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

Status Malformed() {
  return {Code::kCorruption, "malformed record in the change log"};
}

}  // namespace

std::string LogKey(PartitionId partition, Sequence sequence) {
  std::string key;
  key.reserve(16);
  PutBigEndian(&key, partition.container);
  PutBigEndian(&key, partition.number);
  PutBigEndian(&key, sequence);
  return key;
}

void EncodeLogFront(const LogFront& front, std::string* out) {
  out->push_back(static_cast<char>(kVersion));
  out->push_back(static_cast<char>(front.kind));
  PutLittleEndian(out, front.lsn);
  PutLittleEndian(out, front.time_ms);
  PutLittleEndian(out, front.logged_ms);
}

Status TakeLogFront(std::string_view key, std::string_view* value, LogFront* front) {
  ByteReader key_reader(key);
  key_reader.Take(sizeof(ContainerId) + sizeof(PartitionNumber));
  front->sequence = key_reader.BigEndian<Sequence>();
  ByteReader reader(*value);
  const uint8_t version = reader.Byte();
  const uint8_t kind = reader.Byte();
  front->kind = static_cast<LogRecordKind>(kind);
  front->lsn = reader.LittleEndian<Lsn>();
  front->time_ms = reader.LittleEndian<int64_t>();
  front->logged_ms = reader.LittleEndian<int64_t>();
  const bool known = version == kVersion && kind >= static_cast<uint8_t>(LogRecordKind::kCreate) &&
                     kind <= static_cast<uint8_t>(LogRecordKind::kExpiredRange);
  if (!known || !reader.ok() || !key_reader.AtEnd()) return Malformed();
  *value = reader.rest();
  return Status::Ok();
}

void EncodeLoggedChange(const LoggedChange& change, std::string* out) {
  out->reserve(out->size() + 80 + change.head_key.size() + change.current.size() + change.previous_doc.size());
  EncodeLogFront(
      {static_cast<LogRecordKind>(change.kind), change.sequence, change.lsn, change.time_ms, change.logged_ms}, out);
  PutLittleEndian(out, change.number);
  PutLittleEndian(out, change.previous.sequence);
  PutLittleEndian(out, change.previous.ts_s);
  PutLittleEndian(out, change.previous_lsn);
  PutText(out, change.head_key);
  PutText(out, change.current);
  PutText(out, change.previous_doc);
}

Status DecodeLoggedChange(std::string_view key, std::string_view value, LoggedChange* change) {
  LogFront front;
  LAPSE_RETURN_IF_ERROR(TakeLogFront(key, &value, &front));
  change->kind = static_cast<ChangeKind>(front.kind);
  change->sequence = front.sequence;
  change->lsn = front.lsn;
  change->time_ms = front.time_ms;
  change->logged_ms = front.logged_ms;
  ByteReader reader(value);
  change->number = reader.LittleEndian<ItemNumber>();
  change->previous.sequence = reader.LittleEndian<Sequence>();
  change->previous.ts_s = reader.LittleEndian<int64_t>();
  change->previous_lsn = reader.LittleEndian<Lsn>();
  change->head_key = reader.Text();
  change->current = reader.Text();
  change->previous_doc = reader.Text();
  if (front.kind == LogRecordKind::kExpiredRange || !reader.AtEnd()) return Malformed();
  return Status::Ok();
}

}  // namespace lapse::engine
