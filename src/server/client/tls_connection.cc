#include "server/client/tls_connection.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include <array>
#include <cerrno>
#include <utility>

namespace lapse::server::client {
namespace {

template <auto Free>
struct Freer {
  template <typename T>
  void operator()(T* object) const {
    Free(object);
  }
};
using TlsContext = std::unique_ptr<SSL_CTX, Freer<SSL_CTX_free>>;
using TlsSession = std::unique_ptr<SSL, Freer<SSL_free>>;

// OpenSSL's own socket BIO would let a signal end the program if the peer is gone.
int WriteSocket(BIO* bio, const char* bytes, int size) {
  return static_cast<int>(static_cast<const Socket*>(BIO_get_data(bio))->Send(bytes, static_cast<size_t>(size)));
}

int ReadSocket(BIO* bio, char* bytes, int size_max) {
  const ssize_t got = static_cast<const Socket*>(BIO_get_data(bio))->Receive(bytes, static_cast<size_t>(size_max));
  if (got == 0) BIO_set_flags(bio, BIO_FLAGS_IN_EOF);
  return static_cast<int>(got);
}

long ControlSocket(BIO* bio, int command, long, void*) {
  if (command == BIO_CTRL_EOF) return BIO_test_flags(bio, BIO_FLAGS_IN_EOF) != 0 ? 1 : 0;
  return command == BIO_CTRL_FLUSH ? 1 : 0;
}

const BIO_METHOD* SocketMethod() {
  static const BIO_METHOD* method = [] {
    BIO_METHOD* made = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "lapse socket");
    BIO_meth_set_write(made, &WriteSocket);
    BIO_meth_set_read(made, &ReadSocket);
    BIO_meth_set_ctrl(made, &ControlSocket);
    return made;
  }();
  return method;
}

std::string LastError() {
  char text[256];
  ERR_error_string_n(ERR_get_error(), text, sizeof(text));
  return text;
}

Result<TlsContext> MakeContext(const std::string& ca_file) {
  TlsContext context(SSL_CTX_new(TLS_client_method()));
  if (context == nullptr) return Status(Code::kInternal, "TLS cannot be used: " + LastError());
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  SSL_CTX_set_verify(context.get(), SSL_VERIFY_PEER, nullptr);
  if (ca_file.empty()) {
    SSL_CTX_set_default_verify_paths(context.get());
  } else if (SSL_CTX_load_verify_locations(context.get(), ca_file.c_str(), nullptr) != 1) {
    return Status(Code::kInvalidArgument, "no certificate can be read from " + ca_file);
  }
  return context;
}

bool IsAddress(const std::string& host) {
  in6_addr address;
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 || ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

// The certificate must be for this name or address.
bool ExpectHost(SSL* session, const std::string& host) {
  if (IsAddress(host)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str()) == 1;
  return SSL_set1_host(session, host.c_str()) == 1 && SSL_set_tlsext_host_name(session, host.c_str()) == 1;
}

class TlsConnection final : public Connection {
 public:
  TlsConnection(Socket socket, Endpoint endpoint) : socket_(std::move(socket)), endpoint_(std::move(endpoint)) {}

  Status ShakeHands(const std::string& ca_file) {
    LAPSE_ASSIGN_OR_RETURN(context_, MakeContext(ca_file));
    session_.reset(SSL_new(context_.get()));
    BIO* bio = BIO_new(SocketMethod());
    if (session_ == nullptr || bio == nullptr || !ExpectHost(session_.get(), endpoint_.host)) {
      BIO_free(bio);
      return {Code::kInternal, "TLS cannot be used: " + LastError()};
    }
    BIO_set_data(bio, &socket_);
    BIO_set_init(bio, 1);
    SSL_set_bio(session_.get(), bio, bio);
    ERR_clear_error();
    const int result = SSL_connect(session_.get());
    if (result == 1) return Status::Ok();
    const long verified = SSL_get_verify_result(session_.get());
    if (verified == X509_V_OK) return NoAnswer(endpoint_, Reason(result));
    return {Code::kUnavailable, "the certificate of " + endpoint_.host +
                                    " is not trusted: " + X509_verify_cert_error_string(verified) +
                                    ". --ca FILE names the certificates to trust"};
  }

  Status Send(std::string_view bytes) override {
    // All or nothing: partial writes are off.
    const int result = SSL_write(session_.get(), bytes.data(), static_cast<int>(bytes.size()));
    return result > 0 ? Status::Ok() : NoAnswer(endpoint_, Reason(result));
  }

  Result<std::string> Receive() override {
    std::array<char, kReceiveBytesMax> buffer;
    ERR_clear_error();
    const int result = SSL_read(session_.get(), buffer.data(), static_cast<int>(buffer.size()));
    if (result > 0) return std::string(buffer.data(), static_cast<size_t>(result));
    if (SSL_get_error(session_.get(), result) == SSL_ERROR_ZERO_RETURN) return std::string();
    return NoAnswer(endpoint_, Reason(result));
  }

 private:
  std::string Reason(int result) const {
    const int error = SSL_get_error(session_.get(), result);
    return error == SSL_ERROR_SSL ? LastError() : errno != 0 ? SocketError() : "the connection was closed";
  }

  Socket socket_;
  const Endpoint endpoint_;
  TlsContext context_;
  TlsSession session_;  // uses the socket and the context
};

}  // namespace

Result<std::unique_ptr<Connection>> NewTlsConnection(Socket socket, const Endpoint& endpoint,
                                                     const std::string& ca_file) {
  auto connection = std::make_unique<TlsConnection>(std::move(socket), endpoint);
  LAPSE_RETURN_IF_ERROR(connection->ShakeHands(ca_file));
  return std::unique_ptr<Connection>(std::move(connection));
}

}  // namespace lapse::server::client
