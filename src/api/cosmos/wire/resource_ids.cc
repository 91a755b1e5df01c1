#include "api/cosmos/wire/resource_ids.h"

#include <array>
#include <cstring>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

constexpr uint32_t kContainerBit = 0x8000'0000;

// The bytes of an id, on the stack.
class RidBytes {
 public:
  template <typename T>
  void Put(T value) {
    for (int shift = static_cast<int>(sizeof(T) - 1) * 8; shift >= 0; shift -= 8) {
      bytes_[size_++] = static_cast<char>(value >> shift);
    }
  }

  void AppendTo(std::string* out) const { AppendBase64({bytes_.data(), size_}, kBase64DashForSlash, out); }

 private:
  std::array<char, 16> bytes_{};
  size_t size_ = 0;
};

constexpr int kTimeBits = 40;
constexpr uint64_t kTimeMask = (uint64_t{1} << kTimeBits) - 1;
constexpr uint32_t kOwnerMask = 0xFF'FFFF;
constexpr uint32_t kContainerMask = 0xF;
constexpr int kPartitionBits = 20;
constexpr int kKindShift = 60;
constexpr uint64_t kRangeKind = 5;

constexpr size_t kDatabaseBytes = 4;
constexpr size_t kOwnerBytes = 8;
constexpr size_t kChildBytes = 16;
constexpr uint32_t kEncryptionKeyMark = 0x0200'0000;

// Returns a container or a user.
std::optional<Rid> OwnerRid(Rid rid, uint32_t owner) {
  if ((owner & kContainerBit) != 0) {
    rid.kind = Rid::Kind::kContainer;
    rid.container = owner & ~kContainerBit;
    return rid;
  }
  if (owner == 0) return std::nullopt;
  rid.kind = Rid::Kind::kUser;
  rid.user = owner;
  rid.number = owner;
  return rid;
}

// Returns what is in a container. `rest` is the second half, read little-endian.
std::optional<Rid> InContainerRid(Rid rid, uint64_t rest) {
  rid.number = rest & ((uint64_t{1} << kKindShift) - 1);
  switch (rest >> kKindShift) {
    case 0: rid.kind = Rid::Kind::kItem; return rid;
    case 4: rid.kind = Rid::Kind::kConflict; return rid;
    case kRangeKind: rid.kind = Rid::Kind::kRange; return rid;
    case 6:
    case 7:
    case 8: rid.kind = Rid::Kind::kScript; return rid;
    default: return std::nullopt;
  }
}

std::optional<Rid> ChildRid(Rid rid, uint32_t owner, uint64_t rest) {
  if (owner == 0) {
    // A key's number and mark are in byte order.
    const uint64_t in_order = __builtin_bswap64(rest);
    if (static_cast<uint32_t>(in_order) != kEncryptionKeyMark) return std::nullopt;
    rid.kind = Rid::Kind::kEncryptionKey;
    rid.number = in_order >> 32;
    return rid;
  }
  const std::optional<Rid> parent = OwnerRid(rid, owner);
  if (parent->kind == Rid::Kind::kContainer) return InContainerRid(*parent, rest);
  rid = *parent;
  rid.kind = Rid::Kind::kPermission;
  rid.number = rest;
  return rid;
}

// The 128 bits of an etag, in order. It holds all of time and number, so an etag identifies one version for ever.
struct EtagBits {
  uint32_t owner = 0;  // 24 bits
  uint64_t time = 0;   // 40 bits: the year 9999 needs 38
  uint64_t sequence = 0;
};

void AppendEtag(const EtagBits& bits, std::string* out) {
  uint64_t high = uint64_t{bits.owner & kOwnerMask} << kTimeBits | (bits.time & kTimeMask);
  uint64_t low = bits.sequence;
  out->push_back('"');
  AppendGuid(high, low, out);
  out->push_back('"');
}

std::optional<EtagBits> ParseEtag(std::string_view etag) {
  if (etag.size() == kGuidChars + 2 && etag.front() == '"' && etag.back() == '"') etag = etag.substr(1, kGuidChars);
  if (etag.size() != kGuidChars) return std::nullopt;
  std::array<uint64_t, 2> halves{};
  int digit = 0;
  for (size_t i = 0; i < kGuidChars; ++i) {
    if (IsGuidDash(i)) {
      if (etag[i] != '-') return std::nullopt;
      continue;
    }
    const int value = LowerHexDigit(etag[i]);
    if (value < 0) return std::nullopt;
    uint64_t& half = halves[digit < 16 ? 0 : 1];
    half = half << 4 | static_cast<uint64_t>(value);
    ++digit;
  }
  return EtagBits{static_cast<uint32_t>(halves[0] >> kTimeBits), halves[0] & kTimeMask, halves[1]};
}

}  // namespace

void AppendDatabaseRid(engine::DatabaseId database, std::string* out) {
  RidBytes bytes;
  bytes.Put(database);
  bytes.AppendTo(out);
}

void AppendContainerRid(engine::DatabaseId database, engine::ContainerId container, std::string* out) {
  RidBytes bytes;
  bytes.Put(database);
  bytes.Put(container | kContainerBit);
  bytes.AppendTo(out);
}

