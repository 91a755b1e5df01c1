// A RocksDB with the store's own settings and a meter on everything it reads and writes.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "store/rocks/rocks_shard.h"
#include "store/shard.h"

namespace lapse::bench {

struct Traffic {
  uint64_t flushed = 0;
  uint64_t compact_read = 0;
  uint64_t compact_written = 0;

  Traffic operator-(const Traffic& before) const {
    return {flushed - before.flushed, compact_read - before.compact_read, compact_written - before.compact_written};
  }
};

// Owns: the database. Families are numbered in the order in which they were given. Fails: ends the program.
class LayoutDb {
 public:
  LayoutDb(const std::string& path, const std::vector<store::FamilyOptions>& families,
           const store::RocksOptions& options);
  ~LayoutDb();
  LayoutDb(const LayoutDb&) = delete;
  LayoutDb& operator=(const LayoutDb&) = delete;

  // Writes that go to the log together, without a sync.
  class Group {
   public:
    explicit Group(LayoutDb* db);
    ~Group();
    void Put(size_t family, std::string_view key, std::string_view value);
    void Delete(size_t family, std::string_view key);
    void Write();

   private:
    struct Batch;
    LayoutDb* const db_;
    std::unique_ptr<Batch> batch_;
  };

  // Shows the value to `visit`, without a copy. Returns false if there is none.
  template <typename Visit>
  bool Get(size_t family, std::string_view key, Visit visit) {
    const auto call = [](void* visitor, std::string_view value) { (*static_cast<Visit*>(visitor))(value); };
    return Find(family, key, call, &visit);
  }

  // Flushes everything into tables, and waits until no background work is left.
  void Settle();
  void Compact(size_t family);
  // For keys that are all dead below the end. Drops whole tables of them without reading or writing a byte. Dead keys
  // remain where they share a table with live ones, and in the youngest tables, which RocksDB does not drop.
  void ReclaimBelow(size_t family, const std::string& end);
  void SaveAs(const std::string& path);

  Traffic traffic() const;
  uint64_t TableBytes() const;

 private:
  using Visitor = void (*)(void* visitor, std::string_view value);
  bool Find(size_t family, std::string_view key, Visitor visit, void* visitor);

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lapse::bench
