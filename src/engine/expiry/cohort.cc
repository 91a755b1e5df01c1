#include "engine/expiry/cohort.h"

#include "base/bytes.h"
#include "engine/items/keys.h"
#include "ttl/saturating.h"

namespace lapse::engine {
namespace {

constexpr uint8_t kVersion = 1;

// The sweeper may take a cohort of the container's default alone, so these are small. In an own ttl's second it finds
// its way by the queue, and spans are only for counting.
constexpr int kInheritLsnBits = 12;

}  // namespace

std::optional<CohortId> CohortId::Of(const ttl::Lifetime& lifetime, CohortLevel level) {
  std::optional<ttl::RuleId> rule = lifetime.ServerRule();
  if (!rule.has_value()) return std::nullopt;
  CohortId id;
  id.level = level;
  id.rule = *rule;
  const int64_t second = lifetime.ServerBaseMs() / ttl::kMsPerSecond;
  id.base = level == CohortLevel::kSpan ? second >> kSpanBits : second;
  id.chunk = lifetime.lsn >> id.LsnBits();
  return id;
}

int CohortId::LsnBits() const {
  return level == CohortLevel::kSecond && rule == ttl::kInheritRule ? kInheritLsnBits : kEraLsnBits;
}

int64_t CohortId::first_second() const {
  return level == CohortLevel::kSpan ? base << kSpanBits : base;
}

int64_t CohortId::last_second() const {
  return level == CohortLevel::kSpan ? (base << kSpanBits) + (int64_t{1} << kSpanBits) - 1 : base;
}

std::string CohortPrefix(ContainerId container, uint32_t stream, CohortLevel level, ttl::RuleId rule) {
  std::string key;
  key.reserve(29);
  PutBigEndian(&key, container);
  PutBigEndian(&key, stream);
  key.push_back(static_cast<char>(level));
  PutBigEndian(&key, rule);
  return key;
}

std::string CohortBound(ContainerId container, uint32_t stream, CohortLevel level, ttl::RuleId rule, int64_t base) {
  std::string key = CohortPrefix(container, stream, level, rule);
  PutBigEndian(&key, Sortable(base));
  return key;
}

std::string CohortKey(ContainerId container, uint32_t stream, const CohortId& id) {
  std::string key = CohortBound(container, stream, id.level, id.rule, id.base);
  PutBigEndian(&key, id.chunk);
  return key;
}

Result<CohortId> DecodeCohortKey(std::string_view key) {
  ByteReader reader(key);
  reader.Take(sizeof(ContainerId) + sizeof(uint32_t));
  CohortId id;
  id.level = static_cast<CohortLevel>(reader.Byte());
  id.rule = reader.BigEndian<ttl::RuleId>();
  id.base = FromSortable(reader.BigEndian<uint64_t>());
  id.chunk = reader.BigEndian<uint64_t>();
  if (!reader.AtEnd()) return Status(Code::kCorruption, "malformed cohort key");
  return id;
}

std::string EncodeCount(const Count& count) {
  std::string out(1, static_cast<char>(kVersion));
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
  if (version != kVersion || !reader.AtEnd()) return Status(Code::kCorruption, "malformed cohort record");
  return count;
}

}  // namespace lapse::engine
