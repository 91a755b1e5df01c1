// Tests the client against a TLS server.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <fstream>
#include <memory>
#include <string>

#include "net/http_server.h"
#include "server/client/http_client.h"

namespace lapse::server::client {
namespace {

using ::testing::HasSubstr;

class EchoHandler final : public net::Handler {
 public:
  bool Admit(const net::Request&, net::Response&) override { return true; }
  void Handle(const net::Request& request, net::Responder responder) override {
    ++asked;
    responder.response().set_status(200);
    responder.response().body() = std::string(request.Header("authorization")) + std::string(100'000, 'x');
    responder.Send();
  }
  std::atomic<int> asked{0};
};

class TlsConnectionTest : public testing::Test {
 protected:
  TlsConnectionTest() {
    net::SelfSignedPair pair = *net::MakeSelfSigned({});
    std::ofstream(ca_file_) << pair.cert_pem;
    std::ofstream(other_ca_file_) << net::MakeSelfSigned({})->cert_pem;
    net::HttpServerOptions options;
    options.host = "127.0.0.1";
    options.port = 0;
    options.threads = 1;
    options.tls_cert_pem = pair.cert_pem;
    options.tls_key_pem = pair.key_pem;
    server_ = *net::HttpServer::Start(std::move(options), &handler_);
  }
  ~TlsConnectionTest() override {
    server_->Stop(0);
    std::remove(ca_file_.c_str());
    std::remove(other_ca_file_.c_str());
  }

  Result<HttpReply> Get(const std::string& host, const std::string& ca_file, bool is_tls = true) {
    return Send({host, server_->port(), is_tls}, {.method = "GET", .path = "/", .bearer = "YWJj", .json = ""}, ca_file);
  }

  const std::string ca_file_ = testing::TempDir() + "lapse-ca-" + std::to_string(getpid()) + ".pem";
  const std::string other_ca_file_ = testing::TempDir() + "lapse-other-ca-" + std::to_string(getpid()) + ".pem";
  EchoHandler handler_;
  std::unique_ptr<net::HttpServer> server_;
};

TEST_F(TlsConnectionTest, SpeaksToAServerThatItTrusts) {
  for (const char* host : {"127.0.0.1", "localhost"}) {
    Result<HttpReply> reply = Get(host, ca_file_);
    ASSERT_TRUE(reply.ok()) << reply.status().ToString();
    EXPECT_EQ(reply->status, 200);
    EXPECT_EQ(reply->body, "Bearer YWJj" + std::string(100'000, 'x'));
  }
}

TEST_F(TlsConnectionTest, SaysNothingToAServerThatItDoesNotTrust) {
  Result<HttpReply> unknown = Get("127.0.0.1", "");
  EXPECT_EQ(unknown.status().code(), Code::kUnavailable);
  EXPECT_THAT(unknown.status().message(), HasSubstr("the certificate of 127.0.0.1 is not trusted: self-signed"));
  EXPECT_THAT(unknown.status().message(), HasSubstr("--ca FILE"));
  EXPECT_FALSE(Get("127.0.0.1", other_ca_file_).ok());
  EXPECT_EQ(handler_.asked, 0);
}

// 127.0.0.2 is this machine, too, but the certificate does not cover it.
TEST_F(TlsConnectionTest, TheCertificateMustBeForTheHost) {
  net::HttpServerOptions options;
  options.host = "127.0.0.2";
  options.port = 0;
  options.threads = 1;
  net::SelfSignedPair pair = *net::MakeSelfSigned({});
  std::ofstream(ca_file_) << pair.cert_pem;
  options.tls_cert_pem = pair.cert_pem;
  options.tls_key_pem = pair.key_pem;
  std::unique_ptr<net::HttpServer> other = *net::HttpServer::Start(std::move(options), &handler_);
  Result<HttpReply> reply =
      Send({"127.0.0.2", other->port(), true}, {.method = "GET", .path = "/", .bearer = "", .json = ""}, ca_file_);
  other->Stop(0);
  EXPECT_THAT(reply.status().message(), HasSubstr("IP address mismatch"));
  EXPECT_EQ(handler_.asked, 0);
}

TEST_F(TlsConnectionTest, AFileWithoutACertificateIsNamed) {
  EXPECT_EQ(Get("127.0.0.1", "/no/such/file").status().message(), "no certificate can be read from /no/such/file");
  EXPECT_EQ(Get("127.0.0.1", "/dev/null").status().code(), Code::kInvalidArgument);
}

TEST_F(TlsConnectionTest, PlainHttpSharesThePort) {
  Result<HttpReply> reply = Get("127.0.0.1", "", false);
  ASSERT_TRUE(reply.ok()) << reply.status().ToString();
  EXPECT_EQ(reply->status, 200);
}

}  // namespace
}  // namespace lapse::server::client
