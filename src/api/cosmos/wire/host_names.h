// The names under which the data is served.
//
// Every web page knows the well-known key. A page may not read the responses of a server with another name, but it can
// rebind its own name to a loopback address and sign requests with that key. Such a request carries the page's name in
// Host. So with the well-known key the data is served only under names that no page can have: loopback names,
// addresses,
// and names that the operator lists.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace lapse::api::cosmos {

// Threads: any; immutable.
class HostNames {
 public:
  // Accepts any name.
  HostNames() = default;
  // Accepts localhost, IP addresses and these names, which are in lower case.
  static HostNames Only(std::vector<std::string> names);

  // `host` is the value of a Host header, with or without a port. Fails: kForbidden, with a remedy.
  Status Check(std::string_view host) const;

 private:
  bool any_ = true;
  std::vector<std::string> names_;
};

inline HostNames AnyHost() {
  return {};
}

}  // namespace lapse::api::cosmos
