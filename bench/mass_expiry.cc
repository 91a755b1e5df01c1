// A million items that expire in one second, while others are read and written.
//
//   mass_expiry --dir DIR --items 1000000 --live 300000 --index 1 --log 0
//
// Loads a container of items that live and one of items that inherit a default; lets the foreground run for a while;
// moves time to the second in which the second container dies; measures until the backlog is gone and the directory is
// within 1.2 of what it was with the living items alone; lets the foreground run on. Before, during and after are
// windows of equal length, unless the second takes longer. Dead items are read all the time: none may be seen.
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/random.h"
#include "bench/expiry/bench_engine.h"
#include "bench/measure/flags.h"
#include "bench/measure/process_stats.h"
#include "bench/measure/timing.h"
#include "engine/catalog/counts/census.h"
#include "engine/records/ids/families.h"
#include "engine/shard/purge/engine_families.h"

namespace lapse::bench {
namespace {

constexpr int32_t kTtl_s = 3600;
constexpr double kSizeMax = 1.2;
constexpr auto kPoll = std::chrono::milliseconds(5);

// Reads and writes live items in sequence, each at a steady pace and with the configured sync, and reads expiring
// items.
class Foreground {
 public:
  Foreground(engine::ContainerPtr live, uint64_t live_items, engine::ContainerPtr dying, uint64_t dying_items)
      : live_(std::move(live)),
        live_items_(live_items),
        dying_(std::move(dying)),
        dying_items_(dying_items),
        thread_([this] { Run(); }) {}
  ~Foreground() {
    stop_ = true;
    thread_.join();
  }

  struct Phase {
    Latencies reads;
    Latencies writes;
  };
  // Returns what was measured since the last call.
  Phase Take() {
    std::lock_guard lock(mutex_);
    return std::exchange(phase_, {});
  }

  void NowDead() { dead_ = true; }
  int64_t dead_seen() const { return dead_seen_; }

 private:
  void Run() {
    uint64_t seed = 0;
    while (!stop_) {
      for (int i = 0; i < 20; ++i) {
        const uint64_t number = Mix64(++seed) % live_items_;
        Stopwatch watch;
        CheckOk(live_->Read(AddressOf(*live_, number)).status());
        Note(&Phase::reads, watch.ns());
      }
      {
        const uint64_t number = Mix64(++seed) % live_items_;
        engine::ItemWrite write = BenchEngine::WriteOf(*live_, number, seed);
        Stopwatch watch;
        std::promise<void> done;
        live_->Write(std::move(write), [&](const Result<engine::ItemWritten>& written) {
          CheckOk(written.status());
          done.set_value();
        });
        done.get_future().wait();
        Note(&Phase::writes, watch.ns());
      }
      // Loaded before the read: a read that begins while the item lives may find it dead, but not the reverse.
      const bool dead = dead_;
      const bool seen = dying_->Read(AddressOf(*dying_, Mix64(++seed) % dying_items_)).ok();
      if (dead && seen) ++dead_seen_;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  void Note(Latencies Phase::*kind, int64_t ns) {
    std::lock_guard lock(mutex_);
    (phase_.*kind).Add(ns);
  }

  const engine::ContainerPtr live_;
  const uint64_t live_items_;
  const engine::ContainerPtr dying_;
  const uint64_t dying_items_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> dead_{false};
  std::atomic<int64_t> dead_seen_{0};
  std::mutex mutex_;
  Phase phase_;  // guarded by mutex_
  std::thread thread_;
};

void AddPhase(const std::string& name, Foreground::Phase phase, Report* report) {
  report->Add(name + "_read_p50_ns", phase.reads.Percentile(0.5));
  report->Add(name + "_read_p99_ns", phase.reads.Percentile(0.99));
  report->Add(name + "_write_p50_ns", phase.writes.Percentile(0.5));
  report->Add(name + "_write_p99_ns", phase.writes.Percentile(0.99));
}

// Adds the number of records that the store still holds of a container, by family.
void AddRecords(const std::string& name, BenchEngine* bench, const engine::Container& container, Report* report) {
  const std::vector<store::FamilyOptions> families = engine::EngineFamilies();
  for (store::FamilyId family : engine::kItemFamilies) {
    report->Add(name + "_" + families[family].name + "_records", bench->CountRecords(container, family));
  }
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv,
              {{"dir", ""},
               {"items", "1000000"},
               {"live", "300000"},
               {"index", "1"},  // index every path; 0: none
               {"log", "0"},
               {"seconds", "5"},
               {"timeout", "300"}});
  const auto items = static_cast<uint64_t>(flags.Number("items"));
  const auto live_items = static_cast<uint64_t>(flags.Number("live"));
  const bool indexed = flags.Number("index") != 0;
  const bool logged = flags.Number("log") != 0;
  const auto phase = std::chrono::seconds(flags.Number("seconds"));
  BenchEngine bench({.directory = flags.Text("dir")});
  CheckOk(bench.engine().clock().Freeze());

  engine::ContainerPtr live = bench.MakeContainer("live", -1, 0, indexed);
  bench.Load(live, {.end = live_items});
  bench.Settle();
  const auto live_bytes = static_cast<double>(bench.shard().Stats().disk_bytes);
  engine::ContainerPtr dying = bench.MakeContainer("dying", kTtl_s, logged ? 86'400 : 0, indexed);
  Stopwatch load_time;
  bench.Load(dying, {.end = items});
  bench.Settle();
  Report report;
  report.Add("items", items).Add("live_items", live_items).Add("load_seconds", load_time.seconds());
  report.Add("live_bytes", live_bytes).Add("bytes_before", bench.shard().Stats().disk_bytes);

  Foreground foreground(live, live_items, dying, items);
  std::this_thread::sleep_for(phase);
  AddPhase("before", foreground.Take(), &report);
  const int64_t written_before = BytesWritten();
  const int64_t cpu_before = CpuNs(getpid());

  CheckOk(bench.engine().clock().Advance(kTtl_s * 1000));
  Stopwatch since_expiry;
  foreground.NowDead();
  double swept_seconds = 0, reclaimed_seconds = 0;
  while (reclaimed_seconds == 0 && since_expiry.seconds() < static_cast<double>(flags.Number("timeout"))) {
    if (swept_seconds == 0) {
      Result<engine::Count> backlog = engine::Census(*dying).Expired();
      CheckOk(backlog.status());
      if (backlog->items == 0) swept_seconds = since_expiry.seconds();
    }
    const auto bytes = static_cast<double>(bench.shard().Stats().disk_bytes);
    // A full change feed keeps expired items for its retention.
    const bool small_enough = logged || bytes <= kSizeMax * live_bytes;
    if (swept_seconds > 0 && small_enough) reclaimed_seconds = since_expiry.seconds();
    std::this_thread::sleep_for(kPoll);
  }
  // As long as the other windows: a fraction of a second is too short to measure a 99th percentile.
  std::this_thread::sleep_for(phase - std::chrono::duration<double>(since_expiry.seconds()));
  AddPhase("during", foreground.Take(), &report);
  report.Add("swept_seconds", swept_seconds).Add("reclaimed_seconds", reclaimed_seconds);
  report.Add("written_bytes", BytesWritten() - written_before).Add("cpu_ns", CpuNs(getpid()) - cpu_before);
  report.Add("bytes_after", bench.shard().Stats().disk_bytes);
  std::this_thread::sleep_for(phase);
  AddPhase("after", foreground.Take(), &report);
  report.Add("dead_seen", foreground.dead_seen());
  AddRecords("dead", &bench, *dying, &report);
  report.Print();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
