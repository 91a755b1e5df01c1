// One run of the client: its requests to a server, and its output.
#pragma once

#include <optional>
#include <ostream>
#include <string>

#include "server/client/http_client.h"

namespace lapse::server::client {

// Exit codes.
constexpr int kDone = 0;
constexpr int kFailed = 1;
constexpr int kBadUsage = 2;

struct ServerAddress {
  std::string endpoint;
  std::string key;
  std::string ca_file;           // see Connect
  bool allow_plain_key = false;  // send the key to another machine without TLS
};

// Threads: one. Streams and address must outlive it. The address may be filled in until the first call.
class Session {
 public:
  Session(const ServerAddress& address, std::ostream& out, std::ostream& err)
      : address_(address), out_(out), err_(err) {}

  std::ostream& out() { return out_; }

  // Returns the body of a successful response. Otherwise prints what went wrong and sets the exit code.
  std::optional<std::string> Fetch(HttpCall call, int* exit_code);
  std::optional<std::string> Get(const std::string& path, int* exit_code);
  // The document is BSON.
  std::optional<std::string> Post(const std::string& path, const std::string& document, int* exit_code);

  // Print the response unchanged, and return the exit code.
  int PrintGet(const std::string& path);
  int PrintPost(const std::string& path, const std::string& document);

  // Returns `exit_code`, unless the output could not be written.
  int CheckOutput(int exit_code);

  // Print what is wrong, and return the exit code.
  int Fail(const std::string& message) { return Say(message, kFailed); }
  int Misuse(const std::string& message) { return Say(message, kBadUsage); }

 private:
  Result<Endpoint> CheckedEndpoint() const;
  int Say(const std::string& message, int exit_code);
  int Print(HttpCall call);

  const ServerAddress& address_;
  std::ostream& out_;
  std::ostream& err_;
};

}  // namespace lapse::server::client
