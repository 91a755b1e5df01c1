// The parsed authorization header: the kind of proof, and the proof itself.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace lapse::api::cosmos {

// The longest decoded header of each kind. An Entra token is measured as sent.
constexpr size_t kKeyHeaderBytesMax = 1024;
constexpr size_t kTokenHeaderBytesMax = 8 * 1024;
constexpr size_t kEntraHeaderBytesMax = 16 * 1024;

// Holds the decoded text on the stack, so a valid header allocates nothing. A header must stay where it was made.
class AuthorizationHeader {
 public:
  enum class Type : uint8_t { kKey, kResourceToken };

  AuthorizationHeader() = default;
  AuthorizationHeader(const AuthorizationHeader&) = delete;
  AuthorizationHeader& operator=(const AuthorizationHeader&) = delete;

  // `type=...&ver=1.0&sig=...`, percent-encoded or plain. Fails: kUnauthenticated for a header that is missing or
  // malformed, or holds an unsupported proof; kInvalidArgument for one that is too long.
  Status Parse(std::string_view header);

  Type type() const { return type_; }
  // What follows `sig=`.
  std::string_view proof() const { return proof_; }

 private:
  // Decodes as much as fits. Returns false for a malformed percent escape.
  bool Decode(std::string_view header);

  std::array<char, kTokenHeaderBytesMax> decoded_;
  size_t size_ = 0;
  bool cut_ = false;  // the text did not fit
  Type type_ = Type::kKey;
  std::string_view proof_;
};

}  // namespace lapse::api::cosmos
