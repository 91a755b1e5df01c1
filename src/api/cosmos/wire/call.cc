#include "api/cosmos/wire/call.h"

#include <utility>

#include "api/cosmos/wire/activity_id.h"
#include "api/cosmos/wire/container_link.h"
#include "api/cosmos/wire/lookup.h"
#include "api/cosmos/wire/request_charge.h"
#include "api/cosmos/wire/resource_ids.h"
#include "api/cosmos/wire/session_token.h"

namespace lapse::api::cosmos {
namespace {

// For queries. Larger responses hold memory, and are evicted from the cache before they are sent.
constexpr size_t kSentTogetherBytesMax = 32 * 1024;

}  // namespace

Call::Call(const ApiContext* context, const net::Request* request, net::Responder responder)
    : context_(context), request_(request), responder_(std::move(responder)), start_ns_(context->steady->NowNs()) {
  ReadRoute(*request, context->engine, &route_);
  operation_ = OperationOf(route_.kind(), *request);
}

void Call::Send(int status, int64_t milli_ru) {
  net::Response& answer = response();
  std::string text;  // short enough to avoid an allocation for most values
  AppendCharge(milli_ru, &text);
  answer.AddHeader("x-ms-request-charge", text);
  if (activity_id_.empty()) AppendActivityId(request_->Header("x-ms-activity-id"), &activity_id_);
  answer.AddHeader("x-ms-activity-id", activity_id_);
  if (!answer.body().empty()) answer.AddHeader("content-type", content_type_);
  answer.set_status(status);
  if (Counter* counter = context_->answers[static_cast<size_t>(status / 100)]; counter != nullptr) counter->Add();
  if (turn_ == nullptr || answer.body().size() > kSentTogetherBytesMax) {
    RecordTime();
    return responder_.Send();
  }
  turn_->DoSoon([call = shared_from_this()] {
    call->RecordTime();
    return call->responder_.SendOneOfMany();
  });
}

void Call::RecordTime() {
  Histogram* times = context_->times[static_cast<size_t>(operation_)];
  if (times != nullptr) times->Record(context_->steady->NowNs() - start_ns_);
}

void Call::Fail(const ApiError& error) {
  body().clear();
  if (error.substatus != 0) response().AddHeader("x-ms-substatus", int64_t{error.substatus});
  if (error.status == 503) response().AddHeader("x-ms-retry-after-ms", kRetryAfter_ms);
  if (error.status == 429) {
    // The budget admitted it but another limit refused it, so the wait is unknown.
    const int64_t wait_ms = meter_.retry_after_ms();
    response().AddHeader("x-ms-retry-after-ms", wait_ms > 0 ? wait_ms : kRetryAfter_ms);
  }
  if (error.status >= 400) {
    AppendActivityId(request_->Header("x-ms-activity-id"), &activity_id_);
    AppendErrorBody(error, activity_id_, &body());
  }
  if (meter_.admitted()) return Send(error.status);
  // A request that was not admitted, or that the server could not serve, is free.
  Send(error.status, error.status == 429 || error.status >= 500 ? 0 : engine::kRefusedMilliRu);
}

void Call::AddSession(const engine::Container& container, std::string_view session_token) {
  std::string rid;
  AppendContainerRid(container.database(), container.id(), &rid);
  response().AddHeader("x-ms-session-token", session_token);
  response().AddHeader("x-ms-content-path", rid);
  if (!route_.by_rid()) return response().AddHeader("x-ms-alt-content-path", route_.encoded_container_link());
  const Result<ContainerNames> names = NamesOf(container, catalog());
  if (names.ok()) response().AddHeader("x-ms-alt-content-path", EncodedContainerLink(*names));
}

void Call::AddSession(const engine::Container& container, engine::PartitionNumber partition, engine::Lsn lsn) {
  std::string token;
  AppendSessionToken(partition, lsn, &token);
  AddSession(container, token);
  response().AddHeader("lsn", static_cast<int64_t>(lsn));
}

}  // namespace lapse::api::cosmos
