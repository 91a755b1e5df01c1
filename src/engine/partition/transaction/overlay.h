// The pending changes of a commit, laid over the contents of the store.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <memory_resource>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "store/batch.h"

namespace lapse::engine {

// Has each key once, in its state after all changes so far. Threads: one.
class Overlay {
 public:
  enum class Found : uint8_t {
    kUnknown,  // ask the store
    kValue,
    kNothing,  // the key does not exist, whatever the store holds
  };
  // The value stays valid until the key changes.
  Found Find(store::FamilyId family, std::string_view key, std::string_view* value) const;

  void Put(store::FamilyId family, std::string_view key, std::string value);
  void Delete(store::FamilyId family, std::string_view key);
  // Caches what the store holds (nullopt: nothing). This is not a change.
  void Remember(store::FamilyId family, std::string_view key, std::optional<std::string> value);

  bool empty() const { return changes_ == 0; }
  size_t changes() const { return changes_; }
  // Bytes of the keys and values of all changes.
  size_t bytes() const { return bytes_; }
  // Adds all changes to the batch. Those of the sorted family come last, in key order.
  void AddTo(store::Batch* batch, store::FamilyId sorted_family) const;

  // Calls `take` with the key of each put in the family, in any order.
  void ForEachPut(store::FamilyId family, const std::function<void(std::string_view key)>& take) const;

  // A point to which changes can be rolled back.
  using Savepoint = size_t;
  Savepoint savepoint() const { return undo_.size(); }
  void RollBackTo(Savepoint savepoint);

 private:
  // First block of the arena: enough for a few writes.
  static constexpr size_t kArenaBytes = 4096;

  enum class Kind : uint8_t { kUnknown, kStored, kNotStored, kPut, kDelete };

  struct Entry {
    store::FamilyId family;
    std::string_view key;  // in the arena
    Kind kind = Kind::kUnknown;
    std::string value;
  };
  struct Undo {
    Entry* entry;
    Kind kind;
    std::string value;
  };

  static bool IsChange(Kind kind) { return kind == Kind::kPut || kind == Kind::kDelete; }
  Entry* EntryFor(store::FamilyId family, std::string_view key);
  std::string_view Kept(std::string_view key);
  void Change(Entry* entry, Kind kind, std::string value);
  void Account(const Entry& entry, int sign);

  using Index = std::pmr::unordered_map<std::string_view, Entry*>;

  // Keys and index nodes: many small objects that are freed together. On the heap, so that an overlay can be moved.
  std::unique_ptr<std::pmr::monotonic_buffer_resource> arena_ =
      std::make_unique<std::pmr::monotonic_buffer_resource>(kArenaBytes);
  std::deque<Entry> entries_;  // addresses are stable
  std::vector<Index> index_;   // by family; the keys are those of the entries
  std::vector<Undo> undo_;     // what each change replaced
  size_t changes_ = 0;
  size_t bytes_ = 0;
};

}  // namespace lapse::engine
