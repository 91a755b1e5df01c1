#include "server/client/connection.h"

#include <array>
#include <utility>

#include "server/client/socket.h"
#include "server/client/tls_connection.h"

namespace lapse::server::client {
namespace {

class PlainConnection final : public Connection {
 public:
  PlainConnection(Socket socket, Endpoint endpoint) : socket_(std::move(socket)), endpoint_(std::move(endpoint)) {}

  Status Send(std::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t sent = socket_.Send(bytes.data(), bytes.size());
      if (sent <= 0) return NoAnswer(endpoint_, SocketError());
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return Status::Ok();
  }

  Result<std::string> Receive() override {
    std::array<char, kReceiveBytesMax> buffer;
    const ssize_t received = socket_.Receive(buffer.data(), buffer.size());
    if (received < 0) return NoAnswer(endpoint_, SocketError());
    return std::string(buffer.data(), static_cast<size_t>(received));
  }

 private:
  Socket socket_;
  const Endpoint endpoint_;
};

}  // namespace

Result<std::unique_ptr<Connection>> Connect(const Endpoint& endpoint, const std::string& ca_file) {
  LAPSE_ASSIGN_OR_RETURN(Socket socket, ConnectSocket(endpoint));
  if (endpoint.is_tls) return NewTlsConnection(std::move(socket), endpoint, ca_file);
  return std::unique_ptr<Connection>(std::make_unique<PlainConnection>(std::move(socket), endpoint));
}

}  // namespace lapse::server::client
