#include "tests/server/signed_client.h"

#include "api/cosmos/wire/credentials/authenticator.h"
#include "api/cosmos/wire/routes.h"
#include "base/calendar.h"
#include "base/clock.h"
#include "server/options.h"

namespace lapse::tests {
namespace {

// The signature is base64, of which a header takes every character.
std::string Authorization(const SignedClient::Call& call, const std::string& date) {
  api::cosmos::Route route;
  route.Parse(call.path);
  const auto signer = *api::cosmos::Authenticator::Create(server::kWellKnownKey, "");
  return "type=master&ver=1.0&sig=" + signer.Sign({call.method, route.resource_type(), route.resource_link()}, date);
}

}  // namespace

bool SignedClient::Send(const Call& call) {
  const std::string date = Rfc1123Date(RealWallClock().NowMs() / 1000);
  std::string text = std::string(call.method) + " " + call.path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n";
  text += "authorization: " + Authorization(call, date) + "\r\nx-ms-date: " + date + "\r\n";
  if (!call.partition_key.empty()) {
    text.append("x-ms-documentdb-partitionkey: ").append(call.partition_key).append("\r\n");
  }
  text += call.headers;
  if (!call.body.empty()) text += "content-length: " + std::to_string(call.body.size()) + "\r\n";
  return connection_.Send(text + "\r\n" + call.body);
}

net::Answer SignedClient::Exchange(const Call& call) {
  Send(call);
  return Receive();
}

}  // namespace lapse::tests
