// For tests: a connection to a server with the well-known key, which signs its requests as a client does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "net/test_client.h"

namespace lapse::tests {

// The partition key of items whose pk is "p".
constexpr std::string_view kTestPartitionKey = R"(["p"])";

// One request at a time. An answer that does not come within TestClient's limit has status 0.
class SignedClient {
 public:
  explicit SignedClient(uint16_t port) : connection_(port) {}

  struct Call {
    std::string_view method = "GET";
    std::string path = {};
    std::string body = {};
    std::string_view partition_key = {};  // a JSON array; empty: none
    std::string headers = {};             // further headers, each with its line end
  };

  // Sends without waiting for the answer.
  bool Send(const Call& call);
  net::Answer Receive() { return connection_.Receive(); }
  net::Answer Exchange(const Call& call);

 private:
  net::TestClient connection_;
};

}  // namespace lapse::tests
