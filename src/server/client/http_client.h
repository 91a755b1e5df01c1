// One blocking HTTP request per connection, which is all that the command-line client needs.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "server/client/connection.h"

namespace lapse::server::client {

// Parses "http://127.0.0.1:8081", "https://[::1]:8081/". The default port is 8081.
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

// `ca_file`: see Connect. Fails as Connect does, and with kInternal if the peer does not speak HTTP.
Result<HttpReply> Send(const Endpoint& endpoint, const HttpCall& call, const std::string& ca_file = {});

// Parses a whole response, up to the end of the connection.
Result<HttpReply> ParseReply(std::string_view bytes);

}  // namespace lapse::server::client
