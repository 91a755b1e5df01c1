// Under which names the data is served.
//
// Everybody knows the well-known key, and so does every web page. A page may not read what a server of another name
// answers; but it can rebind its own name to a loopback address and sign requests with that key. Such a request carries
// the page's name in Host. So with the well-known key the data is served under names that no page can have: loopback
// names, addresses, and what the operator lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::api::cosmos {

// Threads: any; immutable.
class HostNames {
 public:
  // Any name.
  HostNames() = default;
  // localhost, IP addresses and these names, which are in lower case.
  static HostNames Only(std::vector<std::string> names);

  // `host` is the value of a Host header, with a port or without. Fails: kForbidden, with what to do about it.
  Status Check(std::string_view host) const;

 private:
  bool any_ = true;
  std::vector<std::string> names_;
};

inline HostNames AnyHost() {
  return {};
}

}  // namespace lapse::api::cosmos
