// Passes each request to the API that owns its path.
#pragma once

#include "net/http.h"

namespace lapse::server {

// Threads: any. The handlers must outlive it.
class Dispatcher final : public net::Handler {
 public:
  // `documents` gets every path that the other handlers do not own.
  Dispatcher(net::Handler* admin, net::Handler* explorer, net::Handler* documents)
      : admin_(admin), explorer_(explorer), documents_(documents) {}

  bool Admit(const net::Request& head, net::Response& refusal) override;
  void Handle(const net::Request& request, net::Responder responder) override;

 private:
  net::Handler* OwnerOf(const net::Request& request) const;

  net::Handler* const admin_;
  net::Handler* const explorer_;
  net::Handler* const documents_;
};

}  // namespace lapse::server
