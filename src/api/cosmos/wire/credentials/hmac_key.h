// HMAC-SHA256 with a key that is used many times. Both padded key blocks are hashed once, so that a signature allocates
// nothing.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace lapse::api::cosmos {

// Threads: any; immutable. The destructor wipes the key.
class HmacKey {
 public:
  static constexpr size_t kDigestBytes = 32;
  using Digest = std::array<char, kDigestBytes>;

  explicit HmacKey(std::string_view key);
  ~HmacKey();
  HmacKey(const HmacKey&) = delete;
  HmacKey& operator=(const HmacKey&) = delete;

 private:
  // The library's own state, whose type stays out of headers.
  struct alignas(8) State {
    unsigned char bytes[112];
  };

 public:
  // One signature being computed.
  class Hashing {
   public:
    explicit Hashing(const HmacKey& key) : key_(key), state_(key.inner_) {}

    void Add(std::string_view text);
    // The same in lower case (ASCII).
    void AddLower(std::string_view text);
    // Call it once.
    Digest End();

   private:
    const HmacKey& key_;
    State state_;
  };

 private:
  State inner_;
  State outer_;
};

// Compares in a time that depends on the sizes alone.
bool SameBytes(std::string_view a, std::string_view b);

}  // namespace lapse::api::cosmos
