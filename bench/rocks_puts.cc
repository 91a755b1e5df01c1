// The yardstick for writes: bare RocksDB, many threads, each putting one item after the other and waiting for the disk.
// RocksDB joins the puts of waiting threads into one log record and one sync.
//
//   rocks_puts --dir DIR --keys 100000 --threads 64 [--batch 100]
//
// With --batch each write is a batch of so many items.
// Prints a line for the creates (new keys) and one for the replaces (the same keys again).
#include <rocksdb/db.h>
#include <rocksdb/write_batch.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/random.h"
#include "bench/measure/bare_rocks.h"
#include "bench/measure/flags.h"
#include "bench/measure/items.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"

namespace lapse::bench {
namespace {

std::vector<std::string> MakeItems(uint64_t keys, uint64_t revision) {
  std::vector<std::string> items;
  items.reserve(keys);
  for (uint64_t number = 0; number < keys; ++number) items.push_back(ItemJson(number, revision));
  return items;
}

// Random order, as far as possible that of Lapse's keys, which are spread by a hash of the partition key.
std::string KeyOf(uint64_t number) {
  uint64_t spread = Mix64(number % kPartitionKeys);
  return std::string(reinterpret_cast<const char*>(&spread), sizeof(spread)) + ItemId(number);
}

void PutAll(rocksdb::DB* db, const std::vector<std::string>& items, int threads, size_t batch_items,
            std::string_view operation) {
  std::atomic<size_t> next{0};
  std::vector<Latencies> latencies(static_cast<size_t>(threads));
  auto work = [&](Latencies* own) {
    rocksdb::WriteOptions options;
    options.sync = true;
    for (size_t first; (first = next.fetch_add(batch_items)) < items.size();) {
      Stopwatch watch;
      rocksdb::WriteBatch batch;
      const size_t end = std::min(items.size(), first + batch_items);
      for (size_t number = first; number < end; ++number) Check(batch.Put(KeyOf(number), items[number]));
      Check(db->Write(options, &batch));
      own->Add(watch.ns());
    }
  };
  Stopwatch watch;
  std::vector<std::thread> workers;
  for (Latencies& own : latencies) workers.emplace_back(work, &own);
  for (std::thread& worker : workers) worker.join();
  double seconds = watch.seconds();
  Latencies all;
  for (const Latencies& own : latencies) all.Append(own);
  Report()
      .Add("operation", operation)
      .Add("requests", items.size())
      .Add("errors", 0)
      .Add("seconds", seconds)
      .Add("per_second", static_cast<double>(items.size()) / seconds)
      .Add("p50_ns", all.Percentile(0.5))
      .Add("p99_ns", all.Percentile(0.99))
      .Print();
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv, {{"dir", ""}, {"keys", "100000"}, {"threads", "64"}, {"batch", "1"}});
  auto batch_items = static_cast<size_t>(flags.Number("batch"));
  auto keys = static_cast<uint64_t>(flags.Number("keys"));
  auto threads = static_cast<int>(flags.Number("threads"));
  std::unique_ptr<rocksdb::DB> db = OpenBare(flags.Text("dir"), 256ull << 20);
  PutAll(db.get(), MakeItems(keys, 0), threads, batch_items, "create");
  PutAll(db.get(), MakeItems(keys, 1), threads, batch_items, "replace");
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
