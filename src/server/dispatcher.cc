#include "server/dispatcher.h"

#include <utility>

#include "api/admin/admin_api.h"
#include "api/explorer/explorer_api.h"

namespace lapse::server {

net::Handler* Dispatcher::OwnerOf(const net::Request& request) const {
  if (api::admin::AdminApi::Owns(request.path)) return admin_;
  return api::explorer::ExplorerApi::Owns(request.path) ? explorer_ : documents_;
}

bool Dispatcher::Admit(const net::Request& head, net::Response& refusal) {
  return OwnerOf(head)->Admit(head, refusal);
}

void Dispatcher::Handle(const net::Request& request, net::Responder responder) {
  OwnerOf(request)->Handle(request, std::move(responder));
}

}  // namespace lapse::server
