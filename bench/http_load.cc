// The load generator: one thread, many keep-alive connections, requests made and signed before the clock starts. It
// drives Lapse and the servers Lapse is compared with by the same bytes, so its own cost is the same for all.
//
//   http_load --port P --operation setup                         makes the database and the container
//   http_load --port P --operation create --requests 100000      items 0..99999
//   http_load --port P --operation bulk --requests 1000          100 items each; batch: all or none
//   http_load --port P --operation read --items 100000 --requests 200000 --warm-up 100000
//
// `random` order is each item once, in an order of its own, before any is asked for again; `draws` is any item at any
// time, as it would be for a cache. No two requests of a run have the same signature.
#include <algorithm>
#include <cstdint>
#include <fstream>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "bench/load/closed_loop.h"
#include "bench/load/requests.h"
#include "bench/measure/flags.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"
#include "server/options.h"

namespace lapse::bench {
namespace {

// How many requests are prepared at a time: a few hundred megabytes at most.
constexpr int64_t kReadyAtOnce = 200'000;

struct Plan {
  Operation operation = kRead;
  int64_t first = 0;  // number of the first item
  int64_t items = 0;
  int64_t revision = 0;
  std::string order;
  uint64_t seed = 0;
};

// Numbers the requests of a run from 0 and chooses the item of each.
class Requests {
 public:
  Requests(const Plan& plan, const RequestMaker& maker)
      : plan_(plan), maker_(maker), order_(static_cast<size_t>(plan.items)), asked_(order_.size()) {
    std::iota(order_.begin(), order_.end(), 0);
    if (plan.order == "random") std::shuffle(order_.begin(), order_.end(), std::mt19937_64(plan.seed));
  }

  std::vector<std::string> Make(int64_t begin, int64_t end) {
    std::vector<std::string> requests;
    requests.reserve(static_cast<size_t>(end - begin));
    for (int64_t i = begin; i < end; ++i) {
      uint32_t item = ItemOf(static_cast<uint64_t>(i));
      if (plan_.operation.name == kBatch.name || plan_.operation.name == kBulk.name) {
        requests.push_back(
            maker_.MakeBatch(plan_.operation, static_cast<uint64_t>(plan_.first) + item, asked_[item]++));
        continue;
      }
      // Dated one second earlier each time that an item is requested again, for a fresh signature.
      requests.push_back(maker_.Make(plan_.operation, static_cast<uint64_t>(plan_.first) + item,
                                     static_cast<uint64_t>(plan_.revision), asked_[item]++));
    }
    return requests;
  }

 private:
  uint32_t ItemOf(uint64_t request) const {
    uint64_t at = plan_.order == "draws" ? Mix64(Mix64(plan_.seed) + request) : request;
    return order_[at % order_.size()];
  }

