#include "net/chunked.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace lapse::net {
namespace {

constexpr size_t kBodyBytesMax = 32;

struct Decoded {
  ChunkedDecoder::Outcome outcome = ChunkedDecoder::Outcome::kNeedMore;
  int status = 0;
  std::string body;
  size_t taken = 0;

  bool operator==(const Decoded&) const = default;
};

Decoded DecodeIn(std::string_view bytes, size_t piece) {
  ChunkedDecoder decoder;
  Decoded decoded;
  while (decoded.outcome == ChunkedDecoder::Outcome::kNeedMore && decoded.taken < bytes.size()) {
    size_t taken = 0;
    decoded.outcome = decoder.Decode(bytes.substr(decoded.taken, piece), kBodyBytesMax, &decoded.body, &taken);
    decoded.taken += taken;
  }
  decoded.status = decoder.error().status;
  return decoded;
}

Decoded Decode(std::string_view bytes) {
  const Decoded whole = DecodeIn(bytes, bytes.size());
  for (size_t piece : {1, 2, 3, 7}) EXPECT_EQ(whole, DecodeIn(bytes, piece)) << bytes << " in " << piece;
  return whole;
}

TEST(ChunkedTest, PutsTheDataTogetherAndStopsAtTheEnd) {
  const std::string bytes = "3\r\nabc\r\n0A\r\n0123456789\r\n0\r\n\r\n";
  const Decoded decoded = Decode(bytes + "GET");
  EXPECT_EQ(decoded.outcome, ChunkedDecoder::Outcome::kDone);
  EXPECT_EQ(decoded.body, "abc0123456789");
  EXPECT_EQ(decoded.taken, bytes.size());
}

TEST(ChunkedTest, DropsExtensionsAndTrailers) {
  const Decoded decoded = Decode("1;name=\"v;\tx\"\r\nz\r\n000;last\r\nA: b\r\nC:\r\n\r\n");
  EXPECT_EQ(decoded.outcome, ChunkedDecoder::Outcome::kDone);
  EXPECT_EQ(decoded.body, "z");
}

TEST(ChunkedTest, DataMayHoldAnything) {
  const std::string data("\r\n0\r\n\r\n\0", 8);
  EXPECT_EQ(Decode("8\r\n" + data + "\r\n0\r\n\r\n").body, data);
}

TEST(ChunkedTest, RefusesMalformedFraming) {
  for (std::string_view bytes : {"\r\n",
                                 "g\r\n",
                                 " 1\r\n",
                                 "1 \r\n",
                                 "0x1\r\n",
                                 "-1\r\n",
                                 "1\n",
                                 "1\rx",
                                 "1;a\n",
                                 "1;\x01",
                                 "1\r\nab",
                                 "1\r\na\n",
                                 "1\r\na\rx",
                                 "0\r\n\n",
                                 "0\r\n\rx",
                                 "0\r\n A: folded\r\n",
                                 "0\r\nA: \x01",
                                 "0\r\nA: b\rx",
                                 "0\r\nA: b\n",
                                 "11111111111111111",
                                 "00000000000000001"}) {
    EXPECT_EQ(Decode(bytes).status, 400) << bytes;
  }
}

TEST(ChunkedTest, RefusesABodyThatIsTooLargeBeforeItsData) {
  EXPECT_EQ(Decode("20\r\n").status, 0);
  EXPECT_EQ(Decode("21\r\n").status, 413);
  EXPECT_EQ(Decode("ffffffffffffffff\r\n").status, 413);
  const Decoded second = Decode("10\r\n0123456789abcdef\r\n11\r\n");
  EXPECT_EQ(second.status, 413);
  EXPECT_EQ(second.body, "0123456789abcdef");
}

TEST(ChunkedTest, BoundsWhatItDrops) {
  EXPECT_EQ(Decode("1;" + std::string(5000, 'e')).status, 400);
  std::string many;
  for (int i = 0; i < 20; ++i) many += "1;" + std::string(300, 'e') + "\r\nx\r\n";
  EXPECT_EQ(Decode(many).status, 400);
  EXPECT_EQ(Decode("0\r\n" + std::string(9000, 't')).status, 431);
  std::string lines = "0\r\n";
  for (int i = 0; i < 2000; ++i) lines += "A: b\r\n";
  EXPECT_EQ(Decode(lines).status, 431);
}

}  // namespace
}  // namespace lapse::net
