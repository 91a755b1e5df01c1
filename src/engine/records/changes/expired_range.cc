#include "engine/records/changes/expired_range.h"

#include "base/bytes.h"
#include "engine/records/changes/change_log.h"

namespace lapse::engine {

std::string EncodeExpiredRange(const ExpiredRange& range) {
  std::string out;
  EncodeLogFront({LogRecordKind::kExpiredRange, range.last_sequence, range.last_lsn, range.died_ms, range.logged_ms},
                 &out);
  PutLittleEndian(&out, range.rule);
  PutLittleEndian(&out, range.base_ms);
  PutLittleEndian(&out, range.first_item);
  PutLittleEndian(&out, range.last_item);
  return out;
}

Status DecodeExpiredRange(std::string_view key, std::string_view value, ExpiredRange* range) {
  LogFront front;
  LAPSE_RETURN_IF_ERROR(TakeLogFront(key, &value, &front));
  ByteReader reader(value);
  range->rule = reader.LittleEndian<ttl::RuleId>();
  range->base_ms = reader.LittleEndian<int64_t>();
  range->first_item = reader.LittleEndian<Sequence>();
  range->last_item = reader.LittleEndian<Sequence>();
  range->last_sequence = front.sequence;
  range->last_lsn = front.lsn;
  range->died_ms = front.time_ms;
  range->logged_ms = front.logged_ms;
  const bool in_order = range->first_item <= range->last_item && range->last_item < range->last_sequence;
  if (front.kind != LogRecordKind::kExpiredRange || !reader.AtEnd() || !in_order) {
    return {Code::kCorruption, "malformed range in the change log"};
  }
  return Status::Ok();
}

}  // namespace lapse::engine
