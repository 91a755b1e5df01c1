#include "engine/items/keys.h"

#include "base/bytes.h"

namespace lapse::engine {
namespace {

// A zero byte inside becomes 00 FF and the end is 00 00: encoded keys sort like the bytes, and none is a prefix of
// another.
void PutEscaped(std::string* out, std::string_view bytes) {
  for (char byte : bytes) {
    out->push_back(byte);
    if (byte == '\0') out->push_back('\xFF');
  }
}

void PutEnd(std::string* out) {
  out->append(2, '\0');
}

std::string PartitionKeyOf(MetaKind kind, ContainerId id, uint32_t stream) {
  std::string key = MetaPrefix(kind);
  PutBigEndian(&key, id);
  PutBigEndian(&key, stream);
  return key;
}

constexpr char kStringId = 0x02;  // BSON's type number, as for every other type an id may have

}  // namespace

std::string StringItemId(std::string_view id) {
  std::string typed;
  typed.reserve(id.size() + 1);
  typed.push_back(kStringId);
  typed.append(id);
  return typed;
}

std::string MetaPrefix(MetaKind kind) {
  return std::string(1, static_cast<char>(kind));
}
std::string ClockKey() {
  return MetaPrefix(MetaKind::kClock);
}
std::string ClockResetKey() {
  return MetaPrefix(MetaKind::kClockReset);
}
std::string IdCounterKey() {
  return MetaPrefix(MetaKind::kIdCounter);
}

std::string DatabaseKey(DatabaseId id) {
  std::string key = MetaPrefix(MetaKind::kDatabase);
  PutBigEndian(&key, id);
  return key;
}

std::string ContainerKey(ContainerId id) {
  std::string key = MetaPrefix(MetaKind::kContainer);
  PutBigEndian(&key, id);
  return key;
}

std::string PartitionDefinitionKey(ContainerId id, uint32_t stream) {
  return PartitionKeyOf(MetaKind::kPartition, id, stream);
}

std::string PartitionTallyKey(ContainerId id, uint32_t stream) {
  return PartitionKeyOf(MetaKind::kTally, id, stream);
}

std::string PrefixEnd(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && end.back() == '\xFF') end.pop_back();
  if (!end.empty()) ++end.back();
  return end;
}

std::string ContainerPrefix(ContainerId id) {
  std::string key;
  PutBigEndian(&key, id);
  return key;
}

std::string EpkBound(ContainerId id, std::string_view epk) {
  std::string key = ContainerPrefix(id);
  PutEscaped(&key, epk);
  return key;
}

std::string EpkPrefix(ContainerId id, std::string_view epk) {
  std::string key = EpkBound(id, epk);
  PutEnd(&key);
  return key;
}

std::string HeadKey(ContainerId id, const ItemAddress& address) {
  std::string key;
  key.reserve(sizeof(id) + address.epk.size() + 4 + address.id.size());
  PutBigEndian(&key, id);
  PutEscaped(&key, address.epk);
  PutEnd(&key);
  key.append(address.id);
  return key;
}

bool EpkOfHeadKey(std::string_view head_key, std::string* epk) {
  epk->clear();
  size_t at = sizeof(ContainerId);
  for (; at + 1 < head_key.size(); ++at) {
    if (head_key[at] == '\0') {
      if (head_key[at + 1] == '\0') return true;
      ++at;  // the FF of an escaped zero
      epk->push_back('\0');
    } else {
      epk->push_back(head_key[at]);
    }
  }
  return false;
}

BodyClass ClassOf(const ttl::Lifetime& lifetime) {
  bool inherits = !lifetime.own_ttl.has_value() && lifetime.dates.empty();
  return inherits ? BodyClass::kInheriting : BodyClass::kOwnLifetime;
}

std::string BodyPrefix(ContainerId id, uint32_t stream, BodyClass body_class) {
  std::string key;
  key.reserve(17);
  PutBigEndian(&key, id);
  PutBigEndian(&key, stream);
  key.push_back(static_cast<char>(body_class));
  return key;
}

std::string BodyBound(ContainerId id, uint32_t stream, BodyClass body_class, uint64_t lsn) {
  std::string key = BodyPrefix(id, stream, body_class);
  PutBigEndian(&key, lsn);
  return key;
}

std::string BodyKey(ContainerId id, uint32_t stream, const ttl::Lifetime& lifetime) {
  return BodyBound(id, stream, ClassOf(lifetime), lifetime.lsn);
}

std::string QueueKey(ContainerId id, uint32_t stream, ttl::RuleId rule, int64_t base_ms, uint64_t lsn) {
  std::string key;
  key.reserve(28);
  PutBigEndian(&key, id);
  PutBigEndian(&key, stream);
  PutBigEndian(&key, rule);
  PutBigEndian(&key, Sortable(base_ms));
  PutBigEndian(&key, lsn);
  return key;
}

}  // namespace lapse::engine
