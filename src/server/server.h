// The whole server: store, engine, APIs and listener, started and stopped in order.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "api/admin/admin_api.h"
#include "api/cosmos/cosmos_api.h"
#include "api/explorer/explorer_api.h"
#include "base/elastic_pool.h"
#include "base/executor.h"
#include "base/metrics.h"
#include "base/status.h"
#include "base/turn_pool.h"
#include "engine/engine.h"
#include "engine/shard/purge/purge_filter.h"
#include "net/http_server.h"
#include "server/certificates.h"
#include "server/dispatcher.h"
#include "server/options.h"
#include "server/server_metrics.h"
#include "store/rocks/directory/data_directory.h"
#include "store/rocks/rocks_shard.h"
#include "store/shard.h"

namespace lapse::server {

// Fails: kInvalidArgument with the reason.
using ReadOptions = std::function<Result<ServerOptions>()>;

// Threads: one starts and stops it. Owns: everything the options name, from the directory's lock to the port.
class Server {
 public:
  // Listens last, so that every connection can be served. Fails with a text for people: the port is taken
  // (kUnavailable), or the directory is locked, cannot be written, or was made by another version or clock.
  // `read_options` rereads the current options; null: keys never change. `file_system`: the source of the store's
  // files, for tests that inject faults; null: the machine's.
  static Result<std::unique_ptr<Server>> Start(const ServerOptions& options, ReadOptions read_options = nullptr,
                                               std::shared_ptr<store::FileSystemHook> file_system = nullptr);

  // Stops listening, gives requests in flight a moment to finish, and closes the store. Idempotent.
  void Stop();
  ~Server();

  uint16_t port() const { return port_; }
  // The URL for clients on this machine: "http://127.0.0.1:8081/".
  std::string endpoint() const;
  // For logs, so it does not contain a secret key.
  std::string connection_string() const;

 private:
  Server(const ServerOptions& options, ReadOptions read_options, std::shared_ptr<store::FileSystemHook> file_system);
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  Status OpenStore();
  Status OpenEngine();
  Status OpenApis();
  void OpenMetrics();
  Status Listen();
  api::admin::ServerFigures Figures();
  // Returns the names of the keys that changed.
  Result<std::vector<std::string>> ReloadKeys();

  const ServerOptions options_;
  const ReadOptions read_options_;
  const std::shared_ptr<store::FileSystemHook> file_system_;
  std::mutex keys_mutex_;  // one reload at a time
  api::AccountKeys keys_;  // guarded by keys_mutex_: the current keys
  uint16_t port_ = 0;
  MetricsRegistry metrics_;
  std::unique_ptr<StoreReading> store_reading_;
  CertificatePair certificates_;

  // Each member uses only members above it. One exception: work on the six pools that serve the APIs uses the APIs, so
  // Stop ends that work first.
  std::unique_ptr<store::DataDirectory> directory_;  // null in memory
  engine::PurgeFilter purge_filter_;
  std::unique_ptr<store::Shard> shard_;
  std::unique_ptr<Executor> commits_;
  std::unique_ptr<engine::Engine> engine_;
  std::unique_ptr<ThreadPool> blocking_;
  std::unique_ptr<TurnPool> querying_;
  std::unique_ptr<ThreadPool> turning_;    // waits for the clock's mark, for a second at most
  std::unique_ptr<ThreadPool> changing_;   // changes catalog and clock; may hang with the disk
  std::unique_ptr<ThreadPool> reading_;    // reads the figures for health and metrics; may hang with the disk
  std::unique_ptr<ThreadPool> answering_;  // responds for both, and never waits for the disk
  std::unique_ptr<api::cosmos::CosmosApi> cosmos_;
  std::unique_ptr<api::admin::AdminApi> admin_;
  api::explorer::ExplorerApi explorer_;
  std::unique_ptr<Dispatcher> dispatcher_;
  std::unique_ptr<net::HttpServer> http_;
  std::atomic<net::HttpServer*> listening_{nullptr};  // http_, for metrics
};

}  // namespace lapse::server
