// One request in flight, with its single response.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "api/cosmos/wire/consistency.h"
#include "api/cosmos/wire/credentials/authenticator.h"
#include "api/cosmos/wire/credentials/resource_token.h"
#include "api/cosmos/wire/errors.h"
#include "api/cosmos/wire/host_names.h"
#include "api/cosmos/wire/operation.h"
#include "api/cosmos/wire/request_form.h"
#include "api/cosmos/wire/resource_limits.h"
#include "api/cosmos/wire/routes.h"
#include "base/ascii.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/helpers.h"
#include "base/metrics.h"
#include "base/published.h"
#include "base/turn_pool.h"
#include "engine/catalog/throughput/request_meter.h"
#include "engine/engine.h"
#include "engine/records/prices/prices.h"
#include "net/http.h"
#include "query/exec/paging/scan_state_cache.h"
#include "query/exec/scheduling/thresholds.h"
#include "query/sql/known_texts.h"
#include "query/values/memory_pool.h"

namespace lapse::api::cosmos {

// What a request is authorised against. Published as a whole, so that no request sees keys of two sets.
struct Credentials {
  Authenticator authenticator;
  HostNames hosts;
};

// State that all requests share. Threads: any; immutable except for the credentials and the counters.
struct ApiContext {
  engine::Engine* engine;
  Executor* blocking;
  Executor* turning;
  Executor* changing;
  Published<Credentials> credentials;
  const WallClock* wall;
  std::array<Counter*, 6> answers{};  // by the first digit of the status; null: not counted
  const SteadyClock* steady = &RealSteadyClock();
  OperationTimes times{};
  std::unique_ptr<const TokenSigner> tokens = nullptr;
  Consistency consistency = Consistency::kSession;  // of the account
  ResourceLimits limits{};
  TurnPool* querying = nullptr;      // null: queries run where other requests block
  bool use_indexes = true;           // for queries
  Helpers* query_helpers = nullptr;  // for queries without a turn
  query::exec::Thresholds query_thresholds{};
  std::unique_ptr<query::MemoryPool> query_memory = nullptr;           // for all queries together; null: no limit
  std::unique_ptr<query::exec::ScanStateCache> scan_states = nullptr;  // for unfinished pages; null: nothing is kept
  std::unique_ptr<query::sql::KnownTexts> query_texts = std::make_unique<query::sql::KnownTexts>();
};

// Threads: one at a time. Respond exactly once, and do not read the request after that.
class Call : public std::enable_shared_from_this<Call> {
 public:
  Call(const ApiContext* context, const net::Request* request, net::Responder responder);

  const ApiContext& context() const { return *context_; }
  const engine::CatalogView& catalog() const { return context_->engine->catalog(); }
  engine::CatalogStore& catalog_store() const { return context_->engine->catalog_store(); }
  const net::Request& request() const { return *request_; }
  const Route& route() const { return route_; }
  Operation operation() const { return operation_; }

  net::Response& response() { return responder_.response(); }
  // Returns true if no client waits for the response any more.
  bool IsAbandoned() const { return responder_.PeerIsGone(); }
  std::string& body() { return response().body(); }

  // Restricts the request to one container; nullopt: any.
  void BindTo(std::optional<engine::ContainerId> container) { bound_ = container; }
  const std::optional<engine::ContainerId>& bound() const { return bound_; }
  // Ok if the client may write; otherwise the error of a write. A handler checks this if only the body says what the
  // request does. For all other requests this is decided before.
  const Status& may_write() const { return may_write_; }
  void set_may_write(Status may_write) { may_write_ = std::move(may_write); }
  // The type of a response with a body, JSON by default. The text must never be freed.
  void set_content_type(std::string_view content_type) { content_type_ = content_type; }

  // For metered operations of the engine.
  engine::RequestMeter& meter() { return meter_; }

  // Sets a query's turn at the processor (RunQuery). Null: it needs none.
  void set_turn(TurnPool::Turn* turn) { turn_ = turn; }
  // Yields the turn if another query waits. Long-running work must call it often.
  void LetOthers() const {
    if (turn_ != nullptr) turn_->LetOthers();
  }
  // Threads that may help with a query; null: none.
  Helpers* helpers() const { return turn_ != nullptr ? turn_ : context_->query_helpers; }

  // Adds the common headers and sends the response. Headers and body are the caller's. The charge is in thousandths of
  // a request unit.
  void Send(int status, int64_t milli_ru);
  // The same with the charge that the engine recorded.
  void Send(int status) { Send(status, meter_.milli_ru()); }
  // Sends an error with its body.
  void Fail(const ApiError& error);
  void Fail(const Status& status) { Fail(FromStatus(status)); }

  // Headers.
  void AddEtag(std::string_view etag) { response().AddHeader("etag", etag); }
  // Adds the container that responds, and what the client has now seen of one partition or of several.
  void AddSession(const engine::Container& container, engine::PartitionNumber partition, engine::Lsn lsn);
  void AddSession(const engine::Container& container, std::string_view session_token);

 private:
  // Records in the metrics that the response is complete.
  void RecordTime();

  const ApiContext* const context_;
  const net::Request* const request_;
  net::Responder responder_;
  const int64_t start_ns_;
  Route route_;
  Operation operation_ = Operation::kOther;
  std::optional<engine::ContainerId> bound_;
  engine::RequestMeter meter_;
  Status may_write_;
  TurnPool::Turn* turn_ = nullptr;
  std::string_view content_type_ = "application/json";
  std::string activity_id_;  // empty until the response is made
};

// Shared, since executors and the engine keep copyable functions.
using CallPtr = std::shared_ptr<Call>;

// Runs `handle(call)` on an executor where it may block.
template <typename Handle>
void RunBlocking(CallPtr call, Handle handle) {
  Executor* blocking = call->context().blocking;
  blocking->Run([call = std::move(call), handle]() mutable { handle(std::move(call)); });
}

// Runs `handle(call)` as a query: it may block, and may take long if it yields its turn.
template <typename Handle>
void RunQuery(CallPtr call, Handle handle) {
  TurnPool* const querying = call->context().querying;
  if (querying == nullptr) return RunBlocking(std::move(call), handle);
  querying->Run([call = std::move(call), handle](TurnPool::Turn& turn) mutable {
    call->set_turn(&turn);
    handle(std::move(call));
  });
}

// Runs `handle(call)`, which changes the catalog. Such a change waits until it is on disk.
template <typename Handle>
void RunChange(CallPtr call, Handle handle) {
  Executor* changing = call->context().changing;
  changing->Run([call = std::move(call), handle]() mutable { handle(std::move(call)); });
}

}  // namespace lapse::api::cosmos
