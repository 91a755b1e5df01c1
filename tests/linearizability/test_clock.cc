#include "tests/linearizability/test_clock.h"

#include "doc/json.h"
#include "doc/value.h"
#include "server/client/http_client.h"

namespace lapse::linearizability {
namespace {

std::optional<int64_t> Ask(uint16_t port, const std::string& method, const std::string& json, int* status) {
  const auto reply = server::client::Send({"127.0.0.1", port},
                                          {.method = method, .path = "/_lapse/clock", .bearer = "", .json = json});
  *status = reply.ok() ? reply->status : 0;
  std::string document;
  if (*status != 200 || !doc::JsonToBson(reply->body, {}, &document).ok()) return std::nullopt;
  const doc::Value now = doc::Find(document, "now");
  return now.IsNumber() ? now.AsWholeNumber() : std::nullopt;
}

}  // namespace

std::optional<int64_t> AskTestClock(uint16_t port, const std::string& command) {
  int status = 0;
  if (!command.empty()) {
    const std::optional<int64_t> now_s = Ask(port, "POST", command, &status);
    // 503: the clock did not move.
    if (status != 503) return now_s;
  }
  return Ask(port, "GET", "", &status);
}

}  // namespace lapse::linearizability
