// Consumers of a container's change feeds: what they derive from them, and how far they have read. They outlive the
// engine, as clients do.
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
  // Reads everything new. Returns false if the store failed on the way; the next call resumes there.
  bool Read(World* world, int container);
  // To be called when no expired item is left in the container. The consumer must then have exactly the live items.
  void Check(World* world, int container);

 private:
  // A copy of one change, kept after its page was answered.
  struct Change {
    engine::ChangeKind kind;
    engine::ItemMeta meta;
    engine::ItemMeta previous;
    std::string head_key;
    std::string after;
    std::string before;
  };
  void Apply(const Change& change);

  // An item that is live according to the feed.
  struct Known {
    engine::ItemMeta meta;
    std::string document;
  };

  std::map<std::string, Known> items_;  // by head key
  std::map<engine::PartitionNumber, engine::ItemNumber> last_created_;
  std::map<engine::PartitionNumber, engine::Sequence> positions_;
};

// Follows the latest versions. It learns of writes, never of deletes and expiries.
class LatestFeedConsumer {
 public:
  // Reads everything new in one partition, in a chain of pages. Returns false if the store failed on the way.
  bool Read(World* world, int container, const engine::Partition& partition);
  // Reads to the end. The consumer must then have every live item; any other that it has was deleted or has expired.
  void Check(World* world, int container);

  // Checks another consumer that begins now, perhaps at a given time.
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
