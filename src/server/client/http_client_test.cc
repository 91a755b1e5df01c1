#include "server/client/http_client.h"

#include <gtest/gtest.h>

namespace lapse::server::client {
namespace {

TEST(ParseEndpointTest, TakesNamesAndAddresses) {
  Result<Endpoint> plain = ParseEndpoint("http://127.0.0.1:8082");
  ASSERT_TRUE(plain.ok());
  EXPECT_EQ(plain->host, "127.0.0.1");
  EXPECT_EQ(plain->port, 8082);

  Result<Endpoint> named = ParseEndpoint("http://localhost/");
  ASSERT_TRUE(named.ok());
  EXPECT_EQ(named->host, "localhost");
  EXPECT_EQ(named->port, 8081);

  Result<Endpoint> six = ParseEndpoint("http://[::1]:9/");
  ASSERT_TRUE(six.ok());
  EXPECT_EQ(six->host, "::1");
  EXPECT_EQ(six->port, 9);
  EXPECT_TRUE(ParseEndpoint("http://[::1]").ok());
  EXPECT_FALSE(six->is_tls);

  Result<Endpoint> secure = ParseEndpoint("https://db.example:8443/");
  ASSERT_TRUE(secure.ok());
  EXPECT_EQ(secure->host, "db.example");
  EXPECT_EQ(secure->port, 8443);
  EXPECT_TRUE(secure->is_tls);
}

TEST(ParseEndpointTest, RefusesTheRest) {
  for (const char* url :
       {"", "127.0.0.1:8081", "ftp://127.0.0.1:8081", "https://", "http://", "http://:80", "http://h:", "http://h:0",
        "http://h:65536", "http://h:8x", "http://h/path", "http://[::1", "http://[::1]80", "http://a\r\nb"}) {
    EXPECT_FALSE(ParseEndpoint(url).ok()) << url;
  }
}

TEST(ParseReplyTest, SplitsStatusAndBody) {
  Result<HttpReply> reply = ParseReply("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n{}");
  ASSERT_TRUE(reply.ok());
  EXPECT_EQ(reply->status, 403);
  EXPECT_EQ(reply->body, "{}");
}

TEST(ParseReplyTest, RefusesAnAnswerThatWasCutShort) {
  for (const char* bytes : {"HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n{}",
                            "HTTP/1.1 200 OK\r\nA: b\r\ncontent-length:3\r\nC: d\r\n\r\n{}"}) {
    EXPECT_EQ(ParseReply(bytes).status().message(), "the answer was cut short");
  }
  EXPECT_TRUE(ParseReply("HTTP/1.1 200 OK\r\n\r\n{}").ok()) << "the end of the connection ends it";
}

TEST(ParseReplyTest, RefusesWhatIsNotHttp) {
  for (const char* bytes :
       {"", "HTTP/1.1 200 OK\r\n", "SSH-2.0\r\n\r\n", "HTTP/1.1 OK\r\n\r\n", "HTTP/1.1 20\r\n\r\n"}) {
    EXPECT_FALSE(ParseReply(bytes).ok()) << bytes;
  }
}

}  // namespace
}  // namespace lapse::server::client
