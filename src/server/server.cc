#include "server/server.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <thread>
#include <utility>

#include "api/admin/container_metrics.h"
#include "api/explorer/embedded_explorer.h"
#include "base/log.h"
#include "engine/shard/purge/engine_families.h"
#include "query/derive/item_derivation.h"
#include "server/admin_key_checks.h"
#include "server/cache_shares.h"
#include "server/free_memory.h"
#include "server/version.h"

namespace lapse::server {
namespace {

// Requests in flight at a stop get this long: enough for a request, and within the second that supervisors and tests
// expect.
constexpr int kStopGrace_ms = 500;

// For feeds and reads from the disk.
constexpr int kWorkersMin = 2;
constexpr int kWorkersMax = 4;

// A query keeps its thread until its page ends, even while it waits for its next turn.
constexpr size_t kQueryThreadsMax = 64;
// With a single turn, a query that waits for the disk would block all others.
constexpr size_t kQueryTurnsMin = 2;

// A committing partition waits for the disk in a thread of its own, so that a slow one blocks no other.
constexpr size_t kCommitThreadsMax = 256;

constexpr uint64_t kWriteBufferMin_bytes = 16 << 20;
constexpr uint64_t kWriteBufferMax_bytes = 128 << 20;

// For the figures of the store and those of containers. Each is read once at a time, and neither waits for the other.
constexpr int kReadings = 2;

api::admin::StoreHealth HealthOf(const StoreReading::Latest& latest) {
  api::admin::StoreHealth health{.silent_ms = latest.waiting_ms};
  if (latest.value != nullptr) health.writable = latest.value->writable;
  return health;
}

using ReloadFunction = std::function<Result<std::vector<std::string>>()>;

api::cosmos::HostNames HostsOf(const ServerOptions& options) {
  return options.check_host_names ? api::cosmos::HostNames::Only(options.host_names) : api::cosmos::AnyHost();
}

// A reserve larger than the disk would refuse every write for ever.
Status CheckReserve(const ServerOptions& options) {
  std::error_code error;
  const std::filesystem::space_info disk = std::filesystem::space(options.data_dir, error);
  if (error || options.disk_reserve_bytes <= disk.capacity) return Status::Ok();
  return {Code::kInvalidArgument, "--disk-reserve of " + std::to_string(options.disk_reserve_bytes) +
                                      " bytes is larger than the disk of " + options.data_dir + ", which has " +
                                      std::to_string(disk.capacity) + " bytes: no write would ever be taken"};
}

// Returns an address in the form of a URL that clients on this machine can use.
std::string UrlHost(const std::string& host) {
  if (host == "0.0.0.0") return "127.0.0.1";
  if (host == "::") return "[::1]";
  return host.find(':') == std::string::npos ? host : "[" + host + "]";
}

}  // namespace

Server::Server(const ServerOptions& options, ReadOptions read_options,
               std::shared_ptr<store::FileSystemHook> file_system)
    : options_(options),
      read_options_(std::move(read_options)),
      file_system_(std::move(file_system)),
      keys_(options.keys),
      explorer_(api::explorer::EmbeddedExplorer()) {}

Server::~Server() {
  Stop();
}

Result<std::unique_ptr<Server>> Server::Start(const ServerOptions& options, ReadOptions read_options,
                                              std::shared_ptr<store::FileSystemHook> file_system) {
  std::unique_ptr<Server> server(new Server(options, std::move(read_options), std::move(file_system)));
  LAPSE_RETURN_IF_ERROR(server->OpenStore());
  LAPSE_RETURN_IF_ERROR(server->OpenEngine());
  LAPSE_RETURN_IF_ERROR(server->OpenApis());
  LAPSE_RETURN_IF_ERROR(server->Listen());
  return server;
}

Status Server::OpenStore() {
  store::RocksOptions rocks;
  rocks.in_memory = options_.in_memory;
  rocks.path = "lapse";
  rocks.cache_bytes = ShareCache(options_.cache_bytes).blocks;
  rocks.write_buffer_bytes =
      std::clamp<uint64_t>(options_.cache_bytes / 2, kWriteBufferMin_bytes, kWriteBufferMax_bytes);
  rocks.accept_lost_log_tail = options_.durability == store::Durability::kRelaxed;
  rocks.free_bytes_min = options_.disk_reserve_bytes;
  rocks.file_system = file_system_;
  if (options_.in_memory) {
    LAPSE_ASSIGN_OR_RETURN(shard_, store::OpenRocksShard(rocks, engine::EngineFamilies(&purge_filter_)));
    return Status::Ok();
  }
  store::DataDirectoryOptions directory;
  directory.test_clock = options_.test_clock;
  LAPSE_ASSIGN_OR_RETURN(directory_, store::DataDirectory::Open(options_.data_dir, directory));
  LAPSE_RETURN_IF_ERROR(CheckReserve(options_));
  LAPSE_ASSIGN_OR_RETURN(shard_, directory_->OpenShard(rocks, engine::EngineFamilies(&purge_filter_)));
  return Status::Ok();
}

Status Server::OpenEngine() {
  int workers = std::clamp(options_.threads, kWorkersMin, kWorkersMax);
  commits_ = std::make_unique<ElasticPool>("lapse-commit", kCommitThreadsMax);
  blocking_ = std::make_unique<ThreadPool>("lapse-blocking", workers);
  const size_t turns = std::max<size_t>(kQueryTurnsMin, std::thread::hardware_concurrency());
  querying_ = std::make_unique<TurnPool>("lapse-query", turns, std::max(turns, kQueryThreadsMax), RealSteadyClock());
  turning_ = std::make_unique<ThreadPool>("lapse-turning", 1);
  // One thread, because the catalog takes one change at a time. Low priority, so that reads do not wait for a core
  // behind it.
  changing_ = std::make_unique<ThreadPool>("lapse-changing", 1, ThreadPriority::kLow);
  engine::EngineOptions engine_options;
  engine_options.durability = options_.durability;
  engine_options.clock_limits = options_.clock_limits;
  engine_options.test_clock = options_.test_clock;
  if (directory_ != nullptr) engine_options.clock_slot = directory_->clock_slot();
  engine_options.rate_limiting = options_.rate_limiting;
  engine_options.logical_partition_bytes_max = options_.logical_partition_bytes_max;
  engine_options.known_lists_bytes = ShareCache(options_.cache_bytes).known_lists;
  engine_options.item_cache_bytes = ShareCache(options_.cache_bytes).items;
  engine_options.sweeper.share = options_.sweep_share_percent / 100.0;
  engine_options.derivation = &query::ItemDerivation();
  LAPSE_ASSIGN_OR_RETURN(engine_,
                         engine::Engine::Open(engine_options, {{shard_.get(), &purge_filter_}}, commits_.get()));
  return Status::Ok();
}

void Server::OpenMetrics() {
  reading_ = std::make_unique<ThreadPool>("lapse-reading", kReadings);
  answering_ = std::make_unique<ThreadPool>("lapse-answering", 1);
  const ReadingOptions reading{.executor = reading_.get()};
  store_reading_ = std::make_unique<StoreReading>(
      [this] {
        // Uses the clock and the store as requests do, so a response proves that these work.
        engine_->clock().NowMs();
        return StoreFigures{engine_->Writable(), shard_->Stats()};
      },
      reading);
  AddServerMetrics({.store = store_reading_.get(), .clock = &engine_->clock(), .http = &listening_}, &metrics_);
  api::admin::AddContainerMetrics(&engine_->catalog(), reading, &metrics_);
}

api::admin::ServerFigures Server::Figures() {
  api::admin::ServerFigures figures;
  const StoreReading::Latest store = store_reading_->Get();
  if (store.value != nullptr) {
    figures.disk_bytes = static_cast<int64_t>(store.value->sizes.disk_bytes);
    figures.memory_bytes = static_cast<int64_t>(store.value->sizes.memory_bytes);
  }
  figures.age_ms = store.age_ms;
  figures.resident_bytes = ResidentBytes();
  figures.request_bytes_max = static_cast<int64_t>(options_.request_memory_bytes);
  if (net::HttpServer* http = listening_.load(); http != nullptr) {
    figures.request_bytes = static_cast<int64_t>(http->memory_held());
    figures.connections = http->connections();
  }
  return figures;
}

Status Server::OpenApis() {
  LAPSE_ASSIGN_OR_RETURN(certificates_, LoadCertificates(options_, options_.in_memory ? "" : options_.data_dir));
  OpenMetrics();
  api::cosmos::CosmosOptions cosmos;
  cosmos.engine = engine_.get();
  cosmos.blocking = blocking_.get();
  cosmos.querying = querying_.get();
  cosmos.query_memory_bytes_max = options_.query_memory_bytes;
  cosmos.turning = turning_.get();
  cosmos.changing = changing_.get();
  cosmos.keys = options_.keys;
  cosmos.consistency = options_.consistency;
  cosmos.limits = options_.limits;
  cosmos.hosts = HostsOf(options_);
  cosmos.wall = &RealWallClock();
  cosmos.metrics = &metrics_;
  LAPSE_ASSIGN_OR_RETURN(cosmos_, api::cosmos::CosmosApi::Create(cosmos));

  admin_ = std::make_unique<api::admin::AdminApi>(api::admin::AdminOptions{
      .catalog = &engine_->catalog(),
      .clock = &engine_->clock(),
      .store_health = [store = store_reading_.get()] { return HealthOf(store->Get()); },
      .requests = [cosmos = cosmos_.get()] { return cosmos->Figures(); },
      .server_figures = [this] { return Figures(); },
      .metrics = &metrics_,
      .blocking = blocking_.get(),
      .changing = changing_.get(),
      .answering = answering_.get(),
      .keys = options_.keys,
      .key_checks = AdminKeyChecks(cosmos_.get()),
      .well_known_key = std::string(kWellKnownKey),
      .reload_keys = read_options_ == nullptr ? nullptr : ReloadFunction([this] { return ReloadKeys(); }),
      .version = std::string(kVersion),
      .certificate_pem = certificates_.cert_pem});
  dispatcher_ = std::make_unique<Dispatcher>(admin_.get(), &explorer_, cosmos_.get());
  return Status::Ok();
}

Status Server::Listen() {
  net::HttpServerOptions http;
  http.host = options_.host;
  http.port = options_.port;
  http.threads = options_.threads;
  http.memory_bytes_max = options_.request_memory_bytes;
  http.on_memory_calm = [this] { blocking_->Run(&GiveFreeMemoryBack); };
  http.on_tick = [this] {
    if (cosmos_->TakeQueryCalm()) blocking_->Run(&GiveFreeMemoryBack);
  };
  http.tls_cert_pem = certificates_.cert_pem;
  http.tls_key_pem = certificates_.key_pem;
  if (!certificates_.cert_file.empty()) {
    http.tls_cert_name += " in " + certificates_.cert_file;
    http.tls_key_name += " in " + certificates_.key_file;
  }
  Counter& refused = metrics_.AddCounter(
      "lapse_http_malformed_total",
      "Answers that no API gave: the request was malformed, too large or too late, or memory was short.");
  http.make_error = [&refused](int status, std::string_view reason, net::Response& response) {
    refused.Add();
    api::cosmos::CosmosApi::MakeFramingError(status, reason, response);
  };
  LAPSE_ASSIGN_OR_RETURN(http_, net::HttpServer::Start(std::move(http), dispatcher_.get()));
  port_ = http_->port();
  listening_.store(http_.get());
  admin_->SetPhase(api::admin::AdminApi::Phase::kServing);
  return Status::Ok();
}

Result<std::vector<std::string>> Server::ReloadKeys() {
  std::lock_guard lock(keys_mutex_);
  LAPSE_ASSIGN_OR_RETURN(const ServerOptions fresh, read_options_());
  // Which keys are allowed depends on which machines can reach the server.
  if (fresh.host != options_.host) {
    return Status(Code::kInvalidArgument,
                  "--host has changed: keys are checked for the address that is listened on, so this takes a restart");
  }
  std::vector<std::string> changed;
  for (const auto& [name, key] : api::kAccountKeyNames) {
    if (fresh.keys.*key != keys_.*key) changed.emplace_back(name);
  }
  if (changed.empty()) return changed;
  LAPSE_RETURN_IF_ERROR(cosmos_->ReplaceKeys(fresh.keys, HostsOf(fresh)));
  admin_->ReplaceKeys(fresh.keys);
  keys_ = fresh.keys;
  for (const std::string& name : changed) Log(LogLevel::kInfo, "key_replaced", {{"key", name}});
  return changed;
}

void Server::Stop() {
  if (admin_ != nullptr) admin_->SetPhase(api::admin::AdminApi::Phase::kStopping);
  if (http_ != nullptr) http_->Stop(kStopGrace_ms);
  // Late responses still find their connections, the APIs and the engine.
  answering_.reset();
  reading_.reset();
  changing_.reset();
  turning_.reset();
  querying_.reset();
  blocking_.reset();
  engine_.reset();
  commits_.reset();
  listening_.store(nullptr);
  http_.reset();
  dispatcher_.reset();
  admin_.reset();
  cosmos_.reset();
  shard_.reset();
  directory_.reset();
}

std::string Server::endpoint() const {
  const char* scheme = options_.tls == Tls::kOff ? "http://" : "https://";
  return scheme + UrlHost(options_.host) + ":" + std::to_string(port_) + "/";
}

std::string Server::connection_string() const {
  const bool secret = options_.keys.primary != kWellKnownKey;
  return "AccountEndpoint=" + endpoint() + ";AccountKey=" + (secret ? "(not shown)" : options_.keys.primary) + ";";
}

}  // namespace lapse::server
