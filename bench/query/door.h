// A product's own front door: one connection to it, on which one query is under way at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/query/query_list.h"

namespace lapse::bench {

struct DoorResult {
  int64_t rows = 0;
  int64_t value = 0;  // the first number of the first row, where the row is one number
};

// Threads: one. Fails: by ending the program.
class Door {
 public:
  virtual ~Door() = default;
  // Becomes readable when something of the answer is there.
  virtual int fd() const = 0;
  virtual void Ask(const QueryCall& call) = 0;
  // Takes what has come. True: the answer is whole.
  virtual bool Take(DoorResult* result) = 0;
};

std::unique_ptr<Door> OpenLapse(uint16_t port, const std::string& container);
std::unique_ptr<Door> OpenPostgres(uint16_t port);

// Each puts all items into an empty product and makes its indexes.
void LoadLapse(uint16_t port, const std::string& container, int partitions, uint64_t items);
void LoadPostgres(uint16_t port, uint64_t items);
void LoadSqlite(const std::string& file, uint64_t items);

// SQLite has no door: it is called in process, in so many threads, each with a connection of its own. The time of each
// query in nanoseconds.
std::vector<int64_t> RunSqlite(const std::string& file, const BenchQuery& query, uint64_t items, int threads,
                               int64_t duration_ms);

// Ends the program unless the answer is what it must be.
void CheckResult(const QueryCall& call, const DoorResult& result);

}  // namespace lapse::bench
