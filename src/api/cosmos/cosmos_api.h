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
  Executor* blocking = nullptr;  // where feeds and reads from the disk run
  TurnPool* querying = nullptr;  // where queries run; null: where the others do
  Executor* turning = nullptr;   // where a read waits for the turn of a second: never for the disk
  Executor* changing = nullptr;  // where the catalog is changed: nobody who reads waits behind that
  AccountKeys keys;
  Consistency consistency = Consistency::kSession;  // what requests may ask for, at most
  ResourceLimits limits;                            // none, unless they are given
  HostNames hosts;                                  // under which names the data is served
  bool use_indexes = true;                          // false: queries scan, whatever indexes there are
  size_t query_memory_bytes_max = size_t{1} << 30;  // what all queries together may hold
  Helpers* query_helpers = nullptr;                 // of queries that do not run in `querying`, which has its own
  query::exec::Thresholds query_thresholds;
  const WallClock* wall = &RealWallClock();        // for the date of a request alone
  MetricsRegistry* metrics = nullptr;              // may be null
  const SteadyClock* steady = &RealSteadyClock();  // for how long requests take
};

struct ApiContext;

// Point reads and the queueing of item writes run on the thread that calls Handle; everything else on the executors
// of the options.
// Threads: any. Owns: nothing of what the options point to; those must outlive it and every request under way.
class CosmosApi final : public net::Handler {
 public:
  // Fails: kInvalidArgument for a key that is not base64.
  static Result<std::unique_ptr<CosmosApi>> Create(const CosmosOptions& options);
  ~CosmosApi() override;

  // From now on these keys count, and the data is served under these names. Fails as Create does; nothing changes then.
  Status ReplaceKeys(const AccountKeys& keys, HostNames hosts);

  // To be called a few times a second. True once after queries have held much memory, and hold little by now.
  bool TakeQueryCalm();

  // For the routes beside this API, so that they judge by the same keys and names. The signature is over `parts`;
  // otherwise as Authenticator and HostNames say.
  Result<Access> CheckSignature(const net::Request& request, const SignedParts& parts) const;
  Status CheckHost(std::string_view host) const;

  // How requests went; all zero without metrics.
  RequestFigures Figures() const;

  // Route, headers and signature.
  bool Admit(const net::Request& head, net::Response& refusal) override;
  void Handle(const net::Request& request, net::Responder responder) override;

  // The body and headers of an answer that the framing layer itself gives, in this API's form.
  static void MakeFramingError(int status, std::string_view reason, net::Response& response);

 private:
  explicit CosmosApi(std::unique_ptr<ApiContext> context);

  std::unique_ptr<ApiContext> context_;
};

}  // namespace lapse::api::cosmos
