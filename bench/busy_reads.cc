// How much longer the slowest hundredth of point reads takes while something else waits for the disk: definitions that
// change, or another container that is written. Rounds alternate: nothing else, then the disturbance.
//
//   busy_reads --port P --disturbance definitions|writes --items 10000 --rounds 9 --round-ms 2000
//
// The items must be there (http_load --operation create). One connection reads, in a closed loop: client and server
// take turns, so that together they need one core, and the other one is the disturbance's. With more, the two cores
// would be full, and the figure would be about who gets one.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "bench/load/closed_loop.h"
#include "bench/load/requests.h"
#include "bench/measure/flags.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"
#include "server/options.h"

namespace lapse::bench {
namespace {

constexpr int kReaders = 1;  // connections
constexpr int kWriters = 2;
constexpr size_t kReadsAtOnce = 500;  // prepared and signed before they are timed
constexpr size_t kWritesAtOnce = 8;
constexpr std::string_view kOtherContainer = "other";

// Minimum time between changes of definitions. Hundreds of changes a second are far more than any user makes, and leave
// the server's event loop to the reads.
constexpr std::chrono::milliseconds kChangePause{5};

// Long enough that nothing expires.
constexpr int64_t kTtlLeast_s = 1'000'000;

RequestMaker MakeMaker() {
  Result<api::cosmos::Authenticator> signer = api::cosmos::Authenticator::Create(server::kWellKnownKey, "");
  if (!signer.ok()) bench::Fail(signer.status().message());
  return {*std::move(signer), RealWallClock().NowMs() / 1000};
}

// Sends requests from a thread of its own, on its own connections, until it is destroyed. `next(n)` makes the n-th
// requests.
class Disturbance {
 public:
  using Next = std::function<std::vector<std::string>(uint64_t n)>;

  Disturbance(uint16_t port, int connections, int expected_status, std::chrono::milliseconds pause, const Next& next)
      : thread_([this, port, connections, expected_status, pause, next] {
          ClosedLoop loop(port, connections);
          LoopResult result;
          for (uint64_t n = 0; !stop_.load(); ++n) {
            loop.Run(next(n), &result);
            if (pause.count() > 0) std::this_thread::sleep_for(pause);
          }
          done_ = result.answers[expected_status];
          for (const auto& [status, count] : result.answers) {
            if (status != expected_status) Fail("the disturbance was answered " + std::to_string(status));
          }
        }) {}
  ~Disturbance() { Stop(); }

  // Returns how many of its requests were done.
  int64_t Stop() {
    stop_.store(true);
    if (thread_.joinable()) thread_.join();
    return done_;
  }

 private:
  std::atomic<bool> stop_{false};
  int64_t done_ = 0;
  std::thread thread_;
};

class Rounds {
 public:
  Rounds(uint16_t port, uint64_t items, int64_t round_ns)
      : port_(port), items_(items), round_ns_(round_ns), loop_(port, kReaders) {}

  void MakeOtherContainer() {
    LoopResult result;
    loop_.Run({maker_.MakeCreateContainer(kOtherContainer)}, &result);
    if (result.answers[201] != 1) Fail("cannot make the other container: " + result.first_answer);
  }

  // Reads every item once, so that all are cached.
  void WarmUp() {
    for (uint64_t first = 0; first < items_; first += kReadsAtOnce) {
      LoopResult ignored;
      loop_.Run(MakeReads(), &ignored);
    }
  }

  // Returns the latencies of one round of reads.
  Latencies Read() {
    LoopResult result;
    for (Stopwatch watch; watch.ns() < round_ns_;) loop_.Run(MakeReads(), &result);
    if (result.answers.size() != 1 || result.answers[kRead.expected_status] == 0) Fail("a read failed");
    return std::move(result.latencies);
  }

  // Changes the definitions of the container that is read and of another one, in turn.
  std::unique_ptr<Disturbance> ChangeDefinitions() const {
    return std::make_unique<Disturbance>(port_, 1, 200, kChangePause, [maker = &maker_](uint64_t n) {
      const std::string_view name = n % 2 == 0 ? kContainerName : kOtherContainer;
      return std::vector<std::string>{maker->MakeReplaceContainer(name, kTtlLeast_s + static_cast<int64_t>(n))};
    });
  }

  // Runs synced creates in another container.
  std::unique_ptr<Disturbance> Write(size_t document_bytes) {
    const uint64_t first = written_;
    written_ += uint64_t{1} << 32;
    auto next = [maker = &maker_, document_bytes, first](uint64_t n) {
      std::vector<std::string> requests;
      for (size_t i = 0; i < kWritesAtOnce; ++i) {
        requests.push_back(maker->MakeCreateIn(kOtherContainer, first + n * kWritesAtOnce + i, document_bytes));
      }
      return requests;
    };
    return std::make_unique<Disturbance>(port_, kWriters, 201, std::chrono::milliseconds(0), next);
  }

 private:
  std::vector<std::string> MakeReads() {
    std::vector<std::string> requests;
    for (size_t i = 0; i < kReadsAtOnce; ++i, ++read_) requests.push_back(maker_.Make(kRead, read_ % items_, 0, 0));
    return requests;
  }

  const uint16_t port_;
  const uint64_t items_;
  const int64_t round_ns_;
  const RequestMaker maker_ = MakeMaker();
  ClosedLoop loop_;
  uint64_t read_ = 0;
  uint64_t written_ = 0;
};

int Main(int argc, char** argv) {
  Flags flags(argc, argv,
              {{"port", "8081"},
               {"disturbance", "definitions"},
               {"items", "10000"},
               {"rounds", "9"},
               {"round-ms", "2000"},
               {"document-bytes", "16384"}});  // of the items written
  const std::string& kind = flags.Text("disturbance");
  if (kind != "definitions" && kind != "writes") Fail("--disturbance is definitions or writes");
  const auto document_bytes = static_cast<size_t>(flags.Number("document-bytes"));
  if (document_bytes < kItemBytesMin || flags.Number("items") == 0) Fail("nothing to read, or nothing to write");
  Rounds rounds(static_cast<uint16_t>(flags.Number("port")), static_cast<uint64_t>(flags.Number("items")),
                flags.Number("round-ms") * 1'000'000);
  rounds.MakeOtherContainer();
  rounds.WarmUp();
  for (int64_t round = 0; round < flags.Number("rounds"); ++round) {
    Latencies idle = rounds.Read();
    auto disturbance = kind == "definitions" ? rounds.ChangeDefinitions() : rounds.Write(document_bytes);
    Latencies busy = rounds.Read();
    const int64_t done = disturbance->Stop();
    Report()
        .Add("disturbance", kind)
        .Add("done", done)
        .Add("idle_p50_ns", idle.Percentile(0.5))
        .Add("busy_p50_ns", busy.Percentile(0.5))
        .Add("idle_p99_ns", idle.Percentile(0.99))
        .Add("busy_p99_ns", busy.Percentile(0.99))
        .Print();
  }
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
