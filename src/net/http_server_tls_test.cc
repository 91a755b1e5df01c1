#include <gtest/gtest.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <string>
#include <thread>

#include "net/http_server.h"
#include "net/test_client.h"

namespace lapse::net {
namespace {

// Accepts any certificate.
class TlsTestClient final : public TestClient {
 public:
  explicit TlsTestClient(uint16_t port)
      : TestClient(port), context_(SSL_CTX_new(TLS_client_method())), ssl_(SSL_new(context_)) {
    SSL_set_fd(ssl_, socket());
    shaken_ = SSL_connect(ssl_) == 1;
  }
  ~TlsTestClient() override {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
  }

  bool shaken() const { return shaken_; }
  SSL* ssl() { return ssl_; }

 protected:
  ssize_t ReadSome(char* space, size_t size) override { return SSL_read(ssl_, space, static_cast<int>(size)); }
  ssize_t WriteSome(std::string_view bytes) override {
    return SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()));
  }

 private:
  SSL_CTX* context_;
  SSL* ssl_;
  bool shaken_ = false;
};

HttpServerOptions TlsOptions() {
  Result<SelfSignedPair> pair = MakeSelfSigned({});
  HttpServerOptions options;
  options.tls_cert_pem = pair->cert_pem;
  options.tls_key_pem = pair->key_pem;
  return options;
}

void DescribeSecurity(const Request& request, Responder responder) {
  responder.response().body() = request.secure ? "secure" : "plain";
  responder.Send();
}

TEST(HttpServerTlsTest, ServesTlsAndPlainTextOnOnePort) {
  TestServer server(DescribeSecurity, TlsOptions());
  TlsTestClient secure(server.port());
  TestClient plain(server.port());
  ASSERT_TRUE(secure.shaken());
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(secure.Exchange(kGet).body, "secure");
    EXPECT_EQ(plain.Exchange(kGet).body, "plain");
  }
}

TEST(HttpServerTlsTest, CarriesLargeBodiesAndPipelines) {
  TestServer server(Echo, TlsOptions());
  TlsTestClient client(server.port());
  const std::string body(2'000'000, 'x');
  const Answer answer = client.Exchange("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 2000000\r\n\r\n" + body);
  EXPECT_TRUE(answer.body == "POST /  " + body);
  std::string requests;
  for (int i = 0; i < 50; ++i) requests += "GET /" + std::to_string(i) + " HTTP/1.1\r\nHost: h\r\n\r\n";
  client.Send(requests);
  for (int i = 0; i < 50; ++i) EXPECT_EQ(client.Receive().body, "GET /" + std::to_string(i) + "  ");
}

TEST(HttpServerTlsTest, SaysGoodbyeAfterTheLastAnswer) {
  TestServer server(Echo, TlsOptions());
  TlsTestClient client(server.port());
  EXPECT_EQ(client.Exchange("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n").status, 200);
  char byte = 0;
  EXPECT_EQ(SSL_read(client.ssl(), &byte, 1), 0);
  EXPECT_EQ(SSL_get_shutdown(client.ssl()) & SSL_RECEIVED_SHUTDOWN, SSL_RECEIVED_SHUTDOWN);
}

TEST(HttpServerTlsTest, SlowRequestGets408) {
  HttpServerOptions options = TlsOptions();
  options.header_timeout_ms = 200;
  TestServer server(Echo, options);
  TlsTestClient client(server.port());
  ASSERT_TRUE(client.shaken());
  EXPECT_EQ(client.Exchange("GET / HT").status, 408);
}

TEST(HttpServerTlsTest, AHandshakeThatStallsOrFailsIsClosed) {
  HttpServerOptions options = TlsOptions();
  options.header_timeout_ms = 50;
  TestServer server(Echo, options);
  TestClient stalled(server.port());
  stalled.Send("\x16\x03");
  TestClient broken(server.port());
  broken.Send("\x16 this is no handshake at all, only some text");
  EXPECT_TRUE(stalled.AtEnd());
  broken.ReceiveToEnd();
  while (server->connections() > 0) std::this_thread::yield();
}

