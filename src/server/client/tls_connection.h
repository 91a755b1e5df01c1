// TLS over a connected socket, with an authenticated server.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "server/client/connection.h"
#include "server/client/socket.h"

namespace lapse::server::client {

// Performs the handshake. Fails as Connect does.
Result<std::unique_ptr<Connection>> NewTlsConnection(Socket socket, const Endpoint& endpoint,
                                                     const std::string& ca_file);

}  // namespace lapse::server::client
