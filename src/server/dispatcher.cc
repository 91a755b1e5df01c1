#include "server/dispatcher.h"

#include <utility>

#include "api/admin/admin_api.h"

namespace lapse::server {

void Dispatcher::Handle(const net::Request& request, net::Responder responder) {
  net::Handler* handler = api::admin::AdminApi::Owns(request.path) ? admin_ : documents_;
  handler->Handle(request, std::move(responder));
}

}  // namespace lapse::server
