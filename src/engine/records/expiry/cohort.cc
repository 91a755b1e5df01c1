#include "engine/records/expiry/cohort.h"

#include "base/bytes.h"
#include "engine/records/ids/key_bytes.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kCohortVersion = 1;

// The sweeper cannot split a cohort of the container's default, so these are small. Within one second of items with
// their own ttl it uses the queue, so their chunks can be large.
constexpr int kInheritChunkBits = 12;

}  // namespace

std::optional<CohortId> CohortId::Of(const ttl::Lifetime& lifetime, CohortLevel level) {
  std::optional<ttl::RuleId> rule = lifetime.ServerRule();
  if (!rule.has_value()) return std::nullopt;
  CohortId id;
  id.level = level;
  id.rule = *rule;
  const int64_t second = lifetime.ServerBaseMs() / ttl::kMsPerSecond;
  id.base = level == CohortLevel::kSpan ? second >> kSpanBits : second;
  id.chunk = lifetime.sequence >> id.ChunkBits();
  return id;
}

int CohortId::ChunkBits() const {
  return level == CohortLevel::kSecond && rule == ttl::kInheritRule ? kInheritChunkBits : kEraBits;
}

CohortId CohortId::Span() const {
  CohortId span = *this;
  span.level = CohortLevel::kSpan;
  span.base = base >> kSpanBits;
  span.chunk = first_sequence() >> span.ChunkBits();
  return span;
}

int64_t CohortId::first_second() const {
  return level == CohortLevel::kSpan ? base << kSpanBits : base;
}

int64_t CohortId::last_second() const {
  return level == CohortLevel::kSpan ? (base << kSpanBits) + (int64_t{1} << kSpanBits) - 1 : base;
}

std::string CohortPrefix(PartitionId partition, CohortLevel level, ttl::RuleId rule) {
  std::string key;
  key.reserve(29);
  PutBigEndian(&key, partition.container);
  PutBigEndian(&key, partition.number);
  key.push_back(static_cast<char>(level));
  PutBigEndian(&key, rule);
  return key;
}

std::string CohortBound(PartitionId partition, CohortLevel level, ttl::RuleId rule, int64_t base) {
  std::string key = CohortPrefix(partition, level, rule);
  PutBigEndian(&key, Sortable(base));
  return key;
}

std::string CohortKey(PartitionId partition, const CohortId& id) {
  std::string key = CohortBound(partition, id.level, id.rule, id.base);
  PutBigEndian(&key, id.chunk);
  return key;
}

Result<CohortId> DecodeCohortKey(std::string_view key) {
  ByteReader reader(key);
  reader.Take(sizeof(ContainerId) + sizeof(PartitionNumber));
  CohortId id;
  id.level = static_cast<CohortLevel>(reader.Byte());
  id.rule = reader.BigEndian<ttl::RuleId>();
  id.base = FromSortable(reader.BigEndian<uint64_t>());
  id.chunk = reader.BigEndian<uint64_t>();
  if (!reader.AtEnd()) return Status(Code::kCorruption, "malformed cohort key");
  return id;
}

std::string EncodeCount(const Count& count) {
  std::string out(1, static_cast<char>(kCohortVersion));
  PutLittleEndian(&out, count.items);
  PutLittleEndian(&out, count.bytes);
  return out;
}

Result<Count> DecodeCount(std::string_view bytes) {
  ByteReader reader(bytes);
  const uint8_t version = reader.Byte();
  Count count;
  count.items = reader.LittleEndian<int64_t>();
  count.bytes = reader.LittleEndian<int64_t>();
  if (version != kCohortVersion || !reader.AtEnd()) return Status(Code::kCorruption, "malformed cohort record");
  return count;
}

}  // namespace lapse::engine
