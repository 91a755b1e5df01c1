#include "server/client/session.h"

#include <string>
#include <string_view>
#include <utility>

#include "doc/json.h"
#include "server/options.h"

namespace lapse::server::client {
namespace {

std::string_view LineEnd(std::string_view text) {
  return text.ends_with('\n') ? "" : "\n";
}

}  // namespace

// Anyone who listens on the way to another machine would learn the key.
Result<Endpoint> Session::CheckedEndpoint() const {
  LAPSE_ASSIGN_OR_RETURN(Endpoint endpoint, ParseEndpoint(address_.endpoint));
  const bool is_safe = endpoint.is_tls || IsLoopbackAddress(endpoint.host) || address_.key.empty();
  if (is_safe || address_.allow_plain_key) return endpoint;
  return Status(Code::kInvalidArgument, "the key would go to " + endpoint.host +
                                            " in clear: use an https:// endpoint, or --allow-plain-key if this is "
                                            "wanted");
}

std::optional<std::string> Session::Fetch(HttpCall call, int* exit_code) {
  Result<Endpoint> endpoint = CheckedEndpoint();
  if (!endpoint.ok()) {
    *exit_code = Misuse(endpoint.status().message());
    return std::nullopt;
  }
  call.bearer = address_.key;
  Result<HttpReply> reply = Send(*endpoint, call, address_.ca_file);
  if (!reply.ok()) {
    *exit_code = Fail(reply.status().message());
    return std::nullopt;
  }
  if (reply->status != 200) {
    if (reply->body.empty()) reply->body = "lapse: the server answered " + std::to_string(reply->status);
    err_ << reply->body << LineEnd(reply->body);
    *exit_code = kFailed;
    return std::nullopt;
  }
  return std::move(reply->body);
}

std::optional<std::string> Session::Get(const std::string& path, int* exit_code) {
  return Fetch({.method = "GET", .path = path, .bearer = "", .json = ""}, exit_code);
}

std::optional<std::string> Session::Post(const std::string& path, const std::string& document, int* exit_code) {
  std::string json;
  doc::ObjectToJson(document, &json);
  return Fetch({.method = "POST", .path = path, .bearer = "", .json = json}, exit_code);
}

int Session::PrintGet(const std::string& path) {
  return Print({.method = "GET", .path = path, .bearer = "", .json = ""});
}

int Session::PrintPost(const std::string& path, const std::string& document) {
  std::string json;
  doc::ObjectToJson(document, &json);
  return Print({.method = "POST", .path = path, .bearer = "", .json = json});
}

int Session::Print(HttpCall call) {
  int exit_code = kDone;
  std::optional<std::string> body = Fetch(std::move(call), &exit_code);
  if (body) out_ << *body << LineEnd(*body);
  return exit_code;
}

int Session::CheckOutput(int exit_code) {
  out_.flush();
  return out_.good() ? exit_code : Fail("what was to be printed could not be written");
}

int Session::Say(const std::string& message, int exit_code) {
  err_ << "lapse: " << message << "\n";
  return exit_code;
}

}  // namespace lapse::server::client
