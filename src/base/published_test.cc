#include "base/published.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>

namespace lapse {
namespace {

TEST(PublishedTest, ReadersSeeTheLastValueAndKeepTheirs) {
  Published<std::string> value("one");
  const std::string& first = value.get();
  value.Publish("two");
  EXPECT_EQ(first, "one");
  EXPECT_EQ(value.get(), "two");
}

TEST(PublishedTest, AValueIsSeenWhole) {
  Published<std::string> value(std::string(100, 'a'));
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done) {
      const std::string& seen = value.get();
      EXPECT_EQ(seen, std::string(100, seen[0]));
    }
  });
  for (char c = 'b'; c <= 'z'; ++c) value.Publish(std::string(100, c));
  done = true;
  reader.join();
}

}  // namespace
}  // namespace lapse
