#include "server/admin_key_checks.h"

#include <string_view>

namespace lapse::server {
namespace {

constexpr std::string_view kResourceType = "_lapse";

}  // namespace

api::admin::KeyChecks AdminKeyChecks(const api::cosmos::CosmosApi* cosmos) {
  using api::admin::KeyKind;
  api::admin::KeyChecks checks;
  checks.signature = [cosmos](const net::Request& request) -> Result<KeyKind> {
    const api::cosmos::SignedParts parts{request.method, kResourceType, request.path.substr(1)};
    LAPSE_ASSIGN_OR_RETURN(const api::cosmos::Access access, cosmos->CheckSignature(request, parts));
    return access == api::cosmos::Access::kFull ? KeyKind::kReadWrite : KeyKind::kReadOnly;
  };
  checks.host = [cosmos](std::string_view host) { return cosmos->CheckHost(host); };
  return checks;
}

}  // namespace lapse::server
