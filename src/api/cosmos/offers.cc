#include "api/cosmos/handlers.h"

namespace lapse::api::cosmos {

// No offer exists: clients take that as "no throughput was provisioned".
void ListOffers(CallPtr call) {
  call->body() = R"({"_rid":"","Offers":[],"_count":0})";
  call->response().AddHeader("x-ms-item-count", int64_t{0});
  call->Send(200, kMetadataCharge);
}

}  // namespace lapse::api::cosmos
