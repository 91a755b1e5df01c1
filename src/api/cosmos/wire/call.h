// One request under way: what was asked, and the one answer to it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "api/cosmos/wire/auth.h"
#include "api/cosmos/wire/errors.h"
#include "api/cosmos/wire/operation.h"
#include "api/cosmos/wire/routes.h"
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
  Authenticator authenticator;
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

  net::Response& response() { return responder_.response(); }
  std::string& body() { return response().body(); }

  // Whether the request may go on to this partition. If not, it was answered with 429 and nothing may be done.
  bool Admit(engine::ContainerPtr container, const engine::Partition& partition);
  // See engine::Meter. After Admit.
  void ExtendChargeTo(const engine::Partition& partition) { meter_.ExtendTo(partition); }

  // Adds what every answer carries and sends it. Headers and body are the caller's. Takes the charge, in thousandths of
  // a request unit, from where the request was admitted.
  void Send(int status, int64_t milli_ru);
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
  engine::Meter meter_;
};

// Shared, since executors and the engine keep copyable functions.
using CallPtr = std::shared_ptr<Call>;

// Runs `handle(call)` where it may block.
template <typename Handle>
void RunBlocking(CallPtr call, Handle handle) {
  Executor* blocking = call->context().blocking;
  blocking->Run([call = std::move(call), handle]() mutable { handle(std::move(call)); });
}

// Whether a header says true; the case does not matter.
bool HeaderIsTrue(const net::Request& request, std::string_view name);
bool EqualsIgnoreCase(std::string_view text, std::string_view lower);

}  // namespace lapse::api::cosmos
