#include "engine/changes/change_log.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

}  // namespace

std::string LogKey(ContainerId container, uint32_t stream, uint64_t lsn) {
  std::string key;
  key.reserve(16);
  PutBigEndian(&key, container);
  PutBigEndian(&key, stream);
  PutBigEndian(&key, lsn);
  return key;
}

void EncodeLoggedChange(const LoggedChange& change, std::string* out) {
  out->push_back(static_cast<char>(kVersion));
  out->push_back(static_cast<char>(change.kind));
  PutLittleEndian(out, change.time_ms);
  PutLittleEndian(out, change.logged_ms);
  PutLittleEndian(out, change.rid);
  PutLittleEndian(out, change.previous.lsn);
  PutLittleEndian(out, change.previous.ts_s);
  PutText(out, change.head_key);
  PutText(out, change.current);
  PutText(out, change.previous_doc);
}

Status DecodeLoggedChange(std::string_view key, std::string_view value, LoggedChange* change) {
  ByteReader key_reader(key);
  key_reader.Take(sizeof(ContainerId) + sizeof(uint32_t));
  change->lsn = key_reader.BigEndian<uint64_t>();
  ByteReader reader(value);
  const uint8_t version = reader.Byte();
  const uint8_t kind = reader.Byte();
  change->kind = static_cast<ChangeKind>(kind);
  change->time_ms = reader.LittleEndian<int64_t>();
  change->logged_ms = reader.LittleEndian<int64_t>();
  change->rid = reader.LittleEndian<uint64_t>();
  change->previous.lsn = reader.LittleEndian<uint64_t>();
  change->previous.ts_s = reader.LittleEndian<int64_t>();
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
