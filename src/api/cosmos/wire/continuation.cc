#include "api/cosmos/wire/continuation.h"

#include "base/base64.h"
#include "base/bytes.h"

namespace lapse::api::cosmos {
namespace {

constexpr uint8_t kContinuationVersion = 1;
// A position is an item's key, so a token is never longer than this.
constexpr size_t kTokenBytesMax = 16 * 1024;

// FNV-1a: changing any single byte changes the checksum.
uint64_t Checksum(std::string_view feed, std::string_view payload) {
  constexpr uint64_t kPrime = 0x100000001B3;
  uint64_t hash = 0xCBF29CE484222325;
  for (unsigned char byte : feed) hash = (hash ^ byte) * kPrime;
  hash = (hash ^ feed.size()) * kPrime;
  for (unsigned char byte : payload) hash = (hash ^ byte) * kPrime;
  return hash;
}

Status InvalidContinuation() {
  return Status(Code::kInvalidArgument, "Invalid Continuation Token");
}

}  // namespace

// Version, position, checksum.
std::string EncodeContinuation(std::string_view feed, std::string_view position) {
  std::string payload;
  payload.reserve(position.size() + 1 + sizeof(uint64_t));
  payload.push_back(static_cast<char>(kContinuationVersion));
  payload.append(position);
  PutLittleEndian(&payload, Checksum(feed, payload));
  return Base64(payload, kBase64Url);
}

Result<std::string> DecodeContinuation(std::string_view feed, std::string_view token) {
  std::string bytes;
  if (token.size() > kTokenBytesMax || !FromBase64(token, &bytes, kBase64Url)) return InvalidContinuation();
  if (bytes.size() < 1 + sizeof(uint64_t) || static_cast<uint8_t>(bytes[0]) != kContinuationVersion) {
    return InvalidContinuation();
  }
  size_t payload_bytes = bytes.size() - sizeof(uint64_t);
  std::string_view payload = std::string_view(bytes).substr(0, payload_bytes);
  ByteReader reader(std::string_view(bytes).substr(payload_bytes));
  if (reader.LittleEndian<uint64_t>() != Checksum(feed, payload)) return InvalidContinuation();
  // Spare bits of the last character must be zero, so that each position has only one text.
  if (EncodeContinuation(feed, payload.substr(1)) != token) return InvalidContinuation();
  return std::string(payload.substr(1));
}

}  // namespace lapse::api::cosmos
