// One request under way: what was asked, and the one answer to it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/cosmos/wire/auth.h"
#include "api/cosmos/wire/errors.h"
#include "api/cosmos/wire/host_names.h"
#include "api/cosmos/wire/operation.h"
#include "api/cosmos/wire/routes.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/metrics.h"
#include "engine/engine.h"
#include "engine/request_units/meter.h"
#include "engine/request_units/prices.h"
#include "net/http.h"

namespace lapse::api::cosmos {

// What all requests share. Threads: any; immutable but for the counters.
struct ApiContext {
  engine::Engine* engine;
  Executor* blocking;
  Executor* turning;
  Executor* changing;
  Authenticator authenticator;
  HostNames hosts;
  const WallClock* wall;
  std::array<Counter*, 6> answers{};  // by the first digit of the status; null: not counted
  const SteadyClock* steady = &RealSteadyClock();
  OperationTimes times{};
};

// Threads: one at a time. Answer exactly once; the request must not be looked at after that.
class Call {
 public:
  Call(const ApiContext* context, const net::Request* request, net::Responder responder);

  const ApiContext& context() const { return *context_; }
  engine::Catalog& catalog() const { return context_->engine->catalog(); }
  const net::Request& request() const { return *request_; }
  const Route& route() const { return route_; }
  Operation operation() const { return operation_; }

  net::Response& response() { return responder_.response(); }
  std::string& body() { return response().body(); }

  // Of who asks. What a batch does is in its body, so that its handler must look at this; for all other requests it is
  // decided before.
  bool may_write() const { return may_write_; }
  void set_may_write(bool may_write) { may_write_ = may_write; }
  // Of an answer with a body; JSON unless this is called. The text must live for ever.
  void set_content_type(std::string_view content_type) { content_type_ = content_type; }

  // For operations of the engine that are metered.
  engine::Meter& meter() { return meter_; }

  // Adds what every answer carries and sends it. Headers and body are the caller's. The charge is in thousandths of a
  // request unit.
  void Send(int status, int64_t milli_ru);
  // The same with the charge that the engine took.
  void Send(int status) { Send(status, meter_.milli_ru()); }
  // The same with an error's body.
  void Fail(const ApiError& error);
  void Fail(const Status& status) { Fail(FromStatus(status)); }

  // Headers.
  void AddEtag(std::string_view etag) { response().AddHeader("etag", etag); }
  // The container that answers and what the client has now seen of it.
  void AddSession(const engine::Container& container, std::string_view session_token);

 private:
  void RecordTime() const;

  const ApiContext* const context_;
  const net::Request* const request_;
  net::Responder responder_;
  const int64_t start_ns_;
  Route route_;
  Operation operation_ = Operation::kOther;
  engine::Meter meter_;
  bool may_write_ = true;
  std::string_view content_type_ = "application/json";
};

// Shared, since executors and the engine keep copyable functions.
using CallPtr = std::shared_ptr<Call>;

// Runs `handle(call)` where it may block.
template <typename Handle>
void RunBlocking(CallPtr call, Handle handle) {
  Executor* blocking = call->context().blocking;
  blocking->Run([call = std::move(call), handle]() mutable { handle(std::move(call)); });
}

// Runs `handle(call)`, which changes the catalog. Such a change waits until the disk has it.
template <typename Handle>
void RunChange(CallPtr call, Handle handle) {
  Executor* changing = call->context().changing;
  changing->Run([call = std::move(call), handle]() mutable { handle(std::move(call)); });
}

// Whether a header says true; the case does not matter.
inline bool HeaderIsTrue(const net::Request& request, std::string_view name) {
  return EqualsIgnoreCase(request.Header(name), "true");
}

}  // namespace lapse::api::cosmos
