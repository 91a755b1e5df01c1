// Those who follow the change feeds of a container: what they make of them, and how far they have read. They outlive
// the engine, as clients do.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/records/changes/change_log.h"
#include "engine/records/items/item.h"
#include "engine/shard/partitions/partition.h"
#include "tests/simulation/world.h"

namespace lapse::simulation {

// Follows every change, with the images before and after.
class FullFeedConsumer {
 public:
  // Everything that is new. False: the store failed on the way, and the next time goes on from there.
  bool Read(World* world, int container);
  // To be called when nothing that has expired is left in the container: then the consumer has exactly what lives.
  void Check(World* world, int container);

 private:
  // What is left of one once its page was answered.
  struct Change {
    engine::ChangeKind kind;
    engine::ItemMeta meta;
    engine::ItemMeta previous;
    std::string head_key;
    std::string after;
    std::string before;
  };
  void Apply(const Change& change);

  // What the feed says that lives.
  struct Known {
    engine::ItemMeta meta;
    std::string document;
  };

  std::map<std::string, Known> items_;  // by head key
  std::map<engine::PartitionNumber, engine::ItemNumber> last_created_;
  std::map<engine::PartitionNumber, engine::Sequence> positions_;
};

// Follows the latest versions: it learns of writes, never of deletes and expiries.
class LatestFeedConsumer {
 public:
  // Everything that is new in one partition, in a chain of pages. False: as above.
  bool Read(World* world, int container, const engine::Partition& partition);
  // Reads on to the end: then the consumer has everything that lives, and what is more was deleted or has expired.
  void Check(World* world, int container);

  // Another consumer that begins now, perhaps at a given time.
  static void CheckFromTheBeginning(World* world, int container);

 private:
  struct Version {
    engine::ItemVersion version;
    std::string document;

    bool operator==(const Version&) const = default;
  };

  void Apply(const engine::Item& item, engine::PartitionNumber partition, const ModelContainer& model);

  std::map<engine::ItemNumber, Version> items_;
  std::set<std::pair<engine::PartitionNumber, engine::Sequence>> shown_;
  std::map<engine::PartitionNumber, engine::Sequence> positions_;
};

}  // namespace lapse::simulation
