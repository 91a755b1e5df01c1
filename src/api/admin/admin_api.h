// The routes for those who run the server rather than use it:
//
//   GET  /_lapse/health          is it serving, does it take writes, and what is odd about its clock
//   GET  /_lapse/access          which key the request shows, and whether the well-known one would do
//   GET  /_lapse/metrics         Prometheus text
//   GET  /_lapse/overview        the whole server: requests, request units, latency, storage and memory
//   GET  /_lapse/stats           what each container holds, what has expired, what was purged, page by page
//   GET  /_lapse/ttl/{db}/{coll} the same of one container, with its policy, forecasts and ?defaultTtl= (ttl_report.h)
//   GET  /_lapse/clock           store time, and whether it is the test clock's; any clock can be read
//   POST /_lapse/clock           freeze, resume, advance, set
//   POST /_lapse/clock/accept    follow a wall clock that jumped; with an account key
//   POST /_lapse/explain         what the server would do for a query (explain_query.h)
//   POST /_lapse/keys/reload     read the account's keys again; with an account key that is good now
//   GET  /_explorer/emulator.pem the server's certificate, for clients that must trust it
//
// access.h says who may call them; the certificate is public.
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
  std::function<StoreHealth()> store_health;      // asks the clock and the store, and never waits long for either
  std::function<RequestFigures()> requests;       // of the document API
  std::function<ServerFigures()> server_figures;  // likewise, never waits long
  const MetricsRegistry* metrics = nullptr;
  Executor* blocking = nullptr;   // where waiting for the disk is allowed
  Executor* changing = nullptr;   // where the clock is moved: that waits until the disk has it
  Executor* answering = nullptr;  // where nothing waits for the disk: health and metrics answer while it hangs
  AccountKeys keys;
  KeyChecks key_checks = {};
  std::string well_known_key = "";  // the one that everybody knows, whether it is in use or not
  // Reads the configuration again, replaces the keys, and names those that are others now. May block. Null: there is
  // nothing to read. Fails: kInvalidArgument with the reason; nothing has changed then.
  std::function<Result<std::vector<std::string>>()> reload_keys = nullptr;
  std::string version;
  std::string certificate_pem;  // empty: no TLS
  const WallClock* wall = &RealWallClock();
  const SteadyClock* steady = &RealSteadyClock();  // the server started when the API was made
};

// Threads: any. What the options point to must outlive it and the work it put on the executor.
class AdminApi final : public net::Handler {
 public:
  enum class Phase { kStarting, kServing, kStopping };

  explicit AdminApi(AdminOptions options);

  // Whether this path is one of ours, known or not.
  static bool Owns(std::string_view path);

  // What health says; healthy is kServing alone.
  void SetPhase(Phase phase) { phase_.store(phase); }

  // From now on these keys count.
  void ReplaceKeys(const AccountKeys& keys) { keys_.Publish(keys); }

  // Route, access, verb and content type.
  bool Admit(const net::Request& head, net::Response& refusal) override;
  void Handle(const net::Request& request, net::Responder responder) override;

 private:
  struct Route;
  using Method = void (AdminApi::*)(const net::Request&, net::Responder);
  static const Route* FindRoute(std::string_view path);
  // What does the work of this request; null when it was refused, and answered.
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
