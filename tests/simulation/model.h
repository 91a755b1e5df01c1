// What the engine should do, written in the plainest way: every item in a map, and a loop over all of them that removes
// what has expired whenever time or policy moves. Slow, obvious and final: a removed item cannot reappear.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/records/ids/count.h"
#include "engine/records/ids/ids.h"
#include "engine/records/items/item.h"

namespace lapse::simulation {

struct ModelItem {
  std::string document;
  int64_t ts_s = 0;
  std::optional<int32_t> own_ttl;
  engine::ItemVersion version;
  engine::Lsn lsn = 0;
  engine::ItemNumber number = 0;

  bool operator==(const ModelItem&) const = default;
};

// The address of an item in a container: partition key value, then id.
using ModelKey = std::pair<std::string, std::string>;

class ModelContainer {
 public:
  // Returns the unique values of a document, one text for each unique key. They must be unique within a partition key.
  using UniqueValues = std::function<std::string(const std::string& document)>;

  ModelContainer(std::optional<int32_t> default_ttl, std::vector<UniqueValues> unique)
      : default_ttl_(default_ttl), unique_(std::move(unique)) {}

  const std::map<ModelKey, ModelItem>& items() const { return items_; }
  const ModelItem* Find(const ModelKey& key) const;
  // Whether another item of the partition key has the values of one of the unique keys.
  bool IsTaken(const ModelKey& key, const std::string& document) const;
  void Put(const ModelKey& key, ModelItem item) { items_[key] = std::move(item); }
  void Erase(const ModelKey& key) { items_.erase(key); }
  // Removes all items of a partition key.
  void EraseAll(const std::string& partition_key) {
    std::erase_if(items_, [&](const auto& entry) { return entry.first.first == partition_key; });
  }

  // The numbers that a partition has assigned.
  struct Numbers {
    engine::Sequence last_sequence = 0;
    engine::Lsn last_lsn = 0;
    std::optional<uint64_t> creations = 0;  // nullopt: after a write whose outcome is unknown

    // Numbers are assigned consecutively: a write that failed has used none.
    void NoteCreated(engine::PartitionNumber partition, engine::ItemNumber number);
  };
  Numbers& numbers(engine::PartitionNumber partition) { return numbers_[partition]; }

  std::optional<int32_t> default_ttl() const { return default_ttl_; }
  // The policy in force until now_s decides which items have expired by now_s.
  void SetDefaultTtl(std::optional<int32_t> default_ttl, int64_t now_s);
  void MoveTimeTo(int64_t now_s);

  static bool IsExpired(const ModelItem& item, std::optional<int32_t> default_ttl, int64_t now_s);
  engine::Count CountIf(const std::function<bool(const ModelItem&)>& chosen) const;

 private:
  std::optional<int32_t> default_ttl_;
  std::vector<UniqueValues> unique_;
  std::map<ModelKey, ModelItem> items_;
  std::map<engine::PartitionNumber, Numbers> numbers_;
};

}  // namespace lapse::simulation
