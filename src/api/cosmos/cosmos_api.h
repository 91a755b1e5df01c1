// The Cosmos DB for NoSQL REST API: decodes, authorises, calls the engine, encodes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "api/account_keys.h"
#include "api/cosmos/wire/consistency.h"
#include "api/cosmos/wire/credentials/authenticator.h"
#include "api/cosmos/wire/host_names.h"
#include "api/cosmos/wire/resource_limits.h"
#include "api/request_figures.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/helpers.h"
#include "base/metrics.h"
#include "base/status.h"
#include "base/turn_pool.h"
#include "engine/engine.h"
#include "net/http.h"
#include "query/exec/scheduling/thresholds.h"

namespace lapse::api::cosmos {

struct CosmosOptions {
  engine::Engine* engine = nullptr;
  Executor* blocking = nullptr;  // for feeds and reads from the disk
  TurnPool* querying = nullptr;  // for queries; null: they run in `blocking`
  Executor* turning = nullptr;   // where a read waits for the turn of a second, never for the disk
  Executor* changing = nullptr;  // for changes of the catalog, so that no read waits behind them
  AccountKeys keys;
  Consistency consistency = Consistency::kSession;  // the strongest that requests may ask for
  ResourceLimits limits;                            // none by default
  HostNames hosts;                                  // the names under which the data is served
  bool use_indexes = true;                          // false: queries scan, whatever indexes there are
  size_t query_memory_bytes_max = size_t{1} << 30;  // for all queries together
  Helpers* query_helpers = nullptr;                 // for queries outside of `querying`, which has its own
  query::exec::Thresholds query_thresholds;
  const WallClock* wall = &RealWallClock();        // only to check the date of a request
  MetricsRegistry* metrics = nullptr;              // may be null
  const SteadyClock* steady = &RealSteadyClock();  // measures how long requests take
};

struct ApiContext;

// Point reads, and the queueing of item writes, run on the thread that calls Handle. Everything else runs on the
// executors of the options. Threads: any. Owns: none of the targets of the options, which must outlive it and every
// request in flight.
class CosmosApi final : public net::Handler {
 public:
  // Fails: kInvalidArgument for a key that is not base64.
  static Result<std::unique_ptr<CosmosApi>> Create(const CosmosOptions& options);
  ~CosmosApi() override;

  // Replaces the keys, and the names under which the data is served. Fails as Create does, changing nothing.
  Status ReplaceKeys(const AccountKeys& keys, HostNames hosts);

  // Call it a few times a second. Returns true once after queries held much memory and hold little now.
  bool TakeQueryCalm();

  // Lets other routes accept the same keys and names as this API. The signature covers `parts`; otherwise as
  // Authenticator and HostNames say.
  Result<Access> CheckSignature(const net::Request& request, const SignedParts& parts) const;
  Status CheckHost(std::string_view host) const;

  // Returns request statistics, all zero without metrics.
  RequestFigures Figures() const;

  // Checks route, headers and signature.
  bool Admit(const net::Request& head, net::Response& refusal) override;
  void Handle(const net::Request& request, net::Responder responder) override;

  // Sets the body and headers of a response that the framing layer itself sends, in this API's form.
  static void MakeFramingError(int status, std::string_view reason, net::Response& response);

 private:
  explicit CosmosApi(std::unique_ptr<ApiContext> context);

  std::unique_ptr<ApiContext> context_;
};

}  // namespace lapse::api::cosmos
