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

std::string RandomBytes(std::mt19937_64* random, size_t size) {
  std::string bytes(size, '\0');
  for (char& byte : bytes) byte = static_cast<char>((*random)());
  return bytes;
}

TEST(HexTest, KnownAnswers) {
  EXPECT_EQ(HexUpper(""), "");
  EXPECT_EQ(HexUpper("\x00\x0F\xA5\xFF"sv), "000FA5FF");
  std::string bytes;
  EXPECT_TRUE(FromHex("000fA5Ff", &bytes));
  EXPECT_EQ(bytes, "\x00\x0F\xA5\xFF"sv);
}

TEST(HexTest, RefusesWhatIsNotHex) {
  std::string bytes;
  for (std::string_view bad : {"0", "0g", "g0", " 00", "0x00", "00 "}) EXPECT_FALSE(FromHex(bad, &bytes)) << bad;
}

TEST(HexTest, RoundTrips) {
  std::mt19937_64 random(2);
  for (size_t size = 0; size < 70; ++size) {
    std::string bytes = RandomBytes(&random, size);
    std::string back;
    ASSERT_TRUE(FromHex(HexUpper(bytes), &back));
    EXPECT_EQ(back, bytes);
  }
}

// The vectors of RFC 4648, section 10.
TEST(Base64Test, KnownAnswers) {
  constexpr std::pair<std::string_view, std::string_view> kVectors[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\xFB\xFF\xBF", "+/+/"},
  };
  for (const auto& [bytes, text] : kVectors) {
    EXPECT_EQ(Base64(bytes), text);
    std::string back;
    EXPECT_TRUE(FromBase64(text, &back)) << text;
    EXPECT_EQ(back, bytes);
  }
}

TEST(Base64Test, RefusesWhatIsNotBase64) {
  std::string bytes;
  for (std::string_view bad :
       {"Z", "Zg", "Zg=", "Z===", "====", "Zg==Zg==", "Z=g=", "Zm9-", "Zm9_", "Zm9v\n", " Zm9"}) {
    EXPECT_FALSE(FromBase64(bad, &bytes)) << bad;
  }
}

TEST(Base64Test, RoundTrips) {
  std::mt19937_64 random(3);
  for (size_t size = 0; size < 70; ++size) {
    std::string bytes = RandomBytes(&random, size);
    std::string back;
    ASSERT_TRUE(FromBase64(Base64(bytes), &back));
    EXPECT_EQ(back, bytes);
  }
}

}  // namespace
}  // namespace lapse
