#include "api/cosmos/wire/host_names.h"

#include <arpa/inet.h>

#include <algorithm>
#include <utility>

#include "base/ascii.h"

namespace lapse::api::cosmos {
namespace {

constexpr size_t kNameBytesMax = 255;  // of a DNS name
constexpr std::string_view kDigits = "0123456789";

// Returns the name without its port, or an empty text if the port is malformed.
std::string_view WithoutPort(std::string_view host) {
  const size_t name_end = host.starts_with('[') ? host.find(']') : host.find(':');
  if (name_end == std::string_view::npos) return host.starts_with('[') ? std::string_view() : host;
  const size_t end = host.starts_with('[') ? name_end + 1 : name_end;
  const std::string_view port = host.substr(end);
  const bool is_port =
      port.empty() || (port.front() == ':' && port.find_first_not_of(kDigits, 1) == std::string_view::npos);
  return is_port ? host.substr(0, end) : std::string_view();
}

std::string Lower(std::string_view name) {
  std::string lower(name);
  for (char& c : lower) c = LowerAscii(c);
  return lower;
}

// 10.0.0.1, [::1]
bool IsAddress(const std::string& name) {
  in6_addr address;
  if (!name.starts_with('[')) return inet_pton(AF_INET, name.c_str(), &address) == 1;
  return name.ends_with(']') && inet_pton(AF_INET6, name.substr(1, name.size() - 2).c_str(), &address) == 1;
}

}  // namespace

HostNames HostNames::Only(std::vector<std::string> names) {
  HostNames only;
  only.any_ = false;
  only.names_ = std::move(names);
  return only;
}

Status HostNames::Check(std::string_view host) const {
  if (any_) return Status::Ok();
  std::string name = Lower(WithoutPort(host.substr(0, kNameBytesMax)));
  if (name == "localhost" || IsAddress(name) || std::find(names_.begin(), names_.end(), name) != names_.end()) {
    return Status::Ok();
  }
  if (name.empty()) name = "NAME";
  return Status(Code::kForbidden,
                "The server uses the emulators' well-known key, which any web page knows too. So it serves its data "
                "only under loopback names and IP addresses, and the Host header of this request holds neither. "
                "Start lapsed with --host-name " +
                    name + ", or with an --account-key of your own, or with --allow-well-known-key.");
}

}  // namespace lapse::api::cosmos
