#include "server/client/http_client.h"

#include <charconv>
#include <memory>
#include <optional>

#include "base/ascii.h"

namespace lapse::server::client {
namespace {

constexpr std::string_view kPlainScheme = "http://";
constexpr std::string_view kTlsScheme = "https://";
constexpr uint16_t kDefaultPort = 8081;
constexpr size_t kReplyMax_bytes = 64 << 20;

std::string RequestText(const Endpoint& endpoint, const HttpCall& call) {
  bool is_ipv6 = endpoint.host.find(':') != std::string::npos;
  std::string host = is_ipv6 ? "[" + endpoint.host + "]" : endpoint.host;
  std::string text = call.method + " " + call.path + " HTTP/1.1\r\n";
  text += "Host: " + host + ":" + std::to_string(endpoint.port) + "\r\nConnection: close\r\n";
  if (!call.bearer.empty()) text += "Authorization: Bearer " + call.bearer + "\r\n";
  if (call.method == "POST") {
    text += "Content-Type: application/json\r\nContent-Length: " + std::to_string(call.json.size()) + "\r\n";
  }
  return text + "\r\n" + call.json;
}

// `head` consists of lines, each with its end.
std::optional<size_t> ContentLength(std::string_view head) {
  constexpr std::string_view kName = "content-length:";
  while (!head.empty()) {
    std::string_view line = head.substr(0, head.find("\r\n"));
    head.remove_prefix(line.size() + 2);
    if (!StartsWithIgnoreCase(line, kName)) continue;
    line.remove_prefix(kName.size());
    while (line.starts_with(' ')) line.remove_prefix(1);
    size_t length = 0;
    auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), length);
    if (error == std::errc() && end == line.data() + line.size()) return length;
  }
  return std::nullopt;
}

}  // namespace

Result<Endpoint> ParseEndpoint(std::string_view url) {
  Status wrong(Code::kInvalidArgument, "the endpoint must look like http://127.0.0.1:8081 or https://name:8081, not '" +
                                           std::string(url) + "'");
  const bool is_tls = url.starts_with(kTlsScheme);
  if (!is_tls && !url.starts_with(kPlainScheme)) return wrong;
  url.remove_prefix(is_tls ? kTlsScheme.size() : kPlainScheme.size());
  if (url.ends_with('/')) url.remove_suffix(1);
  if (url.find_first_of("/?# \r\n") != std::string_view::npos) return wrong;

  // The colons of [::1] do not precede the port.
  size_t host_end = url.starts_with('[') ? url.find(']') : url.find(':');
  if (url.starts_with('[') && host_end == std::string_view::npos) return wrong;
  Endpoint endpoint{.host = "", .port = kDefaultPort, .is_tls = is_tls};
  std::string_view port;
  if (url.starts_with('[')) {
    endpoint.host = url.substr(1, host_end - 1);
    port = url.substr(host_end + 1);
  } else {
    endpoint.host = url.substr(0, host_end);
    port = host_end == std::string_view::npos ? std::string_view() : url.substr(host_end);
  }
  if (endpoint.host.empty()) return wrong;
  if (port.empty()) return endpoint;
  auto [end, error] = std::from_chars(port.data() + 1, port.data() + port.size(), endpoint.port);
  if (port.front() != ':' || error != std::errc() || end != port.data() + port.size() || endpoint.port == 0)
    return wrong;
  return endpoint;
}

Result<HttpReply> ParseReply(std::string_view bytes) {
  Status wrong(Code::kInternal, "the answer is not HTTP");
  size_t head_end = bytes.find("\r\n\r\n");
  constexpr std::string_view kVersion = "HTTP/1.1 ";
  if (head_end == std::string_view::npos || !bytes.starts_with(kVersion)) return wrong;
  HttpReply reply;
  const char* digits = bytes.data() + kVersion.size();
  auto [end, error] = std::from_chars(digits, bytes.data() + head_end, reply.status);
  if (error != std::errc() || end != digits + 3) return wrong;
  reply.body = bytes.substr(head_end + 4);
  std::optional<size_t> length = ContentLength(bytes.substr(0, head_end + 2));
  if (length && *length != reply.body.size()) return Status(Code::kInternal, "the answer was cut short");
  return reply;
}

Result<HttpReply> Send(const Endpoint& endpoint, const HttpCall& call, const std::string& ca_file) {
  LAPSE_ASSIGN_OR_RETURN(std::unique_ptr<Connection> connection, Connect(endpoint, ca_file));
  LAPSE_RETURN_IF_ERROR(connection->Send(RequestText(endpoint, call)));
  std::string bytes;
  while (bytes.size() < kReplyMax_bytes) {
    LAPSE_ASSIGN_OR_RETURN(std::string received, connection->Receive());
    if (received.empty()) return ParseReply(bytes);
    bytes += received;
  }
  return Status(Code::kTooLarge, "the answer does not end");
}

}  // namespace lapse::server::client
