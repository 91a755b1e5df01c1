#include "ttl/lifetime.h"

#include <cassert>
#include <limits>

#include "base/bytes.h"
#include "ttl/saturating.h"

namespace lapse::ttl {
namespace {

constexpr uint8_t kLifetimeVersion = 1 << 4;
constexpr uint8_t kHasOwnTtl = 1 << 0;
constexpr uint8_t kHasDates = 1 << 1;
constexpr size_t kDateBytes = sizeof(RuleId) + sizeof(int64_t);

bool IsOwnTtl(int32_t ttl) {
  return ttl == kTtlForever || ttl > 0;
}

bool DecodeDates(ByteReader* reader, std::vector<Lifetime::DateBase>* dates) {
  size_t count = reader->LittleEndian<uint16_t>();
  // Checks that the bytes are there before trusting the count.
  if (count == 0 || reader->rest().size() < count * kDateBytes) return false;
  dates->reserve(count);
  for (size_t i = 0; i < count; ++i) {
    Lifetime::DateBase date{};
    date.rule = reader->LittleEndian<RuleId>();
    date.base_ms = reader->LittleEndian<int64_t>();
    if (date.rule < kFirstDateRule) return false;
    dates->push_back(date);
  }
  return true;
}

}  // namespace

int64_t Lifetime::ServerBaseMs() const {
  if (!own_ttl || *own_ttl == kTtlForever) return SaturatingSecondsToMs(ts_s);
  return SaturatingSecondsToMs(SaturatingAdd(ts_s, *own_ttl));
}

void EncodeLifetime(const Lifetime& lifetime, std::string* out) {
  assert(!lifetime.own_ttl || IsOwnTtl(*lifetime.own_ttl));
  assert(lifetime.dates.size() <= std::numeric_limits<uint16_t>::max());

  uint8_t flags = kLifetimeVersion;
  if (lifetime.own_ttl) flags |= kHasOwnTtl;
  if (!lifetime.dates.empty()) flags |= kHasDates;
  PutLittleEndian(out, flags);
  PutLittleEndian(out, lifetime.ts_s);
  PutLittleEndian(out, lifetime.sequence);
  if (lifetime.own_ttl) PutLittleEndian(out, *lifetime.own_ttl);
  if (lifetime.dates.empty()) return;
  PutLittleEndian(out, static_cast<uint16_t>(lifetime.dates.size()));
  for (const Lifetime::DateBase& date : lifetime.dates) {
    assert(date.rule >= kFirstDateRule);
    PutLittleEndian(out, date.rule);
    PutLittleEndian(out, date.base_ms);
  }
}

bool DecodeLifetime(std::string_view* record, Lifetime* lifetime) {
  ByteReader reader(*record);
  uint8_t flags = reader.Byte();
  if ((flags & ~(kHasOwnTtl | kHasDates)) != kLifetimeVersion) return false;
  lifetime->ts_s = reader.LittleEndian<int64_t>();
  lifetime->sequence = reader.LittleEndian<uint64_t>();
  lifetime->own_ttl.reset();
  lifetime->dates.clear();
  if (flags & kHasOwnTtl) {
    lifetime->own_ttl = reader.LittleEndian<int32_t>();
    if (!IsOwnTtl(*lifetime->own_ttl)) return false;
  }
  if ((flags & kHasDates) && !DecodeDates(&reader, &lifetime->dates)) return false;
  if (!reader.ok()) return false;
  *record = reader.rest();
  return true;
}

}  // namespace lapse::ttl
