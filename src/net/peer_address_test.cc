#include "net/peer_address.h"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace lapse::net {
namespace {

bool IsLoopbackV4(const char* text) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  EXPECT_EQ(inet_pton(AF_INET, text, &address.sin_addr), 1) << text;
  return IsLoopback(reinterpret_cast<const sockaddr*>(&address));
}

bool IsLoopbackV6(const char* text) {
  sockaddr_in6 address{};
  address.sin6_family = AF_INET6;
  EXPECT_EQ(inet_pton(AF_INET6, text, &address.sin6_addr), 1) << text;
  return IsLoopback(reinterpret_cast<const sockaddr*>(&address));
}

TEST(PeerAddressTest, KnowsLoopbackInEveryFamily) {
  EXPECT_TRUE(IsLoopbackV4("127.0.0.1"));
  EXPECT_TRUE(IsLoopbackV4("127.255.0.9"));
  EXPECT_FALSE(IsLoopbackV4("128.0.0.1"));
  EXPECT_FALSE(IsLoopbackV4("10.0.0.127"));
  EXPECT_TRUE(IsLoopbackV6("::1"));
  EXPECT_TRUE(IsLoopbackV6("::ffff:127.0.0.1"));
  EXPECT_FALSE(IsLoopbackV6("::ffff:10.0.0.1"));
  EXPECT_FALSE(IsLoopbackV6("::2"));
  EXPECT_FALSE(IsLoopbackV6("fe80::1"));
}

}  // namespace
}  // namespace lapse::net
