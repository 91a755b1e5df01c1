#include "engine/records/partition_key/murmur3.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace lapse::engine {
namespace {

constexpr std::string_view kFox = "The quick brown fox jumps over the lazy dog";

TEST(Murmur3Test, KnownAnswers32) {
  EXPECT_EQ(Murmur3X86Hash32(""), 0U);
  EXPECT_EQ(Murmur3X86Hash32("", 1), 0x514E28B7U);
  EXPECT_EQ(Murmur3X86Hash32("hello"), 0x248BFA47U);
  EXPECT_EQ(Murmur3X86Hash32("hello, world"), 0x149BBB7FU);
  EXPECT_EQ(Murmur3X86Hash32(kFox), 0x2E4FF723U);
}

TEST(Murmur3Test, KnownAnswers128) {
  EXPECT_EQ(Murmur3X64Hash128(""), (Hash128{0, 0}));
  EXPECT_EQ(Murmur3X64Hash128("hello"), (Hash128{0xCBD8A7B341BD9B02, 0x5B1E906A48AE1D19}));
  EXPECT_EQ(Murmur3X64Hash128(kFox), (Hash128{0xE34BBC7BBC071B6C, 0x7A433CA9C49A9347}));
}

TEST(Murmur3Test, EveryLengthOfTailCounts) {
  std::set<uint32_t> hashes32;
  std::set<std::pair<uint64_t, uint64_t>> hashes128;
  for (size_t length = 0; length <= 40; ++length) {
    std::string text(length, 'x');
    hashes32.insert(Murmur3X86Hash32(text));
    Hash128 hash = Murmur3X64Hash128(text);
    hashes128.insert({hash.first, hash.second});
    if (length == 0) continue;
    text.back() = '\xF0';
    hashes32.insert(Murmur3X86Hash32(text));
    hash = Murmur3X64Hash128(text);
    hashes128.insert({hash.first, hash.second});
  }
  EXPECT_EQ(hashes32.size(), 81U);
  EXPECT_EQ(hashes128.size(), 81U);
}

}  // namespace
}  // namespace lapse::engine
