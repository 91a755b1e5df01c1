// Sends actions as requests of the Cosmos DB API over a socket, and returns its answers as results.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "tests/linearizability/database.h"
#include "tests/server/signed_client.h"

namespace lapse::linearizability {

// Uses the well-known account key. Threads: one.
class CosmosConnection : public Connection {
 public:
  // Asks `port` whenever it connects; 0: no server listens.
  explicit CosmosConnection(std::function<uint16_t()> port) : port_(std::move(port)) {}

  Answer Send(const std::string& partition, const std::vector<Action>& actions, bool batch) override;

 private:
  net::Answer Exchange(const tests::SignedClient::Call& call);

  const std::function<uint16_t()> port_;
  std::unique_ptr<tests::SignedClient> client_;
  bool query_ = false;  // lists alternate between feeds and queries
};

// Creates the database and the container that connections use.
Status MakeContainer(uint16_t port, std::optional<int64_t> default_ttl);

}  // namespace lapse::linearizability