  const Plan& plan_;
  const RequestMaker& maker_;
  std::vector<uint32_t> order_;
  std::vector<uint16_t> asked_;  // requests so far, by item
};

struct Totals {
  LoopResult loop;
  int64_t wall_ns = 0;
  int64_t client_cpu_ns = 0;
  int64_t server_cpu_ns = 0;
};

void RunAll(Requests* requests, int64_t begin, int64_t end, pid_t server, ClosedLoop* loop, Totals* totals) {
  for (int64_t at = begin; at < end; at += kReadyAtOnce) {
    std::vector<std::string> batch = requests->Make(at, std::min(end, at + kReadyAtOnce));
    int64_t client_ns = OwnCpuNs();
    int64_t server_ns = CpuNs(server);
    Stopwatch watch;
    loop->Run(batch, &totals->loop);
    totals->wall_ns += watch.ns();
    totals->client_cpu_ns += OwnCpuNs() - client_ns;
    totals->server_cpu_ns += CpuNs(server) - server_ns;
  }
}

void Setup(const RequestMaker& maker, const Flags& flags, ClosedLoop* loop) {
  LoopResult result;
  loop->Run({maker.MakeCreateDatabase()}, &result);
  bool indexed = flags.Text("indexing") != "none";
  loop->Run({maker.MakeCreateContainer(kContainerName, flags.Text("unique-path"), indexed)}, &result);
  if (result.answers[201] != 2) Fail("cannot make database and container: " + result.first_answer);
}

void PrintReport(const Operation& operation, Totals& totals) {
  int64_t requests = 0;
  for (const auto& [status, count] : totals.loop.answers) requests += count;
  auto per_request = [requests](int64_t total) { return static_cast<double>(total) / static_cast<double>(requests); };
  auto share = [&totals](int64_t cpu_ns) { return static_cast<double>(cpu_ns) / static_cast<double>(totals.wall_ns); };
  Report()
      .Add("operation", operation.name)
      .Add("requests", requests)
      .Add("errors", requests - totals.loop.answers[operation.expected_status])
      .Add("seconds", static_cast<double>(totals.wall_ns) / 1e9)
      .Add("per_second", static_cast<double>(requests) * 1e9 / static_cast<double>(totals.wall_ns))
      .Add("p50_ns", totals.loop.latencies.Percentile(0.5))
      .Add("p99_ns", totals.loop.latencies.Percentile(0.99))
      .Add("body_bytes", per_request(totals.loop.body_bytes))
      .Add("client_busy", share(totals.client_cpu_ns))
      .Add("server_busy", share(totals.server_cpu_ns))
      .Add("server_cpu_ns", per_request(totals.server_cpu_ns))
      .Print();
}

Operation OperationNamed(const std::string& name) {
  for (const Operation& operation : {kRead, kCreate, kReplace, kBatch, kBulk}) {
    if (operation.name == name) return operation;
  }
  Fail("--operation is setup, read, create, replace, batch or bulk");
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv,
              {{"port", "8081"},
               {"operation", "read"},
               {"connections", "64"},
               {"first", "0"},
               {"items", "0"},  // 0: as many as requests
               {"requests", "100000"},
               {"warm-up", "0"},       // requests before the clock starts
               {"revision", "0"},      // of the text that is written
               {"order", "random"},    // or sequence, or draws
               {"seed", "42"},         // of the order
               {"server-pid", "0"},    // whose CPU time to report
               {"unique-path", ""},    // setup: of a unique key of the container
               {"indexing", "all"},    // setup: paths of the container's index; or none
               {"save-answer", ""}});  // a file for the first answer
  Result<api::cosmos::Authenticator> signer = api::cosmos::Authenticator::Create(server::kWellKnownKey, "");
  if (!signer.ok()) Fail(signer.status().message());
  RequestMaker maker(*std::move(signer), RealWallClock().NowMs() / 1000);
  bool setup = flags.Text("operation") == "setup";
  ClosedLoop loop(static_cast<uint16_t>(flags.Number("port")),
                  setup ? 1 : static_cast<int>(flags.Number("connections")));
  if (setup) {
    Setup(maker, flags, &loop);
    return 0;
  }

  int64_t count = flags.Number("requests"), warm_up = flags.Number("warm-up");
  int64_t items = flags.Number("items") == 0 ? count : flags.Number("items");
  if (count == 0 || items == 0) Fail("nothing to do");
  Plan plan{OperationNamed(flags.Text("operation")),
            flags.Number("first"),
            items,
            flags.Number("revision"),
            flags.Text("order"),
            static_cast<uint64_t>(flags.Number("seed"))};
  Requests requests(plan, maker);
  auto server = static_cast<pid_t>(flags.Number("server-pid"));
  Totals ignored, totals;
  RunAll(&requests, 0, warm_up, server, &loop, &ignored);
  totals.loop.latencies.Reserve(static_cast<size_t>(count));
  RunAll(&requests, warm_up, warm_up + count, server, &loop, &totals);
  if (!flags.Text("save-answer").empty()) std::ofstream(flags.Text("save-answer")) << totals.loop.first_answer;
  PrintReport(plan.operation, totals);
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
