#include "api/cosmos/wire/credentials/hmac_key.h"

#include <openssl/crypto.h>
#include <openssl/sha.h>

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "base/ascii.h"

// Uses the low-level SHA-256 calls: a state prepared once per key is copied by value for every request, which the EVP
// interface cannot do without an allocation.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kHashBlockBytes = 64;
constexpr uint8_t kInnerPad = 0x36, kOuterPad = 0x5C;

template <typename State>
SHA256_CTX* ContextOf(State* state) {
  static_assert(sizeof(State) == sizeof(SHA256_CTX));
  return reinterpret_cast<SHA256_CTX*>(state->bytes);
}

void Prepare(std::array<uint8_t, kHashBlockBytes> block, uint8_t pad, SHA256_CTX* state) {
  for (uint8_t& byte : block) byte ^= pad;
  SHA256_Init(state);
  SHA256_Update(state, block.data(), block.size());
  OPENSSL_cleanse(block.data(), block.size());
}

}  // namespace

HmacKey::HmacKey(std::string_view key) {
  std::array<uint8_t, kHashBlockBytes> block{};
  if (key.size() > kHashBlockBytes) {
    SHA256(reinterpret_cast<const uint8_t*>(key.data()), key.size(), block.data());
  } else {
    std::copy(key.begin(), key.end(), block.begin());
  }
  Prepare(block, kInnerPad, ContextOf(&inner_));
  Prepare(block, kOuterPad, ContextOf(&outer_));
  OPENSSL_cleanse(block.data(), block.size());
}

HmacKey::~HmacKey() {
  OPENSSL_cleanse(inner_.bytes, sizeof(inner_.bytes));
  OPENSSL_cleanse(outer_.bytes, sizeof(outer_.bytes));
}

void HmacKey::Hashing::Add(std::string_view text) {
  SHA256_Update(ContextOf(&state_), text.data(), text.size());
}

void HmacKey::Hashing::AddLower(std::string_view text) {
  std::array<char, 64> lower;
  while (!text.empty()) {
    const size_t count = std::min(text.size(), lower.size());
    for (size_t i = 0; i < count; ++i) lower[i] = LowerAscii(text[i]);
    Add({lower.data(), count});
    text.remove_prefix(count);
  }
}

HmacKey::Digest HmacKey::Hashing::End() {
  Digest digest;
  auto* bytes = reinterpret_cast<uint8_t*>(digest.data());
  SHA256_Final(bytes, ContextOf(&state_));
  state_ = key_.outer_;
  SHA256_Update(ContextOf(&state_), bytes, digest.size());
  SHA256_Final(bytes, ContextOf(&state_));
  return digest;
}

bool SameBytes(std::string_view a, std::string_view b) {
  return a.size() == b.size() && CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

}  // namespace lapse::api::cosmos

#pragma GCC diagnostic pop
