#include "api/cosmos/wire/resource_ids.h"

#include <array>
#include <cstring>

#include "base/base64.h"
#include "base/hex.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kGuidChars = 36;
constexpr uint32_t kContainerBit = 0x8000'0000;

// The bytes of an id on the stack.
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

bool IsDash(size_t i) {
  return i == 8 || i == 13 || i == 18 || i == 23;
}

// The 128 bits of an etag, in order.
struct EtagBits {
  uint32_t owner = 0;
  uint64_t sequence = 0;
  uint32_t time = 0;
};

void AppendEtag(const EtagBits& bits, std::string* out) {
  uint64_t high = uint64_t{bits.owner} << 32 | bits.sequence >> 32;
  uint64_t low = bits.sequence << 32 | bits.time;
  out->push_back('"');
  int digit = 0;
  for (size_t i = 0; i < kGuidChars; ++i) {
    if (IsDash(i)) {
      out->push_back('-');
      continue;
    }
    uint64_t half = digit < 16 ? high : low;
    out->push_back(kLowerHexDigits[half >> (60 - 4 * (digit % 16)) & 15]);
    ++digit;
  }
  out->push_back('"');
}

std::optional<EtagBits> ParseEtag(std::string_view etag) {
  if (etag.size() == kGuidChars + 2 && etag.front() == '"' && etag.back() == '"') etag = etag.substr(1, kGuidChars);
  if (etag.size() != kGuidChars) return std::nullopt;
  std::array<uint64_t, 2> halves{};
  int digit = 0;
  for (size_t i = 0; i < kGuidChars; ++i) {
    if (IsDash(i)) {
      if (etag[i] != '-') return std::nullopt;
      continue;
    }
    const int value = LowerHexDigit(etag[i]);
    if (value < 0) return std::nullopt;
    uint64_t& half = halves[digit < 16 ? 0 : 1];
    half = half << 4 | static_cast<uint64_t>(value);
    ++digit;
  }
  return EtagBits{static_cast<uint32_t>(halves[0] >> 32), halves[0] << 32 | halves[1] >> 32,
                  static_cast<uint32_t>(halves[1])};
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

void AppendItemRid(engine::DatabaseId database, engine::ContainerId container, uint64_t item, std::string* out) {
  RidBytes bytes;
  bytes.Put(database);
  bytes.Put(container | kContainerBit);
  bytes.Put(item);
  bytes.AppendTo(out);
}

void AppendItemEtag(engine::ContainerId container, const engine::ItemVersion& version, std::string* out) {
  AppendEtag({container, version.lsn, static_cast<uint32_t>(version.ts_s)}, out);
}

void AppendContainerEtag(engine::ContainerId container, uint64_t revision, std::string* out) {
  AppendEtag({container, revision, 0}, out);
}

void AppendDatabaseEtag(engine::DatabaseId database, std::string* out) {
  AppendEtag({database, 1, 0}, out);
}

std::optional<engine::ItemVersion> ParseItemEtag(std::string_view etag, engine::ContainerId container) {
  std::optional<EtagBits> bits = ParseEtag(etag);
  if (!bits || bits->owner != container) return std::nullopt;
  return engine::ItemVersion{bits->sequence, int64_t{bits->time}};
}

std::optional<uint64_t> ParseContainerEtag(std::string_view etag, engine::ContainerId container) {
  std::optional<EtagBits> bits = ParseEtag(etag);
  if (!bits || bits->owner != container || bits->time != 0) return std::nullopt;
  return bits->sequence;
}

std::string OfferId(OfferOwner kind, uint32_t owner) {
  constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";
  constexpr size_t kDigitsMin = 4;
  std::string id;
  for (uint64_t rest = uint64_t{owner} << 1 | static_cast<uint8_t>(kind); rest > 0 || id.size() < kDigitsMin;
       rest /= kDigits.size()) {
    id.insert(id.begin(), kDigits[rest % kDigits.size()]);
  }
  return id;
}

}  // namespace lapse::api::cosmos