void AppendItemRid(engine::DatabaseId database, engine::ContainerId container, engine::ItemNumber item,
                   std::string* out) {
  RidBytes bytes;
  bytes.Put(database);
  bytes.Put(container | kContainerBit);
  // Clients that compare items by it read it little-endian.
  bytes.Put(__builtin_bswap64(item));
  bytes.AppendTo(out);
}

void AppendItemSelf(engine::DatabaseId database, engine::ContainerId container, engine::ItemNumber item,
                    std::string* out) {
  out->append("dbs/");
  AppendDatabaseRid(database, out);
  out->append("/colls/");
  AppendContainerRid(database, container, out);
  out->append("/docs/");
  AppendItemRid(database, container, item, out);
  out->push_back('/');
}

void AppendRangeRid(engine::DatabaseId database, engine::ContainerId container, engine::PartitionNumber range,
                    std::string* out) {
  AppendItemRid(database, container, kRangeKind << kKindShift | range, out);
}

void AppendUserRid(engine::DatabaseId database, engine::ResourceNumber user, std::string* out) {
  RidBytes bytes;
  bytes.Put(database);
  bytes.Put(user);
  bytes.AppendTo(out);
}

void AppendPermissionRid(engine::DatabaseId database, engine::ResourceNumber user, engine::ResourceNumber permission,
                         std::string* out) {
  RidBytes bytes;
  bytes.Put(database);
  bytes.Put(user);
  bytes.Put(__builtin_bswap64(permission));
  bytes.AppendTo(out);
}

void AppendEncryptionKeyRid(engine::DatabaseId database, engine::ResourceNumber key, std::string* out) {
  RidBytes bytes;
  bytes.Put(database);
  bytes.Put(uint32_t{0});
  bytes.Put(key);
  bytes.Put(kEncryptionKeyMark);
  bytes.AppendTo(out);
}

std::optional<Rid> ParseRid(std::string_view text) {
  // The longest kind. A longer text is not decoded.
  if (text.size() > Base64Chars(kChildBytes, kBase64DashForSlash)) return std::nullopt;
  std::string bytes;
  if (!FromBase64(text, &bytes, kBase64DashForSlash)) return std::nullopt;
  if (bytes.size() != kDatabaseBytes && bytes.size() != kOwnerBytes && bytes.size() != kChildBytes) return std::nullopt;
  ByteReader reader(bytes);
  Rid rid;
  rid.database = reader.BigEndian<engine::DatabaseId>();
  if (rid.database == 0) return std::nullopt;
  if (bytes.size() == kDatabaseBytes) return rid;
  const auto owner = reader.BigEndian<uint32_t>();
  if (bytes.size() == kOwnerBytes) return OwnerRid(rid, owner);
  return ChildRid(rid, owner, __builtin_bswap64(reader.BigEndian<uint64_t>()));
}

std::optional<engine::ContainerId> ParseContainerRid(std::string_view rid) {
  const std::optional<Rid> parsed = ParseRid(rid);
  if (!parsed || parsed->kind != Rid::Kind::kContainer) return std::nullopt;
  return parsed->container;
}

bool IsDatabaseRid(std::string_view rid) {
  // Checked for every request, so the length alone rules out most names.
  if (rid.size() != Base64Chars(kDatabaseBytes, kBase64DashForSlash)) return false;
  const std::optional<Rid> parsed = ParseRid(rid);
  return parsed.has_value() && parsed->kind == Rid::Kind::kDatabase;
}

void AppendItemEtag(engine::ContainerId container, const engine::ItemMeta& meta, std::string* out) {
  const uint32_t owner = (container & kContainerMask) << kPartitionBits | engine::PartitionOf(meta.number);
  AppendEtag({owner, static_cast<uint64_t>(meta.version.ts_s), meta.version.sequence}, out);
}

void AppendContainerEtag(engine::ContainerId container, uint64_t revision, std::string* out) {
  AppendEtag({container, 0, revision}, out);
}

void AppendDatabaseEtag(engine::DatabaseId database, std::string* out) {
  AppendEtag({database, 0, 1}, out);
}

std::optional<engine::ItemVersion> ParseItemEtag(std::string_view etag, engine::ContainerId container) {
  std::optional<EtagBits> bits = ParseEtag(etag);
  if (!bits || bits->owner >> kPartitionBits != (container & kContainerMask)) return std::nullopt;
  return engine::ItemVersion{bits->sequence, static_cast<int64_t>(bits->time)};
}

std::optional<uint64_t> ParseContainerEtag(std::string_view etag, engine::ContainerId container) {
  std::optional<EtagBits> bits = ParseEtag(etag);
  if (!bits || bits->owner != (container & kOwnerMask) || bits->time != 0) return std::nullopt;
  return bits->sequence;
}

std::string OfferId(OfferOwner kind, uint32_t owner) {
  constexpr std::string_view kLetters = "0123456789abcdefghijklmnopqrstuvwxyz";
  constexpr size_t kDigitsMin = 4;
  std::string id;
  for (uint64_t rest = uint64_t{owner} << 1 | static_cast<uint8_t>(kind); rest > 0 || id.size() < kDigitsMin;
       rest /= kLetters.size()) {
    id.insert(id.begin(), kLetters[rest % kLetters.size()]);
  }
  return id;
}

}  // namespace lapse::api::cosmos
