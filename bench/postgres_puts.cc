// A yardstick for indexed writes: PostgreSQL, many connections, each inserting one document after the other as jsonb
// under a GIN index, each insert a transaction of its own that waits for the disk.
//
//   postgres_puts --port 5432 --keys 50000 --connections 64
#include <libpq-fe.h>

#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "bench/measure/flags.h"
#include "bench/measure/items.h"
#include "bench/measure/postgres.h"
#include "bench/measure/report.h"
#include "bench/measure/timing.h"

namespace lapse::bench {
namespace {

void InsertAll(uint16_t port, const std::vector<std::string>& items, std::atomic<size_t>* next) {
  PGconn* connection = ConnectPostgres(port);
  CheckCommand(connection, PQprepare(connection, "put", "INSERT INTO puts VALUES ($1, $2, $3::jsonb)", 0, nullptr));
  for (size_t number; (number = next->fetch_add(1)) < items.size();) {
    const std::string key = ItemPartitionKey(number), id = ItemId(number);
    const char* const values[] = {key.c_str(), id.c_str(), items[number].c_str()};
    CheckCommand(connection, PQexecPrepared(connection, "put", 3, values, nullptr, nullptr, 0));
  }
  PQfinish(connection);
}

int Main(int argc, char** argv) {
  Flags flags(argc, argv, {{"port", "5432"}, {"keys", "50000"}, {"connections", "64"}});
  const auto port = static_cast<uint16_t>(flags.Number("port"));
  std::vector<std::string> items;
  for (int64_t number = 0; number < flags.Number("keys"); ++number) {
    items.push_back(ItemJson(static_cast<uint64_t>(number), 0));
  }
  PGconn* connection = ConnectPostgres(port);
  CheckCommand(connection, PQexec(connection, "DROP TABLE IF EXISTS puts"));
  CheckCommand(connection, PQexec(connection, "CREATE TABLE puts (pk text, id text, doc jsonb, PRIMARY KEY (pk, id))"));
  CheckCommand(connection, PQexec(connection, "CREATE INDEX ON puts USING gin (doc)"));
  std::atomic<size_t> next{0};
  const Stopwatch watch;
  std::vector<std::thread> threads;
  for (int64_t i = 0; i < flags.Number("connections"); ++i) {
    threads.emplace_back([&] { InsertAll(port, items, &next); });
  }
  for (std::thread& thread : threads) thread.join();
  const double seconds = watch.seconds();
  PQfinish(connection);
  Report()
      .Add("operation", "create")
      .Add("requests", items.size())
      .Add("seconds", seconds)
      .Add("per_second", static_cast<double>(items.size()) / seconds)
      .Print();
  return 0;
}

}  // namespace
}  // namespace lapse::bench

int main(int argc, char** argv) {
  return lapse::bench::Main(argc, argv);
}