TEST(HttpServerTlsTest, StopsWithTlsClients) {
  TestServer server(Echo, TlsOptions());
  TlsTestClient idle(server.port());
  TestClient silent(server.port());
  EXPECT_EQ(idle.Exchange(kGet).status, 200);
  server->Stop(60'000);
  EXPECT_EQ(server->connections(), 0);
}

TEST(HttpServerTlsTest, RefusesABadCertificateOrKey) {
  FunctionHandler handler(Echo);
  const HttpServerOptions good = TlsOptions();
  HttpServerOptions options = good;
  options.tls_cert_pem = "not a certificate";
  EXPECT_EQ(HttpServer::Start(options, &handler).status().code(), Code::kInvalidArgument);
  options = good;
  options.tls_key_pem.clear();
  EXPECT_EQ(HttpServer::Start(options, &handler).status().code(), Code::kInvalidArgument);
  options.tls_key_pem = TlsOptions().tls_key_pem;
  EXPECT_EQ(HttpServer::Start(options, &handler).status().code(), Code::kInvalidArgument)
      << "another certificate's key";
}

TEST(SelfSignedTest, CertifiesTheNamesGiven) {
  Result<SelfSignedPair> pair = MakeSelfSigned({"db.example.org", "10.1.2.3", "fe80::7"});
  ASSERT_TRUE(pair.ok()) << pair.status().ToString();
  BIO* bio = BIO_new_mem_buf(pair->cert_pem.data(), static_cast<int>(pair->cert_pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  ASSERT_NE(certificate, nullptr);
  for (const char* name : {"localhost", "db.example.org"}) {
    EXPECT_EQ(X509_check_host(certificate, name, 0, 0, nullptr), 1) << name;
  }
  for (const char* address : {"127.0.0.1", "::1", "10.1.2.3", "fe80::7"}) {
    EXPECT_EQ(X509_check_ip_asc(certificate, address, 0), 1) << address;
  }
  EXPECT_EQ(X509_check_host(certificate, "elsewhere", 0, 0, nullptr), 0);
  EXPECT_EQ(X509_cmp_current_time(X509_get0_notBefore(certificate)), -1);
  EXPECT_EQ(X509_cmp_current_time(X509_get0_notAfter(certificate)), 1);
  EXPECT_EQ(X509_verify(certificate, X509_get0_pubkey(certificate)), 1);
  X509_free(certificate);
  BIO_free(bio);
}

TEST(SelfSignedTest, CertifiesEachNameOnce) {
  Result<SelfSignedPair> pair =
      MakeSelfSigned({"machine", "127.0.0.1", "Machine", "localhost", "10.1.2.3", "10.1.2.3"});
  ASSERT_TRUE(pair.ok()) << pair.status().ToString();
  BIO* bio = BIO_new_mem_buf(pair->cert_pem.data(), static_cast<int>(pair->cert_pem.size()));
  X509* certificate = PEM_read_bio_X509(bio, nullptr, nullptr, nullptr);
  ASSERT_NE(certificate, nullptr);
  auto* names = static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr));
  ASSERT_NE(names, nullptr);
  EXPECT_EQ(sk_GENERAL_NAME_num(names), 5) << "three of every certificate, and two";
  EXPECT_EQ(X509_check_host(certificate, "machine", 0, 0, nullptr), 1);
  EXPECT_EQ(X509_check_ip_asc(certificate, "10.1.2.3", 0), 1);
  GENERAL_NAMES_free(names);
  X509_free(certificate);
  BIO_free(bio);
}

TEST(SelfSignedTest, RefusesNamesThatAreNone) {
  for (const char* name : {"", "a b", "a,IP:1.2.3.4", "a:b", "a/b"}) {
    EXPECT_EQ(MakeSelfSigned({name}).status().code(), Code::kInvalidArgument) << name;
  }
}

}  // namespace
}  // namespace lapse::net
