// The cost of one request's signature: Lapse's way, with the key's two hash states prepared and copied by value, beside
// the ways that OpenSSL offers for the same HMAC-SHA256.
#include <benchmark/benchmark.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/params.h>
#include <openssl/sha.h>

#include <array>
#include <cstdlib>
#include <string>
#include <string_view>

#include "api/cosmos/wire/credentials/authenticator.h"
#include "base/base64.h"

namespace lapse::api::cosmos {
namespace {

constexpr std::string_view kKey =
    "C2y6yDjf5/R+ob0N8A7Cgv30VRDJIWEHLM+4QDU5DE2nQ9nDuVTqobD4b8mGGyPMbIZnqyMsEcaGQy67XIw/Jw==";
constexpr SignedParts kParts = {"GET", "docs", "dbs/app/colls/sessions/docs/5f1f2c9e-8d3b-4a5e-9a61-0c6d1f0b7a11"};
constexpr std::string_view kDate = "Sun, 15 Jun 2025 15:06:40 GMT";
// The same, as it is signed.
constexpr std::string_view kText =
    "get\ndocs\ndbs/app/colls/sessions/docs/5f1f2c9e-8d3b-4a5e-9a61-0c6d1f0b7a11\nsun, 15 jun 2025 15:06:40 gmt\n\n";

using Digest = std::array<unsigned char, SHA256_DIGEST_LENGTH>;

std::string KeyBytes() {
  std::string bytes;
  if (!FromBase64(kKey, &bytes)) std::abort();
  return bytes;
}

const unsigned char* Bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// All variants must give the same signature, or they do not do the same work.
void CheckDigest(const Digest& digest) {
  std::array<char, 45> text;
  EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()), digest.data(), digest.size());
  if (Authenticator::Create(kKey, "")->Sign(kParts, kDate) != std::string(text.data(), 44)) std::abort();
}

// Only this variant's time includes lower-casing, base64 and a string for the result.
void BmPreparedStates(benchmark::State& state) {
  Authenticator authenticator = *Authenticator::Create(kKey, "");
  for (auto _ : state) benchmark::DoNotOptimize(authenticator.Sign(kParts, kDate));
}
BENCHMARK(BmPreparedStates);

void BmEvpMacReused(benchmark::State& state) {
  const std::string key = KeyBytes();
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EVP_MAC_CTX* context = EVP_MAC_CTX_new(mac);
  char hash[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, hash, 0),
                                   OSSL_PARAM_construct_end()};
  if (EVP_MAC_init(context, Bytes(key), key.size(), parameters) != 1) std::abort();
  Digest digest;
  size_t size = 0;
  for (auto _ : state) {
    // A null key keeps the present one. One context can serve one thread.
    if (EVP_MAC_init(context, nullptr, 0, nullptr) != 1) std::abort();
    EVP_MAC_update(context, Bytes(kText), kText.size());
    EVP_MAC_final(context, digest.data(), &size, digest.size());
    benchmark::DoNotOptimize(digest);
  }
  CheckDigest(digest);
  EVP_MAC_CTX_free(context);
  EVP_MAC_free(mac);
}
BENCHMARK(BmEvpMacReused);

void BmEvpMacCopied(benchmark::State& state) {
  const std::string key = KeyBytes();
  EVP_MAC* mac = EVP_MAC_fetch(nullptr, "HMAC", nullptr);
  EVP_MAC_CTX* prepared = EVP_MAC_CTX_new(mac);
  char hash[] = "SHA256";
  const OSSL_PARAM parameters[] = {OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, hash, 0),
                                   OSSL_PARAM_construct_end()};
  if (EVP_MAC_init(prepared, Bytes(key), key.size(), parameters) != 1) std::abort();
  Digest digest;
  size_t size = 0;
  for (auto _ : state) {
    EVP_MAC_CTX* context = EVP_MAC_CTX_dup(prepared);
    EVP_MAC_update(context, Bytes(kText), kText.size());
    EVP_MAC_final(context, digest.data(), &size, digest.size());
    EVP_MAC_CTX_free(context);
    benchmark::DoNotOptimize(digest);
  }
  CheckDigest(digest);
  EVP_MAC_CTX_free(prepared);
  EVP_MAC_free(mac);
}
BENCHMARK(BmEvpMacCopied);

void BmHmacAtOnce(benchmark::State& state) {
  const std::string key = KeyBytes();
  Digest digest;
  unsigned int size = 0;
  for (auto _ : state) {
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), Bytes(kText), kText.size(), digest.data(), &size);
    benchmark::DoNotOptimize(digest);
  }
  CheckDigest(digest);
}
BENCHMARK(BmHmacAtOnce);

}  // namespace
}  // namespace lapse::api::cosmos

BENCHMARK_MAIN();
