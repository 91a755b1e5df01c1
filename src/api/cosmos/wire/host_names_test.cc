#include "api/cosmos/wire/host_names.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace lapse::api::cosmos {
namespace {

using ::testing::HasSubstr;

TEST(HostNamesTest, AnyNameUnlessToldOtherwise) {
  for (const char* host : {"", "localhost", "evil.example", "]:["}) EXPECT_TRUE(AnyHost().Check(host).ok()) << host;
}

TEST(HostNamesTest, LoopbackNamesAndAddressesAreAlwaysServed) {
  const HostNames names = HostNames::Only({});
  for (const char* host : {"localhost", "LocalHost:8081", "127.0.0.1", "127.0.0.1:8081", "10.1.2.3:1", "[::1]",
                           "[::1]:8081", "[fe80::1]:8081", "localhost:"}) {
    EXPECT_TRUE(names.Check(host).ok()) << host;
  }
}

TEST(HostNamesTest, OtherNamesAreNot) {
  const HostNames names = HostNames::Only({});
  for (const char* host : {"", "evil.example", "evil.example:8081", "localhost.evil.example", "127.0.0.1.evil.example",
                           "10.0.0.1x", "localhost:8081:evil.example", "localhost:evil", "[::1", "[::1].evil.example",
                           "[evil.example]", "::1", "xlocalhost", "[]", "[127.0.0.1]", "2130706433", "0x7f.1"}) {
    EXPECT_EQ(names.Check(host).code(), Code::kForbidden) << host;
  }
  EXPECT_EQ(names.Check(std::string(100'000, 'a')).code(), Code::kForbidden);
}

TEST(HostNamesTest, ListedNamesAreServedInAnyCase) {
  const HostNames names = HostNames::Only({"lapse", "db.test"});
  for (const char* host : {"lapse", "LAPSE:8081", "Db.Test"}) EXPECT_TRUE(names.Check(host).ok()) << host;
  for (const char* host : {"lapse2", "db", "test", "x.db.test"}) EXPECT_FALSE(names.Check(host).ok()) << host;
}

TEST(HostNamesTest, TheErrorSaysWhatToDo) {
  const std::string message = HostNames::Only({}).Check("Evil.Example:8081").message();
  EXPECT_THAT(message, HasSubstr("--host-name evil.example,"));
  EXPECT_THAT(message, HasSubstr("--account-key"));
  EXPECT_THAT(message, HasSubstr("--allow-well-known-key"));
}

}  // namespace
}  // namespace lapse::api::cosmos
