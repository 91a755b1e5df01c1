#include "base/bytes.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <string_view>

namespace lapse {
namespace {

using namespace std::string_view_literals;

TEST(BytesTest, BigEndianSortsLikeTheNumbers) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 1000; ++i) {
    uint64_t a = random() >> (random() % 64);
    uint64_t b = random() >> (random() % 64);
    std::string a_bytes;
    std::string b_bytes;
    PutBigEndian(&a_bytes, a);
    PutBigEndian(&b_bytes, b);
    EXPECT_EQ(a < b, a_bytes < b_bytes) << a << " " << b;
  }
}

TEST(BytesTest, PutsKnownBytes) {
  std::string out;
  PutBigEndian(&out, uint32_t{0x01020304});
  PutLittleEndian(&out, uint32_t{0x01020304});
  PutLittleEndian(&out, uint8_t{0xFF});
  EXPECT_EQ(out, "\x01\x02\x03\x04\x04\x03\x02\x01\xFF"sv);
}

TEST(ByteReaderTest, ReadsWhatWasPut) {
  std::string bytes;
  PutBigEndian(&bytes, uint64_t{0x1122334455667788});
  PutLittleEndian(&bytes, uint32_t{7});
  bytes += "tail";
  ByteReader reader(bytes);
  EXPECT_EQ(reader.BigEndian<uint64_t>(), 0x1122334455667788U);
  EXPECT_EQ(reader.LittleEndian<uint32_t>(), 7U);
  EXPECT_EQ(reader.Byte(), 't');
  EXPECT_FALSE(reader.AtEnd());
  EXPECT_EQ(reader.Take(3), "ail");
  EXPECT_TRUE(reader.AtEnd());
  EXPECT_TRUE(reader.ok());
}

TEST(ByteReaderTest, StaysFailedAfterAReadPastTheEnd) {
  ByteReader reader("abc"sv);
  EXPECT_EQ(reader.BigEndian<uint32_t>(), 0U);
  EXPECT_FALSE(reader.ok());
  EXPECT_FALSE(reader.AtEnd());
  EXPECT_EQ(reader.Take(1), "") << "enough bytes are left, but the reader has failed";
  EXPECT_EQ(reader.Byte(), 0);
}

TEST(ByteReaderTest, TakeOfAHugeCountFails) {
  ByteReader reader("abc"sv);
  reader.Take(SIZE_MAX);
  EXPECT_FALSE(reader.ok());
}

}  // namespace
}  // namespace lapse
