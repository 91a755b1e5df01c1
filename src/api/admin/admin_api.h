// The routes for operators of the server rather than its users:
//
//   GET  /_lapse/health          is it serving, does it take writes, and what is odd about its clock
//   GET  /_lapse/access          which key the request presents, and whether the well-known one would do
//   GET  /_lapse/metrics         Prometheus text
//   GET  /_lapse/overview        the whole server: requests, request units, latency, storage and memory
//   GET  /_lapse/stats           what each container holds, what has expired, what was purged, page by page
//   GET  /_lapse/ttl/{db}/{coll} the same for one container, with its policy, forecasts and ?defaultTtl= (ttl_report.h)
//   GET  /_lapse/clock           store time, and whether it is the test clock's; any clock can be read
//   POST /_lapse/clock           freeze, resume, advance, set
//   POST /_lapse/clock/accept    follow a wall clock that jumped; with an account key
//   POST /_lapse/explain         what the server would do for a query (explain_query.h)
//   POST /_lapse/keys/reload     reload the account's keys; with an account key that is valid now
//   GET  /_explorer/emulator.pem the server's certificate, for clients that must trust it
//
// access.h says which clients may call them. The certificate is public.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/account_keys.h"
#include "api/admin/access.h"
#include "api/admin/report_moment.h"
#include "api/admin/server_figures.h"
#include "api/admin/store_health.h"
#include "api/request_figures.h"
#include "base/clock.h"
#include "base/executor.h"
#include "base/metrics.h"
#include "base/published.h"
#include "base/status.h"
#include "engine/catalog/view/catalog_view.h"
#include "engine/time/store_clock.h"
#include "net/http.h"

namespace lapse::api::admin {

struct AdminOptions {
  const engine::CatalogView* catalog = nullptr;
  engine::StoreClock* clock = nullptr;
  std::function<StoreHealth()> store_health;      // queries the clock and the store, and never waits long for either
  std::function<RequestFigures()> requests;       // of the document API
  std::function<ServerFigures()> server_figures;  // never waits long, either
  const MetricsRegistry* metrics = nullptr;
  Executor* blocking = nullptr;   // may wait for the disk
  Executor* changing = nullptr;   // moves the clock, which waits until the change is on disk
  Executor* answering = nullptr;  // never waits for the disk: health and metrics respond while it hangs
  AccountKeys keys;
  KeyChecks key_checks = {};
  std::string well_known_key = "";  // the public key of every emulator, whether it is in use or not
  // Reloads the configuration, replaces the keys, and returns the names of those that changed. May block. Null: there
  // is nothing to reload. Fails: kInvalidArgument with the reason, changing nothing.
  std::function<Result<std::vector<std::string>>()> reload_keys = nullptr;
  std::string version;
  std::string certificate_pem;  // empty: no TLS
  const WallClock* wall = &RealWallClock();
  const SteadyClock* steady = &RealSteadyClock();  // the server started when the API was made
};

// Threads: any. The targets of the options must outlive it and the work that it puts on the executors.
class AdminApi final : public net::Handler {
 public:
  enum class Phase { kStarting, kServing, kStopping };

  explicit AdminApi(AdminOptions options);

  // Whether this path belongs to the admin routes, known or not.
  static bool Owns(std::string_view path);

  // Sets the phase that health reports. Only kServing is healthy.
  void SetPhase(Phase phase) { phase_.store(phase); }

  // Replaces the keys for all later requests.
  void ReplaceKeys(const AccountKeys& keys) { keys_.Publish(keys); }

  // Checks route, access, verb and content type.
  bool Admit(const net::Request& head, net::Response& refusal) override;
  void Handle(const net::Request& request, net::Responder responder) override;

 private:
  struct Route;
  using Method = void (AdminApi::*)(const net::Request&, net::Responder);
  static const Route* FindRoute(std::string_view path);
  // Returns the method that serves this request, or null if the request was refused and answered.
  Method Judge(const net::Request& head, net::Responder* responder) const;

  void Health(const net::Request& request, net::Responder responder);
  void Access(const net::Request& request, net::Responder responder);
  void Metrics(const net::Request& request, net::Responder responder);
  void Overview(const net::Request& request, net::Responder responder);
  void Stats(const net::Request& request, net::Responder responder);
  void Ttl(const net::Request& request, net::Responder responder);
  void ReadClock(const net::Request& request, net::Responder responder);
  void MoveClock(const net::Request& request, net::Responder responder);
  void AcceptClock(const net::Request& request, net::Responder responder);
  void Explain(const net::Request& request, net::Responder responder);
  void ReloadKeys(const net::Request& request, net::Responder responder);
  void Certificate(const net::Request& request, net::Responder responder);

  int64_t UptimeMs() const { return (options_.steady->NowNs() - start_ns_) / 1'000'000; }
  void SendHealth(net::Responder responder);
  void SendOverview(net::Responder responder);
  void SendClock(net::Responder responder) const;
  void RunBlocking(net::Responder responder, std::function<void(net::Responder)> work) const;
  void RunChange(net::Responder responder, std::function<void(net::Responder)> work) const;
  void RunAnswering(net::Responder responder, std::function<void(net::Responder)> work) const;

  const AdminOptions options_;
  const int64_t start_ns_;
  Published<AccountKeys> keys_;
  std::atomic<Phase> phase_{Phase::kStarting};
};

}  // namespace lapse::api::admin
