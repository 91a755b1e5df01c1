#include "server/dispatcher.h"

#include <gtest/gtest.h>

#include <memory>

#include "net/test_sink.h"

namespace lapse::server {
namespace {

class FixedHandler final : public net::Handler {
 public:
  explicit FixedHandler(int status) : status_(status) {}
  bool Admit(const net::Request&, net::Response& refusal) override {
    refusal.set_status(status_);
    return false;
  }
  void Handle(const net::Request&, net::Responder responder) override {
    ++calls_;
    responder.response().set_status(status_);
    responder.Send();
  }
  int calls() const { return calls_; }

 private:
  const int status_;
  int calls_ = 0;
};

class DispatcherTest : public testing::Test {
 protected:
  void Call(std::string_view path) {
    net::Request request;
    request.method = "GET";
    request.path = path;
    auto sink = std::make_shared<net::RecordingSink>();
    dispatcher_.Handle(request, net::Responder(sink));
    EXPECT_EQ(sink->sent(), 1);
  }

  FixedHandler admin_{200};
  FixedHandler explorer_{304};
  FixedHandler documents_{404};
  Dispatcher dispatcher_{&admin_, &explorer_, &documents_};
};

TEST_F(DispatcherTest, GoesByPath) {
  Call("/_lapse/health");
  Call("/_explorer/emulator.pem");
  EXPECT_EQ(admin_.calls(), 2);
  Call("/_explorer");
  Call("/_explorer/");
  Call("/_explorer/emulator.pem/");
  EXPECT_EQ(explorer_.calls(), 3);
  Call("/");
  Call("/dbs");
  Call("/dbs/_lapse");
  EXPECT_EQ(admin_.calls() + explorer_.calls(), 5);
  EXPECT_EQ(documents_.calls(), 3);
}

TEST_F(DispatcherTest, TheOwnerOfAPathIsAskedForItsBodies) {
  net::Request head;
  head.method = "POST";
  net::Response refusal;
  head.path = "/_lapse/clock";
  EXPECT_FALSE(dispatcher_.Admit(head, refusal));
  EXPECT_EQ(refusal.status(), 200);
  head.path = "/dbs";
  EXPECT_FALSE(dispatcher_.Admit(head, refusal));
  EXPECT_EQ(refusal.status(), 404);
  EXPECT_EQ(admin_.calls() + explorer_.calls() + documents_.calls(), 0);
}

}  // namespace
}  // namespace lapse::server
