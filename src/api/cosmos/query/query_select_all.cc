#include "api/cosmos/handlers.h"
#include "api/cosmos/query/select_all.h"

namespace lapse::api::cosmos {
namespace {

void IfSelectAll(CallPtr call, void (*answer)(CallPtr)) {
  if (Status status = CheckSelectAllBody(call->request().body); !status.ok()) return call->Fail(status);
  answer(std::move(call));
}

}  // namespace

void QueryDatabases(CallPtr call) {
  IfSelectAll(std::move(call), ListDatabases);
}
void QueryContainers(CallPtr call) {
  IfSelectAll(std::move(call), ListContainers);
}

}  // namespace lapse::api::cosmos
