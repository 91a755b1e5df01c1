// A connection through a product's own interface, with one query under way at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "bench/query/query_list.h"

namespace lapse::bench {

struct DoorResult {
  int64_t rows = 0;
  int64_t value = 0;  // the first number of the first row, if the row is one number
};

// Threads: one. Fails: by ending the program.
class Door {
 public:
  virtual ~Door() = default;
  // Becomes readable when part of the answer has arrived.
  virtual int fd() const = 0;
  virtual void Ask(const QueryCall& call) = 0;
  // Takes what has arrived. Returns true once the answer is complete.
  virtual bool Take(DoorResult* result) = 0;
};

std::unique_ptr<Door> OpenLapse(uint16_t port, const std::string& container);
std::unique_ptr<Door> OpenPostgres(uint16_t port);

// Each loads all items into an empty product and creates its indexes.
void LoadLapse(uint16_t port, const std::string& container, int partitions, uint64_t items);
void LoadPostgres(uint16_t port, uint64_t items);
void LoadSqlite(const std::string& file, uint64_t items);

// SQLite is called in process, by this many threads with a connection each. Returns the time of each query in
// nanoseconds.
std::vector<int64_t> RunSqlite(const std::string& file, const BenchQuery& query, uint64_t items, int threads,
                               int64_t duration_ms);

// Ends the program if the answer is wrong.
void CheckResult(const QueryCall& call, const DoorResult& result);

}  // namespace lapse::bench
