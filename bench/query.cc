// Queries of Lapse, PostgreSQL and SQLite over the same items, each product by its own front door.
//
//   query --product lapse --port P --operation load --container four --partitions 4 --items 50000
//   query --product postgres --port P --operation run --query range --connections 32 --milliseconds 2000 --items 50000
//   query --product sqlite --file F --operation run --query group --connections 2 --items 50000
//
// Each connection asks, waits for the whole answer, and asks again until the time is over. Every answer is checked: the
// number of rows, and the value of a count.
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "bench/measure/flags.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"
#include "bench/query/door.h"
#include "bench/query/query_list.h"

namespace lapse::bench {
namespace {

constexpr int kAnswerMax_ms = 600'000;

struct Asked {
  Latencies latencies;
  int64_t queries = 0;
  int64_t rows = 0;
  int64_t wall_ns = 0;
  int64_t cpu_ns = 0;  // of the server
};

// Call numbers continue from one run to the next, so that a warm-up queries other values.
class Loop {
 public:
  Loop(std::vector<std::unique_ptr<Door>> doors, const BenchQuery* query, uint64_t items)
      : epoll_fd_(epoll_create1(0)), query_(query), items_(items) {
    for (std::unique_ptr<Door>& door : doors) sessions_.push_back({std::move(door), {}, 0});
    for (Session& session : sessions_) {
      epoll_event event{.events = EPOLLIN, .data = {.ptr = &session}};
      if (epoll_ctl(epoll_fd_, EPOLL_CTL_ADD, session.door->fd(), &event) != 0) Fail("epoll_ctl failed");
    }
  }
  ~Loop() { close(epoll_fd_); }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  Asked Run(int64_t duration_ms) {
    Asked asked;
    const Stopwatch watch;
    for (Session& session : sessions_) Begin(&session);
    size_t under_way = sessions_.size();
    std::array<epoll_event, 64> events;
    while (under_way > 0) {
      const int count = epoll_wait(epoll_fd_, events.data(), static_cast<int>(events.size()), kAnswerMax_ms);
      if (count == 0) Fail("no answer within ten minutes");
      for (int i = 0; i < count; ++i) {
        auto* session = static_cast<Session*>(events[static_cast<size_t>(i)].data.ptr);
        DoorResult result;
        if (!session->door->Take(&result)) continue;
        asked.latencies.Add(SteadyNs() - session->begin_ns);
        ++asked.queries;
        asked.rows += result.rows;
        CheckResult(session->call, result);
        if (watch.ns() < duration_ms * 1'000'000) {
          Begin(session);
        } else {
          --under_way;
        }
      }
    }
    asked.wall_ns = watch.ns();
    return asked;
  }

 private:
  struct Session {
    std::unique_ptr<Door> door;
    QueryCall call;
    int64_t begin_ns = 0;
  };

  void Begin(Session* session) {
    session->call = MakeCall(*query_, next_++, items_);
    session->begin_ns = SteadyNs();
    session->door->Ask(session->call);
  }

  const int epoll_fd_;
  const BenchQuery* const query_;
  const uint64_t items_;
  std::vector<Session> sessions_;
  uint64_t next_ = 0;
};

void Print(const std::string& product, const BenchQuery& query, Asked* asked) {
  const double seconds = static_cast<double>(asked->wall_ns) / 1e9;
  Report()
      .Add("product", product)
      .Add("query", query.name)
      .Add("queries", asked->queries)
      .Add("seconds", seconds)
      .Add("per_second", static_cast<double>(asked->queries) / seconds)
      .Add("rows_per_second", static_cast<double>(asked->rows) / seconds)
      .Add("p50_ns", asked->latencies.Percentile(0.5))
      .Add("p99_ns", asked->latencies.Percentile(0.99))
      .Add("server_cpu_ns", static_cast<double>(asked->cpu_ns) / static_cast<double>(asked->queries))
      .Print();
}

Asked AskSqlite(const Flags& flags, const BenchQuery& query, uint64_t items) {
  const auto threads = static_cast<int>(flags.Number("connections"));
  RunSqlite(flags.Text("file"), query, items, threads, flags.Number("warm-up"));
  Asked asked;
  const Stopwatch watch;
  const int64_t cpu_ns = OwnCpuNs();
  for (int64_t ns : RunSqlite(flags.Text("file"), query, items, threads, flags.Number("milliseconds"))) {
    asked.latencies.Add(ns);
    ++asked.queries;
  }
  asked.wall_ns = watch.ns();
  asked.cpu_ns = OwnCpuNs() - cpu_ns;
  asked.rows = asked.queries * MakeCall(query, 0, items).rows;
  return asked;
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv,
              {{"product", "lapse"},      // or postgres, or sqlite
               {"operation", "run"},      // or load
               {"query", "equality"},     // query_list.cc has the names
               {"items", "50000"},        // how many there are
               {"port", "8081"},          // lapse, postgres
               {"file", ""},              // sqlite
               {"container", "items"},    // lapse
               {"partitions", "1"},       // lapse, load: of the container
               {"connections", "32"},     // sqlite: threads
               {"milliseconds", "2000"},  // how long to ask
               {"warm-up", "500"},        // and before that
               {"server-pid", "0"}});     // whose CPU time to report, with its children
  const std::string& product = flags.Text("product");
  const auto port = static_cast<uint16_t>(flags.Number("port"));
  const auto items = static_cast<uint64_t>(flags.Number("items"));
  if (items < 1000) Fail("--items must be 1000 at least");
  if (product != "lapse" && product != "postgres" && product != "sqlite") {
    Fail("--product is lapse, postgres or sqlite");
  }
  if (flags.Text("operation") == "load") {
    const Stopwatch watch;
    if (product == "lapse") {
      LoadLapse(port, flags.Text("container"), static_cast<int>(flags.Number("partitions")), items);
    } else if (product == "postgres") {
      LoadPostgres(port, items);
    } else {
      LoadSqlite(flags.Text("file"), items);
    }
    Report().Add("product", product).Add("items", items).Add("seconds", watch.seconds()).Print();
    return 0;
  }
  const BenchQuery* const query = FindQuery(flags.Text("query"));
  if (query == nullptr) Fail("there is no query " + flags.Text("query"));
  if (product == "sqlite") {
    Asked asked = AskSqlite(flags, *query, items);
    Print(product, *query, &asked);
    return 0;
  }
  std::vector<std::unique_ptr<Door>> doors;
  for (int64_t i = 0; i < flags.Number("connections"); ++i) {
    doors.push_back(product == "lapse" ? OpenLapse(port, flags.Text("container")) : OpenPostgres(port));
  }
  Loop loop(std::move(doors), query, items);
  loop.Run(flags.Number("warm-up"));
  const auto server = static_cast<pid_t>(flags.Number("server-pid"));
  const int64_t cpu_ns = CpuNsWithChildren(server);
  Asked asked = loop.Run(flags.Number("milliseconds"));
  asked.cpu_ns = CpuNsWithChildren(server) - cpu_ns;
  Print(product, *query, &asked);
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
