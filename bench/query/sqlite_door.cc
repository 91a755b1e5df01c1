// SQLite in process: documents as JSON text, an index on an expression for each value.
#include <sqlite3.h>

#include <atomic>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "bench/measure/report.h"
#include "bench/measure/timing.h"
#include "bench/query/door.h"
#include "bench/query/query_items.h"

namespace lapse::bench {
namespace {

sqlite3* Open(const std::string& file) {
  sqlite3* database = nullptr;
  constexpr int kFlags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (sqlite3_open_v2(file.c_str(), &database, kFlags, nullptr) != SQLITE_OK) Fail(sqlite3_errmsg(database));
  // The last connection to close removes the log, which blocks a connection that opens meanwhile.
  constexpr int kPatienceMs = 10'000;
  sqlite3_busy_timeout(database, kPatienceMs);
  return database;
}

void Execute(sqlite3* database, const char* statement) {
  if (sqlite3_exec(database, statement, nullptr, nullptr, nullptr) != SQLITE_OK) {
    Fail(std::string(statement) + ": " + sqlite3_errmsg(database));
  }
}

sqlite3_stmt* Prepare(sqlite3* database, std::string_view text) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database, text.data(), static_cast<int>(text.size()), &statement, nullptr) != SQLITE_OK) {
    Fail(sqlite3_errmsg(database));
  }
  return statement;
}

void BindText(sqlite3_stmt* statement, int index, std::string_view text) {
  sqlite3_bind_text(statement, index, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
}

void Bind(sqlite3_stmt* statement, const QueryCall& call) {
  for (size_t i = 0; i < call.parameters.size(); ++i) {
    const std::string& parameter = call.parameters[i];
    const int index = static_cast<int>(i) + 1;
    if (parameter.starts_with('"')) {
      BindText(statement, index, PlainParameter(parameter));
    } else {
      sqlite3_bind_int64(statement, index, std::atoll(parameter.c_str()));
    }
  }
}

DoorResult RunOne(sqlite3* database, sqlite3_stmt* statement, const QueryCall& call) {
  sqlite3_reset(statement);
  Bind(statement, call);
  DoorResult result;
  int step = sqlite3_step(statement);
  for (; step == SQLITE_ROW; step = sqlite3_step(statement)) {
    if (result.rows++ == 0) result.value = sqlite3_column_int64(statement, 0);
    // Reads each column, as a real caller would.
    for (int i = 0; i < sqlite3_column_count(statement); ++i) sqlite3_column_text(statement, i);
  }
  if (step != SQLITE_DONE) Fail(sqlite3_errmsg(database));
  return result;
}

}  // namespace

void LoadSqlite(const std::string& file, uint64_t items) {
  sqlite3* database = Open(file);
  Execute(database, "PRAGMA journal_mode = WAL");
  Execute(database, "PRAGMA synchronous = OFF");
  Execute(database, "CREATE TABLE items (pk TEXT, id TEXT, doc TEXT, PRIMARY KEY (pk, id))");
  Execute(database, "BEGIN");
  sqlite3_stmt* insert = Prepare(database, "INSERT INTO items VALUES (?1, ?2, ?3)");
  for (uint64_t i = 0; i < items; ++i) {
    BindText(insert, 1, QueryItemKey(i));
    BindText(insert, 2, ItemId(i));
    BindText(insert, 3, QueryItemJson(i, items));
    if (sqlite3_step(insert) != SQLITE_DONE) Fail(sqlite3_errmsg(database));
    sqlite3_reset(insert);
  }
  sqlite3_finalize(insert);
  Execute(database, "COMMIT");
  for (const char* name : {"rank", "total", "category", "state", "group", "quantity"}) {
    const std::string path = "json_extract(doc, '$." + std::string(name) + "')";
    Execute(database, ("CREATE INDEX by_" + std::string(name) + " ON items (" + path + ")").c_str());
  }
  Execute(database, "ANALYZE");
  sqlite3_close(database);
}

std::vector<int64_t> RunSqlite(const std::string& file, const BenchQuery& query, uint64_t items, int threads,
                               int64_t duration_ms) {
  std::vector<std::vector<int64_t>> times(static_cast<size_t>(threads));
  std::atomic<uint64_t> next = 0;
  const Stopwatch watch;
  const auto work = [&](std::vector<int64_t>* own) {
    sqlite3* database = Open(file);
    Execute(database, "PRAGMA mmap_size = 8589934592");
    sqlite3_stmt* statement = Prepare(database, query.sqlite);
    do {
      const QueryCall call = MakeCall(query, next++, items);
      const Stopwatch one;
      const DoorResult result = RunOne(database, statement, call);
      own->push_back(one.ns());
      CheckResult(call, result);
    } while (watch.ns() < duration_ms * 1'000'000);
    sqlite3_finalize(statement);
    sqlite3_close(database);
  };
  std::vector<std::thread> workers;
  for (std::vector<int64_t>& own : times) workers.emplace_back(work, &own);
  for (std::thread& worker : workers) worker.join();
  std::vector<int64_t> all;
  for (const std::vector<int64_t>& own : times) all.insert(all.end(), own.begin(), own.end());
  return all;
}

}  // namespace lapse::bench
