// One HTTP request over one plain connection, blocking: all that the command-line client needs. The server speaks plain
// HTTP on its port even where it has a certificate.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace lapse::server::client {

struct Endpoint {
  std::string host;
  uint16_t port = 0;
};

// "http://127.0.0.1:8081", "http://[::1]:8081/"; the port is 8081 when there is none.
Result<Endpoint> ParseEndpoint(std::string_view url);

struct HttpCall {
  std::string method = "GET";
  std::string path;
  std::string bearer;  // empty: none
  std::string json;    // the body of a POST
};

struct HttpReply {
  int status = 0;
  std::string body;
};

// Fails: kUnavailable when nothing answers, kInternal when what answers does not speak HTTP.
Result<HttpReply> Send(const Endpoint& endpoint, const HttpCall& call);

// The parts of a whole answer, up to the end of the connection.
Result<HttpReply> ParseReply(std::string_view bytes);

}  // namespace lapse::server::client
