#include "net/input_buffer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace lapse::net {
namespace {

void Append(InputBuffer* buffer, std::string_view bytes, size_t missing = 0) {
  while (!bytes.empty()) {
    const InputBuffer::Space space = buffer->Prepare(missing);
    ASSERT_GT(space.size, 0u);
    const size_t count = std::min(space.size, bytes.size());
    bytes.copy(space.data, count);
    buffer->Commit(count);
    bytes.remove_prefix(count);
  }
}

std::string Pattern(size_t size) {
  std::string text(size, '\0');
  for (size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i % 23);
  return text;
}

TEST(InputBufferTest, KeepsBytesWhileItGrows) {
  InputBuffer buffer;
  EXPECT_TRUE(buffer.empty());
  const std::string text = Pattern(100'000);
  Append(&buffer, text);
  EXPECT_EQ(buffer.view(), text);
}

TEST(InputBufferTest, KeepsWhatFollowsWhenTheFrontGoes) {
  InputBuffer buffer;
  const std::string text = Pattern(5'000);
  std::string expected;
  for (int i = 0; i < 100; ++i) {
    Append(&buffer, text);
    expected += text;
    buffer.ConsumeFront(4'990);
    expected.erase(0, 4'990);
    ASSERT_EQ(buffer.view(), expected) << i;
  }
}

TEST(InputBufferTest, RoomGrowsWithWhatCameAndNotWithWhatIsAnnounced) {
  InputBuffer buffer;
  constexpr size_t kAnnounced = size_t{1} << 40;
  EXPECT_LE(buffer.Prepare(kAnnounced).size, 64u * 1024);
  Append(&buffer, Pattern(100'000), kAnnounced);
  EXPECT_LE(buffer.Prepare(kAnnounced).size, 200'000u);
}

TEST(InputBufferTest, CutsOutOfTheMiddle) {
  InputBuffer buffer;
  Append(&buffer, "head-chunk-tail");
  buffer.Erase(5, 6);
  EXPECT_EQ(buffer.view(), "head-tail");
  buffer.ConsumeFront(5);
  buffer.Erase(0, 4);
  EXPECT_TRUE(buffer.empty());
}

}  // namespace
}  // namespace lapse::net
